// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
#include <dirent.h>
#include <errno.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cipher_suite.h"
#include "tap.h"
#include "vectors.h"

#define MAX_LEN		(1U << 20)
/* Room for buffers that begin at odd addresses */
#define SLACK		64
#define NR_THREADS	8
#define OPS_PER_THREAD	100

static const struct alg {
	const char *name;	/* in the vector files */
	enum apq_cipher_alg alg;
	size_t key_len;
	const char *evp;	/* name in OpenSSL */
} algs[] = {
	{ "aes-ecb", APQ_AES_ECB, 16, "AES-128-ECB" },
	{ "aes-ecb", APQ_AES_ECB, 24, "AES-192-ECB" },
	{ "aes-ecb", APQ_AES_ECB, 32, "AES-256-ECB" },
	{ "aes-cbc", APQ_AES_CBC, 16, "AES-128-CBC" },
	{ "aes-cbc", APQ_AES_CBC, 24, "AES-192-CBC" },
	{ "aes-cbc", APQ_AES_CBC, 32, "AES-256-CBC" },
	{ "aes-ctr", APQ_AES_CTR, 16, "AES-128-CTR" },
	{ "aes-ctr", APQ_AES_CTR, 24, "AES-192-CTR" },
	{ "aes-ctr", APQ_AES_CTR, 32, "AES-256-CTR" },
	{ "des3-cbc", APQ_DES3_CBC, 24, "DES-EDE3-CBC" },
};

#define NR_ALGS (sizeof(algs) / sizeof(algs[0]))

/* A key in both libraries; @h is the handle the cipher belongs to */
struct key {
	const struct alg *alg;
	uint8_t bytes[32];
	struct apq_cipher *c;
};

struct context {
	const struct cipher_suite *suite;
	struct apq *h;
	uint8_t *src, *dst, *want;	/* MAX_LEN + SLACK bytes each */
	unsigned int bad;		/* vectors of a file that failed */
};

static void *alloc_or_bail(size_t len)
{
	void *p = malloc(len);

	if (!p)
		tap_bail("no memory");
	return p;
}

static void random_bytes(void *buf, size_t len)
{
	if (RAND_bytes(buf, len) != 1)
		tap_bail("no random bytes");
}

/* What OpenSSL makes of it; the reference */
static void openssl_crypt(const struct key *k, int encrypt, const uint8_t *iv,
			  const uint8_t *src, uint8_t *dst, size_t len)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, k->alg->evp, NULL);
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n = 0;

	if (!cipher || !ctx ||
	    !EVP_CipherInit_ex2(ctx, cipher, k->bytes, iv, encrypt, NULL) ||
	    !EVP_CIPHER_CTX_set_padding(ctx, 0) ||
	    !EVP_CipherUpdate(ctx, dst, &n, src, len) || (size_t)n != len)
		tap_bail("OpenSSL refuses %s", k->alg->evp);
	EVP_CIPHER_CTX_free(ctx);
	EVP_CIPHER_free(cipher);
}

static const char *driver_of(const struct cipher_suite *suite,
			     enum apq_cipher_alg alg)
{
	return suite->driver ? suite->driver(alg) : NULL;
}

static void key_new(struct context *ctx, struct key *k, const struct alg *alg)
{
	int ret = apq_cipher_new(ctx->h, alg->alg,
				 driver_of(ctx->suite, alg->alg), k->bytes,
				 alg->key_len, &k->c);

	if (ret)
		tap_bail("apq_cipher_new(%s): %s", alg->evp, strerror(-ret));
	k->alg = alg;
}

static void random_key(struct context *ctx, struct key *k,
		       const struct alg *alg)
{
	random_bytes(k->bytes, sizeof(k->bytes));
	key_new(ctx, k, alg);
}

static const struct alg *alg_by_name(const char *name, size_t key_len)
{
	size_t i;

	for (i = 0; i < NR_ALGS; i++)
		if (!strcmp(algs[i].name, name) && algs[i].key_len == key_len)
			return &algs[i];
	tap_bail("a vector for %s with %zu key bytes", name, key_len);
}

