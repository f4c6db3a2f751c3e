// SPDX-License-Identifier: GPL-2.0
/*
 * RC4, for the comparison with a study of 2010 and with legacy=1 only. The
 * kernel's own keeps the position of the key stream in the key, so that two
 * requests with one key would depend on each other; here each starts anew.
 */

#include <linux/minmax.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include "rc4.h"

struct rc4_key {
	u8 s[256];
};

struct rc4_state {
	u8 s[256];
	u8 i;
	u8 j;
};

struct rc4_key *rc4_key_new(void)
{
	return kzalloc(sizeof(struct rc4_key), GFP_KERNEL);
}

void rc4_key_set(struct rc4_key *key, const u8 *data, unsigned int len)
{
	unsigned int i;
	u8 j = 0;

	for (i = 0; i < 256; i++)
		key->s[i] = i;
	for (i = 0; i < 256; i++) {
		j += key->s[i] + data[i % len];
		swap(key->s[i], key->s[j]);
	}
}

void rc4_key_free(struct rc4_key *key)
{
	kfree_sensitive(key);
}

static void crypt(struct rc4_state *st, u8 *out, const u8 *in,
		  unsigned int len)
{
	for (; len; len--) {
		u8 a = st->s[++st->i];
		u8 b;

		st->j += a;
		b = st->s[st->j];
		st->s[st->i] = b;
		st->s[st->j] = a;
		*out++ = *in++ ^ st->s[(u8)(a + b)];
	}
}

/* Both directions are the same. Context: process context. */
void rc4_run(const struct rc4_key *key, const struct apq_cipher *c)
{
	struct sg_mapping_iter in, out;
	unsigned int left = c->len;
	struct rc4_state st = {};

	memcpy(st.s, key->s, sizeof(st.s));
	sg_miter_start(&in, c->src, sg_nents(c->src), SG_MITER_FROM_SG);
	sg_miter_start(&out, c->dst, sg_nents(c->dst), SG_MITER_TO_SG);
	while (left && sg_miter_next(&in) && sg_miter_next(&out)) {
		unsigned int part = min3((size_t)left, in.length, out.length);

		crypt(&st, out.addr, in.addr, part);
		/* The next step goes on where these end. */
		in.consumed = part;
		out.consumed = part;
		left -= part;
	}
	sg_miter_stop(&out);
	sg_miter_stop(&in);
	memzero_explicit(&st, sizeof(st));
}
