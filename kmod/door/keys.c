// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions of /dev/apq: a number of a file for a key, and descriptors that
 * carry a key to another process.
 *
 * Lifetime: a number and a descriptor each hold a reference, requests in
 * flight too; the key is wiped with the last of them.
 */

#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "device.h"

/* Gives a session a number of the file, which it returns, or -errno. */
static int session_add(struct apq_file *af, struct apq_session *s)
{
	u32 id;
	int ret;

	xa_lock(&af->sessions);
	ret = __xa_alloc(&af->sessions, &id, s, XA_LIMIT(1, APQ_MAX_SESSIONS),
			 GFP_KERNEL);
	if (!ret && id < APQ_FILE_FIRST)
		rcu_assign_pointer(af->first[id], s);
	xa_unlock(&af->sessions);
	if (ret)
		return ret == -EBUSY ? -ENOSPC : ret;
	return id;
}

static int load_key(struct apq_session *s, const struct apq_session_create *c)
{
	u8 *key;
	int ret;

	/* At least one byte, so that none is no special case. */
	key = kmalloc(c->key_len + 1, GFP_KERNEL);
	if (!key)
		return -ENOMEM;
	if (copy_from_user(key, u64_to_user_ptr(c->key), c->key_len))
		ret = -EFAULT;
	else
		ret = apq_session_setkey(s, key, c->key_len);
	kfree_sensitive(key);
	return ret;
}

static int load_session(struct apq_session *s,
			const struct apq_session_create *c)
{
	int ret;

	if (c->tag_len) {
		ret = apq_session_settag(s, c->tag_len);
		if (ret)
			return ret;
	}
	if (c->mod_len && s->info->kind != APQ_KIND_RSA)
		return -EINVAL;
	s->mod_len = c->mod_len;
	return load_key(s, c);
}

/* APQ_IOC_SESSION_CREATE */
long apq_keys_create(struct apq_file *af, void __user *arg)
{
	struct apq_session_create c;
	struct apq_session *s;
	int ret;

	if (copy_from_user(&c, arg, sizeof(c)))
		return -EFAULT;
	if (c.flags || c.reserved || c.key_len > APQ_MAX_RSA_KEY_LEN)
		return -EINVAL;
	s = apq_session_create(c.alg);
	if (IS_ERR(s))
		return PTR_ERR(s);
	ret = load_session(s, &c);
	if (!ret)
		ret = session_add(af, s);
	if (ret < 0)
		apq_session_put(s);
	return ret;
}

/* APQ_IOC_SESSION_DESTROY */
long apq_keys_destroy(struct apq_file *af, unsigned long id)
{
	struct apq_session *s;

	xa_lock(&af->sessions);
	s = xa_load(&af->sessions, id);
	if (s && id < APQ_FILE_FIRST)
		RCU_INIT_POINTER(af->first[id], NULL);
	__xa_erase(&af->sessions, id);
	xa_unlock(&af->sessions);
	if (!s)
		return -ENOENT;
	apq_session_put(s);
	return 0;
}

static int export_release(struct inode *inode, struct file *file)
{
	apq_session_put(file->private_data);
	return 0;
}

static const struct file_operations export_fops = {
	.owner = THIS_MODULE,
	.release = export_release,
	.llseek = noop_llseek,
};

/* APQ_IOC_SESSION_EXPORT */
long apq_keys_export(struct apq_file *af, unsigned long id)
{
	struct apq_session *s;
	int fd;

	xa_lock(&af->sessions);
	s = xa_load(&af->sessions, id);
	if (s)
		apq_session_get(s);
	xa_unlock(&af->sessions);
	if (!s)
		return -ENOENT;
	fd = anon_inode_getfd("[apq-session]", &export_fops, s, O_CLOEXEC);
	if (fd < 0)
		apq_session_put(s);
	return fd;
}

/* APQ_IOC_SESSION_IMPORT */
long apq_keys_import(struct apq_file *af, unsigned long fd)
{
	struct apq_session *s;
	struct file *file;
	long ret;

	if (fd > INT_MAX)
		return -EBADF;
	file = fget(fd);
	if (!file)
		return -EBADF;
	if (file->f_op != &export_fops) {
		fput(file);
		return -EINVAL;
	}
	s = apq_session_get(file->private_data);
	fput(file);
	ret = session_add(af, s);
	if (ret < 0)
		apq_session_put(s);
	return ret;
}

/* The file is closing: nobody looks for a session any more. */
void apq_keys_drop(struct apq_file *af)
{
	struct apq_session *s;
	unsigned long id;

	xa_for_each(&af->sessions, id, s)
		apq_session_put(s);
	xa_destroy(&af->sessions);
}
