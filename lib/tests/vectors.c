// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "vectors.h"

static FILE *open_file(const char *file)
{
	char path[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
	char *slash;
	FILE *f;

	if (n < 0)
		tap_bail("cannot read /proc/self/exe");
	path[n] = '\0';
	slash = strrchr(path, '/');
	snprintf(slash, sizeof(path) - (slash - path), "/vectors/%s", file);
	f = fopen(path, "r");
	if (!f)
		tap_bail("cannot open %s", path);
	return f;
}

static int split(char *line, char **fields)
{
	char *save, *word;
	int n = 0;

	for (word = strtok_r(line, " \t\n", &save); word;
	     word = strtok_r(NULL, " \t\n", &save)) {
		if (n == VECTOR_FIELDS_MAX)
			return -1;
		fields[n++] = word;
	}
	return n;
}

unsigned int vectors_read(const char *file, int nr,
			  void (*each)(char *const *fields, void *arg),
			  void *arg)
{
	char *line = NULL, *fields[VECTOR_FIELDS_MAX];
	FILE *f = open_file(file);
	unsigned int count = 0;
	size_t size = 0;

	while (getline(&line, &size, f) > 0) {
		if (line[0] == '#')
			continue;
		if (split(line, fields) != nr)
			tap_bail("%s: vector %u has not %d fields", file,
				 count + 1, nr);
		count++;
		if (each)
			each(fields, arg);
	}
	free(line);
	fclose(f);
	if (!count)
		tap_bail("%s: no vectors", file);
	return count;
}

static int hex_digit(char c)
{
	if (!isxdigit((unsigned char)c))
		tap_bail("'%c' is no hex digit", c);
	return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

size_t hex_decode(const char *hex, uint8_t *buf, size_t size)
{
	size_t len = strlen(hex), i;

	if (!strcmp(hex, "-"))
		return 0;
	if (len % 2 || len / 2 > size)
		tap_bail("%zu hex digits do not fit %zu bytes", len, size);
	for (i = 0; i < len / 2; i++)
		buf[i] = hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]);
	return len / 2;
}