/* fields: name algorithm key iv plaintext ciphertext */
static int known_answer(struct context *ctx, char *const *fields)
{
	uint8_t iv[16], plain[1024], cipher[1024], out[1024];
	struct key k;
	size_t len, key_len;
	int good;

	key_len = hex_decode(fields[2], k.bytes, sizeof(k.bytes));
	hex_decode(fields[3], iv, sizeof(iv));
	len = hex_decode(fields[4], plain, sizeof(plain));
	hex_decode(fields[5], cipher, sizeof(cipher));
	key_new(ctx, &k, alg_by_name(fields[1], key_len));

	good = apq_encrypt(k.c, iv, plain, out, len) == (long)len &&
	       !memcmp(out, cipher, len);
	/* in place */
	good &= apq_decrypt(k.c, iv, out, out, len) == (long)len &&
		!memcmp(out, plain, len);
	apq_cipher_free(k.c);
	if (!good)
		printf("# %s failed\n", fields[0]);
	return good;
}

static void tell_known_answer(char *const *fields, void *arg)
{
	tap_ok(known_answer(arg, fields), "known answer %s", fields[0]);
}

static void count_known_answer(char *const *fields, void *arg)
{
	struct context *ctx = arg;

	ctx->bad += !known_answer(ctx, fields);
}

/*
 * Both directions, in place or not, at any alignment. Input and IV must come
 * out unchanged, and nothing may be written behind the output.
 */
static int same_as_openssl(struct context *ctx, const struct key *k,
			   const uint8_t *iv, size_t len, size_t src_off,
			   size_t dst_off)
{
	uint8_t *src = ctx->src + src_off, *dst = ctx->dst + dst_off;
	uint8_t iv_copy[16];
	int dir;

	for (dir = 0; dir < 2; dir++) {
		long (*crypt)(struct apq_cipher *, const void *, const void *,
			      void *, size_t) = dir ? apq_encrypt : apq_decrypt;

		memcpy(iv_copy, iv, sizeof(iv_copy));
		random_bytes(src, len > 4096 ? 4096 : len);
		openssl_crypt(k, dir, iv, src, ctx->want, len);
		memset(dst + len, 0x55, 8);
		if (crypt(k->c, iv, src, dst, len) != (long)len ||
		    memcmp(dst, ctx->want, len) ||
		    memcmp(dst + len, "UUUUUUUU", 8) ||
		    memcmp(iv, iv_copy, sizeof(iv_copy)))
			return 0;
		memcpy(dst, src, len);
		if (crypt(k->c, iv, dst, dst, len) != (long)len ||
		    memcmp(dst, ctx->want, len))
			return 0;
	}
	return 1;
}

static int check_len(struct context *ctx, const struct key *k, size_t len,
		     size_t src_off, size_t dst_off)
{
	uint8_t iv[16];

	random_bytes(iv, sizeof(iv));
	if (same_as_openssl(ctx, k, iv, len, src_off, dst_off))
		return 1;
	printf("# %s: %zu bytes, offsets %zu and %zu differ from OpenSSL\n",
	       k->alg->evp, len, src_off, dst_off);
	return 0;
}

/* Around the limits of one AF_ALG operation, and the largest request */
static const size_t fixed_lens[] = {
	16, 48, 4096, 8192, 8208, 61440, 65520, 65536, 65552, 131088, MAX_LEN,
};

/* Long ones with one key size of each mode: emulated machines are slow. */
static int long_too(const struct alg *alg)
{
	return alg->key_len == 16;
}

static void test_random(struct context *ctx, const struct alg *alg)
{
	struct key k;
	size_t i, block, len;
	int good = 1;
	unsigned int r;

	random_key(ctx, &k, alg);
	block = apq_cipher_blocksize(k.c);
	for (i = 0; i < sizeof(fixed_lens) / sizeof(fixed_lens[0]); i++)
		if (fixed_lens[i] < 131072 || long_too(alg))
			good &= check_len(ctx, &k, fixed_lens[i], 0, 0);
	for (i = 0; i < 34 && good; i++) {
		random_bytes(&r, sizeof(r));
		len = block + r % (i < 30 ? 3000 : 150000) / block * block;
		good &= check_len(ctx, &k, len, i % 5, i % 7);
	}
	/* 17 pages, as the buffer begins in the middle of one */
	good &= check_len(ctx, &k, 65536, 8, 8);
	tap_ok(good, "%s equals OpenSSL", alg->evp);
	apq_cipher_free(k.c);
}

