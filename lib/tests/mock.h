/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * A directory that stands in for / : mock sysfs trees and device nodes
 */
#ifndef APQ_MOCK_H
#define APQ_MOCK_H

#include <stddef.h>

/*
 * Makes an empty directory, points APQ_SYSFS_ROOT and APQ_DEV_ROOT to it and
 * has it removed when the program exits.
 */
void mock_init(void);

/* Writes a file, with its directories; @path starts with / */
void mock_file(const char *path, const char *content);
void mock_dir(const char *path);
void mock_remove(const char *path);

/* Reads a file back, without its newline; "" if there is none */
const char *mock_read(const char *path);

#endif /* APQ_MOCK_H */
