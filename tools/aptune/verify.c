// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The check with real input.
 *
 * The file, padded with zeros to whole blocks, is one chained message: the
 * reference is a single call of OpenSSL over all of it, and each request takes
 * as IV what the chain has at its offset (the cipher block before it for CBC,
 * the counter for CTR). So requests of any size at any offset must reproduce
 * the same bytes, and an IV that is taken from the wrong request shows.
 *
 * Each cipher encrypts and decrypts the whole file once, in requests of
 * WHOLE_SIZE, in the last mode of the sweep. Each size of the sweep takes
 * PART_REQUESTS places spread over the file, in every mode. RSA takes
 * RSA_REQUESTS inputs out of the file in every mode.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "clock.h"
#include "interrupt.h"
#include "reference.h"
#include "verify.h"

#define WHOLE_SIZE	65536
#define PART_REQUESTS	8
#define RSA_REQUESTS	4
#define UNIT		16	/* the file is padded to whole units */

/* Seeds of key and first IV; any will do. */
#define KEY_SEED	0x6b6579
#define IV_SEED		0x6976

struct verify_file {
	const char *name;
	uint8_t *plain;
	size_t len;			/* padded */
	uint8_t *cipher[MAX_OPS];	/* reference per entry of ops[], made when first needed */
};

/**
 * struct check - one operation on one path being checked
 * @buf: output of a request
 * @iv: of the chain's beginning
 */
struct check {
	struct verify_file *file;
	const struct path *path;
	const struct op *op;
	const char *mode;
	const uint8_t *reference;
	struct apq *handle;
	struct apq_cipher *cipher;
	uint8_t *buf;
	uint8_t iv[MAX_IV_LEN];
	struct verify_record *record;
	char *failure;
	size_t failure_len;
};

static int load(struct verify_file *file, int fd, size_t len)
{
	size_t done = 0;
	ssize_t n;

	file->len = (len + UNIT - 1) / UNIT * UNIT;
	file->plain = calloc(1, file->len);
	if (!file->plain)
		return -ENOMEM;
	while (done < len) {
		n = read(fd, file->plain + done, len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		done += n;
	}
	return 0;
}

int verify_open(const char *name, struct verify_file **out)
{
	struct verify_file *file = calloc(1, sizeof(*file));
	struct stat st;
	int fd, ret;

	if (!file) {
		complain(name, "out of memory");
		return -1;
	}
	file->name = name;
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		complain(name, "cannot read: %s", strerror(errno));
		goto out_close;
	}
	if (!S_ISREG(st.st_mode) || st.st_size < RSA_LEN ||
	    st.st_size > VERIFY_MAX_FILE) {
		complain(name, "is not a file of %d to %d bytes", RSA_LEN,
			 VERIFY_MAX_FILE);
		goto out_close;
	}
	ret = load(file, fd, st.st_size);
	if (ret) {
		complain(name, "cannot read: %s", strerror(-ret));
		goto out_close;
	}
	close(fd);
	*out = file;
	return 0;

out_close:
	if (fd >= 0)
		close(fd);
	verify_close(file);
	return -1;
}

void verify_close(struct verify_file *file)
{
	unsigned int i;

	if (!file)
		return;
	for (i = 0; i < MAX_OPS; i++)
		free(file->cipher[i]);
	free(file->plain);
	free(file);
}

static int fail(struct check *c, const char *what, size_t size, size_t offset,
		const char *reason)
{
	snprintf(c->failure, c->failure_len,
		 "%s %s %zu bytes, mode %s: %s at offset %zu of %s: %s",
		 c->path->name, c->op->name, size, c->mode, what, offset,
		 c->file->name, reason);
	return -1;
}

/* The chain's IV for a request that begins at @offset. */
static void iv_at(const struct check *c, size_t offset, uint8_t *iv)
{
	uint64_t carry = offset / UNIT;
	int i;

	memcpy(iv, c->iv, MAX_IV_LEN);
	if (c->op->alg == APQ_AES_CTR) {
		for (i = MAX_IV_LEN - 1; i >= 0; i--) {
			carry += iv[i];
			iv[i] = carry;
			carry >>= 8;
		}
	} else if (offset) {
		memcpy(iv, c->reference + offset - c->op->iv_len,
		       c->op->iv_len);
	}
}

static int compare(struct check *c, const char *what, const uint8_t *want,
		   size_t size, size_t offset)
{
	size_t i;

	if (!memcmp(c->buf, want, size))
		return 0;
	for (i = 0; c->buf[i] == want[i]; i++)
		;
	return fail(c, what, size, offset + i, "differs from OpenSSL");
}

static int check_request(struct check *c, size_t offset, size_t size)
{
	uint8_t iv_buf[MAX_IV_LEN], *iv = c->op->iv_len ? iv_buf : NULL;
	long ret;

	if (interrupt_signal())
		return -EINTR;
	iv_at(c, offset, iv_buf);
	ret = apq_encrypt(c->cipher, iv, c->file->plain + offset, c->buf, size);
	if (ret != (long)size)
		return fail(c, "encryption", size, offset,
			    ret < 0 ? why(ret) : "short answer");
	if (compare(c, "encryption", c->reference + offset, size, offset))
		return -1;
	ret = apq_decrypt(c->cipher, iv, c->reference + offset, c->buf, size);
	if (ret != (long)size)
		return fail(c, "decryption", size, offset,
			    ret < 0 ? why(ret) : "short answer");
	if (compare(c, "decryption", c->file->plain + offset, size, offset))
		return -1;
	c->record->bytes += 2 * size;
	c->record->requests += 2;
	return 0;
}