/* The counter has 128 bits and carries through all of them, in every length. */
static void test_counter(struct context *ctx)
{
	static const size_t lens[] = { 1, 15, 17, 33, 255, 65537, 131072 + 5 };
	uint8_t iv[16];
	struct key k;
	size_t i;
	int good = 1;

	random_key(ctx, &k, alg_by_name("aes-ctr", 32));
	for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		memset(iv, 0xff, sizeof(iv));
		good &= same_as_openssl(ctx, &k, iv, lens[i], 0, 1);
		/* wraps 64 bits exactly behind the first 65536 bytes */
		iv[0] = 0;
		iv[14] = 0xf0;
		iv[15] = 0x00;
		good &= same_as_openssl(ctx, &k, iv, lens[i], 1, 0);
	}
	tap_ok(good, "CTR: odd lengths, counters that wrap");
	apq_cipher_free(k.c);
}

struct worker {
	pthread_t thread;
	const struct key *k;
	unsigned int nr;
	int good;
};

/* Its own IV in each request: a mixed-up one gives another answer. */
static void *work(void *arg)
{
	uint8_t iv[16], src[2048], dst[2048], want[2048];
	struct worker *w = arg;
	int i;

	w->good = 1;
	for (i = 0; i < OPS_PER_THREAD && w->good; i++) {
		size_t len = 16 + (w->nr * 7 + i) % 120 * 16;

		random_bytes(iv, sizeof(iv));
		memset(src, w->nr * 16 + i, len);
		openssl_crypt(w->k, i % 2, iv, src, want, len);
		w->good = (i % 2 ? apq_encrypt : apq_decrypt)(w->k->c, iv, src,
							    dst, len) ==
			  (long)len && !memcmp(dst, want, len);
	}
	return NULL;
}

static void test_threads(struct context *ctx, const struct alg *alg)
{
	struct worker workers[NR_THREADS];
	struct key k;
	unsigned int i;
	int good = 1;

	random_key(ctx, &k, alg);
	for (i = 0; i < NR_THREADS; i++) {
		workers[i].k = &k;
		workers[i].nr = i;
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			tap_bail("no thread");
	}
	for (i = 0; i < NR_THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		good &= workers[i].good;
	}
	tap_ok(good, "%s: %d threads on one key, an IV for each request",
	       alg->evp, NR_THREADS);
	apq_cipher_free(k.c);
}

/* Parent and child use what the parent made, at the same time. */
static void test_fork(struct context *ctx, const struct alg *alg)
{
	struct worker w = { .nr = 0 };
	struct key k;
	pid_t child;
	int status;

	random_key(ctx, &k, alg);
	/* leaves something behind that a child could take for its own */
	if (!check_len(ctx, &k, 64, 0, 0))
		tap_bail("cannot encrypt");
	w.k = &k;
	child = fork();
	if (!child) {
		w.nr = 1;
		work(&w);
		apq_cipher_free(k.c);
		_exit(!w.good);
	}
	work(&w);
	if (waitpid(child, &status, 0) != child)
		tap_bail("no child");
	tap_ok(w.good && !status, "%s: parent and child on one key: %d and %d",
	       alg->evp, w.good, status);
	tap_ok(check_len(ctx, &k, 64, 0, 0),
	       "the key is there after the child has freed it");
	apq_cipher_free(k.c);
}

/* A request that fails in the kernel leaves nothing behind for the next. */
static void test_fault(struct context *ctx)
{
	void *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	uint8_t iv[16] = { 0 };
	struct key k;

	if (hole == MAP_FAILED)
		tap_bail("no memory");
	random_key(ctx, &k, alg_by_name("aes-cbc", 16));
	tap_is(apq_encrypt(k.c, iv, hole, ctx->dst, 64), -EFAULT,
	       "input at a bad address");
	tap_ok(check_len(ctx, &k, 64, 0, 0), "the next request is right");
	tap_is(apq_encrypt(k.c, iv, ctx->src, hole, 64), -EFAULT,
	       "output at a bad address");
	tap_ok(check_len(ctx, &k, 64, 0, 0), "the next request is right");
	apq_cipher_free(k.c);
	munmap(hole, 4096);
}

