// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Arguments that every function has to refuse, and back ends that are absent
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libapq.h"
#include "mock.h"
#include "tap.h"

static const uint8_t key[32];
static uint8_t result;

/* Well formed, so that nothing but the back end can refuse it */
static const struct apq_rsa_me one_byte = { 1, key, key, key, &result };

static void test_null(void)
{
	struct apq_rsa_me me = { 0 };
	struct apq_rsa_crt crt = { 0 };
	struct apq_cipher *c = NULL;
	uint8_t buf[16];

	tap_is(apq_open(NULL, APQ_BACKEND_AUTO), -EINVAL, "open to NULL");
	apq_close(NULL);
	tap_is(apq_backend(NULL), APQ_BACKEND_AUTO, "back end of NULL");
	tap_ok(!apq_backend_name(NULL), "name of NULL");
	tap_is(apq_cipher_new(NULL, APQ_AES_CBC, NULL, key, 16, &c), -EINVAL,
	       "cipher of NULL");
	apq_cipher_free(NULL);
	tap_is(apq_cipher_ivsize(NULL), 0, "IV size of NULL");
	tap_is(apq_cipher_blocksize(NULL), 0, "block size of NULL");
	tap_is(apq_encrypt(NULL, buf, buf, buf, 16), -EINVAL, "encrypt");
	tap_is(apq_decrypt(NULL, buf, buf, buf, 16), -EINVAL, "decrypt");
	tap_is(apq_rsa_modexpo(NULL, &me), -EINVAL, "modexpo");
	tap_is(apq_rsa_crt(NULL, &crt), -EINVAL, "CRT");
	tap_is(apq_mode_get(NULL, 16), -EINVAL, "mode_get");
	tap_is(apq_mode_list(NULL, 16), -EINVAL, "mode_list");
	tap_is(apq_mode_set(NULL), -EINVAL, "mode_set");
	tap_is(apq_poll_timeout_get(NULL), -EINVAL, "poll_timeout_get");
	tap_is(apq_cards(NULL, 1), -EINVAL, "cards");
	tap_ok(strlen(apq_version()) >= 5, "version %s", apq_version());
}

static void test_rsa_null_operands(struct apq *z90)
{
	static uint8_t b[64], p[32] = { 1 };	/* p > q, else EINVAL is due */
	const struct apq_rsa_me me = { 64, b, b, b, b };
	const struct apq_rsa_crt crt = { 64, b, p, b, b, b, b, b };
	/* the pointers begin after the length */
	size_t first = sizeof(size_t) / sizeof(void *), i;
	int refused = 0;

	for (i = 0; i < 4; i++) {
		struct apq_rsa_me op = me;

		((void **)&op)[first + i] = NULL;
		refused += apq_rsa_modexpo(z90, &op) == -EINVAL;
	}
	tap_is(refused, 4, "modexpo with each operand NULL");
	refused = 0;
	for (i = 0; i < 7; i++) {
		struct apq_rsa_crt op = crt;

		((void **)&op)[first + i] = NULL;
		refused += apq_rsa_crt(z90, &op) == -EINVAL;
	}
	tap_is(refused, 7, "CRT with each operand NULL");
	tap_is(apq_rsa_modexpo(z90, NULL), -EINVAL, "modexpo of no operands");
	tap_is(apq_rsa_crt(z90, NULL), -EINVAL, "CRT of no operands");
}

static void test_absent(void)
{
	struct apq *h = NULL;
	int i;

	errno = 1234;
	tap_is(apq_open(&h, APQ_BACKEND_DEVICE), -ENODEV, "no /dev/apq");
	tap_is(apq_open(&h, APQ_BACKEND_Z90CRYPT), -ENODEV, "no z90crypt");
	for (i = 4; i < 7; i++)
		tap_is(apq_open(&h, (enum apq_backend)i), -EINVAL,
		       "unknown back end %d", i);
	tap_is(apq_open(&h, (enum apq_backend)-1), -EINVAL, "back end -1");
	tap_ok(!h && errno == 1234, "failures leave handle and errno alone");
}

/* AF_ALG exists or does not; what apq_open() says has to agree. */
static void test_afalg_presence(void)
{
	int fd = socket(AF_ALG, SOCK_SEQPACKET, 0);
	struct apq *h = NULL, *any = NULL;
	int ret;

	if (fd >= 0)
		close(fd);
	errno = 1234;
	ret = apq_open(&h, APQ_BACKEND_AFALG);
	tap_is(ret, fd >= 0 ? 0 : -ENODEV, "AF_ALG, %s here",
	       fd >= 0 ? "which is" : "which is not");
	tap_is(errno, 1234, "errno is not touched");
	ret = apq_open(&any, APQ_BACKEND_AUTO);
	tap_is(ret, fd >= 0 ? 0 : -ENODEV, "automatic choice, no devices");
	if (h)
		tap_is(apq_rsa_modexpo(h, &one_byte), -ENOTSUP,
		       "AF_ALG has no RSA");
	else
		tap_ok(!any, "and no handle");
	apq_close(h);
	apq_close(any);
}

static void test_z90crypt_only(void)
{
	struct apq_cipher *c = NULL;
	struct apq *h;

	mock_file("/dev/z90crypt", "");
	if (apq_open(&h, APQ_BACKEND_Z90CRYPT))
		tap_bail("cannot open the mock z90crypt");
	tap_is(apq_cipher_new(h, APQ_AES_CBC, NULL, key, 16, &c), -ENOTSUP,
	       "z90crypt has no ciphers");
	test_rsa_null_operands(h);
	/* a plain file takes no ioctl */
	tap_is(apq_rsa_modexpo(h, &one_byte), -ENODEV,
	       "a z90crypt that is a plain file");
	apq_close(h);

	mock_file("/dev/apq", "");
	tap_is(apq_open(&h, APQ_BACKEND_DEVICE), -ENODEV,
	       "a /dev/apq that is a plain file");
	mock_remove("/dev/apq");
	mock_dir("/dev/apq");
	tap_is(apq_open(&h, APQ_BACKEND_DEVICE), -EISDIR,
	       "a /dev/apq that is a directory");
}

int main(void)
{
	mock_init();
	tap_plan(35);
	test_null();
	test_absent();
	test_afalg_presence();
	test_z90crypt_only();
	return tap_exit();
}