static int check_whole(struct check *c)
{
	size_t offset, size;
	int ret;

	for (offset = 0; offset < c->file->len; offset += size) {
		size = c->file->len - offset;
		if (size > WHOLE_SIZE)
			size = WHOLE_SIZE;
		ret = check_request(c, offset, size);
		if (ret)
			return ret;
	}
	return 0;
}

static int check_parts(struct check *c, size_t size)
{
	size_t room, i, offset;
	int ret;

	if (size > c->file->len)
		size = c->file->len;
	room = c->file->len - size;
	for (i = 0; i < PART_REQUESTS; i++) {
		/* First at the beginning, last at the end. */
		offset = room * i / (PART_REQUESTS - 1) / UNIT * UNIT;
		ret = check_request(c, offset, size);
		if (ret)
			return ret;
	}
	return 0;
}

static int make_reference(struct check *c, const uint8_t *key)
{
	uint8_t **cipher = &c->file->cipher[c->op - ops];

	if (!*cipher) {
		*cipher = malloc(c->file->len);
		if (!*cipher ||
		    reference_cipher(c->op, 1, key, c->iv, c->file->plain,
				     *cipher, c->file->len)) {
			free(*cipher);
			*cipher = NULL;
			return fail(c, "reference", c->file->len, 0,
				    "OpenSSL cannot compute it");
		}
	}
	c->reference = *cipher;
	return 0;
}

static int check_cipher(struct check *c, const struct sweep_settings *settings)
{
	uint8_t key[MAX_KEY_LEN];
	unsigned int m, i;
	int ret;

	reference_fill(KEY_SEED, key, sizeof(key));
	reference_fill(IV_SEED, c->iv, sizeof(c->iv));
	ret = make_reference(c, key);
	if (ret)
		return ret;
	ret = apq_cipher_new(c->handle, c->op->alg, NULL, key, c->op->key_len,
			     &c->cipher);
	if (ret < 0)
		return fail(c, "key", c->op->key_len, 0, why(ret));
	ret = 0;
	for (m = 0; m < settings->nr_modes && !ret; m++) {
		c->mode = settings->modes[m];
		if (mode_set(c->mode))
			ret = fail(c, "mode", 0, 0, "cannot be set");
		for (i = 0; i < settings->nr_sizes && !ret; i++)
			ret = check_parts(c, settings->sizes[i]);
	}
	if (!ret)
		ret = check_whole(c);
	apq_cipher_free(c->cipher);
	c->cipher = NULL;
	return ret;
}

static int check_rsa_request(struct check *c, const struct rsa_key *key,
			     size_t offset)
{
	uint8_t in[RSA_LEN], want[RSA_LEN];
	struct apq_rsa_crt crt = {
		.len = RSA_LEN, .in = in, .out = c->buf,
		.p = key->p, .q = key->q, .dp = key->dp, .dq = key->dq,
		.qinv = key->qinv,
	};
	int ret;

	if (interrupt_signal())
		return -EINTR;
	memcpy(in, c->file->plain + offset, RSA_LEN);
	in[0] &= 0x7f;		/* below the modulus, whose top bit is set */
	if (reference_rsa_private(key, in, want))
		return fail(c, "reference", RSA_LEN, offset,
			    "OpenSSL cannot compute it");
	ret = apq_rsa_crt(c->handle, &crt);
	if (ret)
		return fail(c, "private operation", RSA_LEN, offset, why(ret));
	c->record->bytes += RSA_LEN;
	c->record->requests++;
	return compare(c, "private operation", want, RSA_LEN, offset);
}

static int check_rsa(struct check *c, const struct sweep_settings *settings)
{
	size_t step = (c->file->len - RSA_LEN) / RSA_REQUESTS;
	struct rsa_key key;
	unsigned int m, i;
	int ret = 0;

	if (reference_rsa_key(&key))
		return fail(c, "key", RSA_LEN, 0, "OpenSSL cannot compute it");
	for (m = 0; m < settings->nr_modes && !ret; m++) {
		c->mode = settings->modes[m];
		if (mode_set(c->mode))
			ret = fail(c, "mode", 0, 0, "cannot be set");
		for (i = 0; i < RSA_REQUESTS && !ret; i++)
			ret = check_rsa_request(c, &key, i * step);
	}
	return ret;
}

static int check_op(struct check *c, const struct sweep_settings *settings)
{
	uint64_t start = now_ns();
	int ret;

	ret = c->op->kind == OP_CIPHER ? check_cipher(c, settings) :
					 check_rsa(c, settings);
	c->record->path = c->path;
	c->record->op = c->op;
	c->record->seconds = (double)(now_ns() - start) / NS_PER_S;
	return ret;
}

int verify_path(struct verify_file *file, const struct path *path,
		const struct sweep_settings *settings,
		struct verify_record *record, size_t *nr, char *failure,
		size_t failure_len)
{
	struct check c = {
		.file = file, .path = path, .mode = settings->modes[0],
		.failure = failure, .failure_len = failure_len,
	};
	unsigned int i;
	int ret;

	c.buf = malloc(MAX_SIZE);
	ret = c.buf ? apq_open(&c.handle, path->backend) : -ENOMEM;
	if (ret < 0) {
		snprintf(failure, failure_len, "path %s: cannot open: %s",
			 path->name, why(ret));
		free(c.buf);
		return -1;
	}
	for (i = 0, ret = 0; i < settings->nr_ops && !ret; i++) {
		c.op = settings->ops[i];
		if (c.op->kind != path->kind)
			continue;
		c.record = &record[*nr];
		memset(c.record, 0, sizeof(*c.record));
		ret = check_op(&c, settings);
		if (!ret)
			++*nr;
	}
	apq_close(c.handle);
	free(c.buf);
	return ret;
}