static void test_key_lengths(struct context *ctx)
{
	uint8_t bytes[65] = { 0 };
	struct apq_cipher *c = NULL;
	int alg, wrong = 0;
	size_t len;

	for (alg = 0; alg < 20; alg++) {
		for (len = 0; len < sizeof(bytes); len++) {
			const char *driver = driver_of(ctx->suite, alg);
			int aes = alg >= APQ_AES_ECB && alg <= APQ_AES_CTR &&
				  (len == 16 || len == 24 || len == 32);
			int des = alg == APQ_DES3_CBC && len == 24;
			int device = (alg == APQ_AES_XTS && len >= 32 &&
				      len % 16 == 0) ||
				     (alg == APQ_AES_GCM && len >= 16 &&
				      len <= 32 && len % 8 == 0) ||
				     (alg == APQ_RC4 && len >= 5 && len <= 64);

			if (aes || des || device)
				continue;
			wrong += apq_cipher_new(ctx->h, alg, driver, bytes, len,
						&c) != -EINVAL;
		}
	}
	tap_ok(!wrong && !c, "wrong algorithms and key lengths are EINVAL");
	tap_is(apq_cipher_new(ctx->h, APQ_AES_CBC, NULL, NULL, 16, &c), -EINVAL,
	       "no key");
	tap_is(apq_cipher_new(ctx->h, APQ_AES_CBC, NULL, bytes, 16, NULL),
	       -EINVAL, "nowhere to put the handle");
}

static int open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	if (!dir)
		tap_bail("cannot list /proc/self/fd");
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* Exits with a skip if the system has not what the suite is about. */
static void open_or_skip(struct context *ctx)
{
	static const uint8_t key[32];
	struct apq_cipher *c;
	size_t i;
	int ret;

	ret = apq_open(&ctx->h, ctx->suite->backend);
	if (ret == -ENODEV)
		tap_skip_all("back end %d is not there", ctx->suite->backend);
	if (ret)
		tap_bail("apq_open: %s", strerror(-ret));
	for (i = 0; i < NR_ALGS; i++) {
		const char *driver = driver_of(ctx->suite, algs[i].alg);

		ret = apq_cipher_new(ctx->h, algs[i].alg, driver, key,
				     algs[i].key_len, &c);
		if (ret == -ENOENT && driver)
			tap_skip_all("no kernel driver %s", driver);
		/* 3DES may refuse the key of zeros */
		if (!ret)
			apq_cipher_free(c);
		else if (ret != -ENOKEY)
			tap_bail("apq_cipher_new(%s): %s", algs[i].evp,
				 strerror(-ret));
	}
}

int cipher_suite_run(const struct cipher_suite *suite)
{
	struct context ctx = { .suite = suite };
	size_t i;
	int fds;

	open_or_skip(&ctx);
	ctx.src = alloc_or_bail(MAX_LEN + SLACK);
	ctx.dst = alloc_or_bail(MAX_LEN + SLACK);
	ctx.want = alloc_or_bail(MAX_LEN + SLACK);
	memset(ctx.src, 0x5a, MAX_LEN + SLACK);

	tap_plan(vectors_read("nist.txt", 6, NULL, NULL) + 1 + NR_ALGS + 3 + 2 +
		 4 + 3 + 1 + suite->nr_extra);
	fds = open_fds();
	vectors_read("nist.txt", 6, tell_known_answer, &ctx);
	vectors_read("wycheproof_aes_cbc.txt", 6, count_known_answer, &ctx);
	tap_is(ctx.bad, 0, "known answers of Wycheproof that were wrong");
	for (i = 0; i < NR_ALGS; i++)
		test_random(&ctx, &algs[i]);
	test_counter(&ctx);
	test_threads(&ctx, alg_by_name("aes-cbc", 16));
	test_threads(&ctx, alg_by_name("des3-cbc", 24));
	test_fork(&ctx, alg_by_name("aes-ctr", 32));
	test_fault(&ctx);
	test_key_lengths(&ctx);
	tap_is(open_fds(), fds, "file descriptors are as many as before");
	if (suite->extra)
		suite->extra(ctx.h);
	apq_close(ctx.h);
	free(ctx.src);
	free(ctx.dst);
	free(ctx.want);
	return tap_exit();
}
