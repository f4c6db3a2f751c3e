// SPDX-License-Identifier: GPL-2.0
/*
 * Checkstop: a card that stops by itself for good. Real cards do that when
 * their hardware fails; here somebody who tests a program asks for it, by a
 * file in debugfs.
 */

#include <linux/debugfs.h>
#include <linux/uaccess.h>
#include "bus.h"
#include "model.h"

static int set_chkstop(unsigned int id, bool chkstop)
{
	struct apq_card *card;
	int ret = -ENOENT;

	mutex_lock(&apq_hotplug_lock);
	card = apq_card_find(id);
	if (card) {
		apq_card_set_chkstop(card, chkstop);
		ret = 0;
	}
	mutex_unlock(&apq_hotplug_lock);
	return ret;
}

/* Takes "ID 1", and "ID 0" for a card that was repaired. */
static ssize_t chkstop_write(struct file *file, const char __user *ubuf,
			     size_t count, loff_t *pos)
{
	unsigned int number[2];
	char text[32];
	int ret;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, ubuf, count))
		return -EFAULT;
	text[count] = '\0';
	if (apq_parse_numbers(text, number, 2) != 2 || number[1] > 1)
		return -EINVAL;
	ret = set_chkstop(number[0], number[1]);
	return ret ?: count;
}

static const struct file_operations chkstop_fops = {
	.owner = THIS_MODULE,
	.open = nonseekable_open,
	.write = chkstop_write,
};

/* Gone with @dir. */
void apq_chkstop_init(struct dentry *dir)
{
	debugfs_create_file("chkstop", 0200, dir, NULL, &chkstop_fops);
}
