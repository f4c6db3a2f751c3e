/* SPDX-License-Identifier: GPL-2.0 */
#ifndef APQ_CARD_FAULT_H
#define APQ_CARD_FAULT_H

struct dentry;

void apq_fault_init(struct dentry *root);
void apq_fault_exit(void);

#endif
