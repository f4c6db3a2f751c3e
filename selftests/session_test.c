// SPDX-License-Identifier: GPL-2.0
/* /dev/apq: what it says of itself, and sessions. apq-timeout: 60 */

#include <stdbool.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/clock.h"
#include "common/device.h"
#include "common/guard.h"

static const uint8_t key[APQ_MAX_KEY_LEN] = "0123456789abcdefFEDCBA98";

FIXTURE(device)
{
	int fd;
};

FIXTURE_SETUP(device)
{
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(device)
{
	close(self->fd);
}

TEST_F(device, info)
{
	const uint64_t algs = 1 << APQ_ALG_AES_ECB | 1 << APQ_ALG_AES_CBC |
			      1 << APQ_ALG_AES_CTR | 1 << APQ_ALG_DES3_CBC |
			      1 << APQ_ALG_AES_XTS | 1 << APQ_ALG_AES_GCM |
			      1 << APQ_ALG_RSA_ME | 1 << APQ_ALG_RSA_CRT |
			      1ULL << APQ_ALG_RANDOM;
	struct apq_info info;
	unsigned int i;

	memset(&info, 0xff, sizeof(info));
	ASSERT_EQ(0, ioctl(self->fd, APQ_IOC_INFO, &info));
	EXPECT_EQ(APQ_ABI_VERSION, info.abi_version);
	EXPECT_EQ(1, info.nr_cards);
	EXPECT_EQ(algs, info.algs);
	EXPECT_EQ(1 << 20, info.max_data_len);
	EXPECT_EQ(1024, info.max_sessions);
	EXPECT_EQ(1024, info.max_in_flight);
	EXPECT_EQ(16, info.max_iov);
	EXPECT_EQ(4096, info.max_aad_len);
	EXPECT_EQ(0, info.reserved2);
	for (i = 0; i < ARRAY_SIZE(info.reserved); i++)
		EXPECT_EQ(0, info.reserved[i]);
}

TEST_F(device, info_not_writable)
{
	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_INFO, NULL));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_INFO, guard_alloc(8)));
	EXPECT_EQ(EFAULT, errno);
}

TEST_F(device, unknown_ioctl)
{
	EXPECT_EQ(-1, ioctl(self->fd, _IO(APQ_IOC_MAGIC, 0x1f), 0));
	EXPECT_EQ(ENOTTY, errno);
	/* The right number, another size. */
	EXPECT_EQ(-1, ioctl(self->fd, _IOW(APQ_IOC_MAGIC, 0x03, uint64_t), 0));
	EXPECT_EQ(ENOTTY, errno);
}

TEST_F(device, read_and_write_refused)
{
	char c = 0;

	EXPECT_EQ(-1, read(self->fd, &c, 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, write(self->fd, &c, 1));
	EXPECT_EQ(EINVAL, errno);
}

/* Every key length from none to the most: only those of the algorithm pass. */
TEST_F(device, key_lengths)
{
	static const struct {
		unsigned int alg;
		unsigned int len[3];
	} algs[] = {
		{ APQ_ALG_AES_ECB, { 16, 24, 32 } },
		{ APQ_ALG_AES_CBC, { 16, 24, 32 } },
		{ APQ_ALG_AES_CTR, { 16, 24, 32 } },
		{ APQ_ALG_AES_XTS, { 32, 48, 64 } },
		{ APQ_ALG_AES_GCM, { 16, 24, 32 } },
		{ APQ_ALG_DES3_CBC, { 24, 24, 24 } },
	};
	unsigned int i, len;

	for (i = 0; i < ARRAY_SIZE(algs); i++) {
		for (len = 0; len <= APQ_MAX_KEY_LEN; len++) {
			int ret = session_create(self->fd, algs[i].alg, key,
						 len);

			bool allowed = len == algs[i].len[0] ||
				       len == algs[i].len[1] ||
				       len == algs[i].len[2];

			EXPECT_EQ(allowed ? 1 : -EINVAL, ret > 0 ? 1 : ret) {
				TH_LOG("algorithm %u, length %u: %d",
				       algs[i].alg, len, ret);
			}
		}
	}
}

TEST_F(device, key_too_long)
{
	EXPECT_EQ(-EINVAL, session_create(self->fd, APQ_ALG_AES_CBC, key, 65));
	EXPECT_EQ(-EINVAL, session_create(self->fd, APQ_ALG_AES_CBC, key,
					  UINT32_MAX));
}

TEST_F(device, algorithm_unknown)
{
	static const unsigned int algs[] = {
		0, 8, 15, 18, APQ_ALG_RANDOM, 64, UINT32_MAX,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(algs); i++)
		EXPECT_EQ(-EINVAL, session_create(self->fd, algs[i], key, 24)) {
			TH_LOG("algorithm %u", algs[i]);
		}
}

TEST_F(device, create_flags_reserved)
{
	struct apq_session_create c = {
		.alg = APQ_ALG_AES_CBC,
		.flags = 1,
		.key = address(key),
		.key_len = 16,
	};

	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_SESSION_CREATE, &c));
	EXPECT_EQ(EINVAL, errno);
	c.flags = 1U << 31;
	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_SESSION_CREATE, &c));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(device, create_fields_reserved)
{
	struct apq_session_create c = {
		.alg = APQ_ALG_AES_CBC,
		.key = address(key),
		.key_len = 16,
	};

	c.reserved = 1U << 31;
	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_SESSION_CREATE, &c));
	EXPECT_EQ(EINVAL, errno);
	c.reserved = 0;
	/* A cipher has neither tag nor modulus. */
	c.tag_len = 16;
	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_SESSION_CREATE, &c));
	EXPECT_EQ(EINVAL, errno);
	c.tag_len = 0;
	c.mod_len = 16;
	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_SESSION_CREATE, &c));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(device, create_argument_not_readable)
{
	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_SESSION_CREATE, NULL));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_SESSION_CREATE, guard_alloc(8)));
	EXPECT_EQ(EFAULT, errno);
}

TEST_F(device, key_not_readable)
{
	EXPECT_EQ(-EFAULT, session_create(self->fd, APQ_ALG_AES_CBC, NULL, 16));
	/* Its last byte alone cannot be read. */
	EXPECT_EQ(-EFAULT, session_create(self->fd, APQ_ALG_AES_CBC,
					  guard_alloc(15), 16));
}

/* A key that ends where memory ends is not read beyond its length. */
TEST_F(device, key_at_end_of_memory)
{
	EXPECT_LT(0, session_create(self->fd, APQ_ALG_AES_CBC,
				    guard_alloc(16), 16));
}

TEST_F(device, limit_of_sessions)
{
	int i, last = 0;

	for (i = 0; i < APQ_MAX_SESSIONS; i++) {
		last = session_create(self->fd, APQ_ALG_AES_ECB, key, 16);
		ASSERT_LT(0, last) TH_LOG("session %d", i);
	}
	EXPECT_EQ(-ENOSPC, session_create(self->fd, APQ_ALG_AES_ECB, key, 16));
	ASSERT_EQ(0, session_destroy(self->fd, last));
	EXPECT_EQ(last, session_create(self->fd, APQ_ALG_AES_ECB, key, 16));
}

TEST_F(device, destroy_twice)
{
	int session = session_create(self->fd, APQ_ALG_AES_ECB, key, 16);

	ASSERT_LT(0, session);
	EXPECT_EQ(0, session_destroy(self->fd, session));
	EXPECT_EQ(-ENOENT, session_destroy(self->fd, session));
}

TEST_F(device, destroy_unknown)
{
	EXPECT_EQ(-ENOENT, session_destroy(self->fd, 0));
	EXPECT_EQ(-ENOENT, session_destroy(self->fd, 1));
	EXPECT_EQ(-ENOENT, session_destroy(self->fd, -1UL));
}

#if __SIZEOF_LONG__ == 8
/* The upper half of the argument counts. */
TEST_F(device, destroy_number_over_32_bits)
{
	int session = session_create(self->fd, APQ_ALG_AES_ECB, key, 16);

	ASSERT_LT(0, session);
	EXPECT_EQ(-ENOENT, session_destroy(self->fd, session | 1UL << 32));
	EXPECT_EQ(0, session_destroy(self->fd, session));
}
#endif

TEST_F(device, use_after_destroy)
{
	int session = session_create(self->fd, APQ_ALG_AES_ECB, key, 16);
	uint8_t data[16] = {};

	ASSERT_LT(0, session);
	EXPECT_EQ(16, op_crypt(self->fd, session, APQ_OP_ENCRYPT, NULL, 0, data,
			       data, 16));
	EXPECT_EQ(0, session_destroy(self->fd, session));
	EXPECT_EQ(-ENOENT, op_crypt(self->fd, session, APQ_OP_ENCRYPT, NULL, 0,
				    data, data, 16));
}

TEST_F(device, session_of_another_file)
{
	int session = session_create(self->fd, APQ_ALG_AES_ECB, key, 16);
	int other = device_open();
	uint8_t data[16] = {};

	ASSERT_LT(0, session);
	ASSERT_LE(0, other);
	EXPECT_EQ(-ENOENT, op_crypt(other, session, APQ_OP_ENCRYPT, NULL, 0, data,
				    data, 16));
	EXPECT_EQ(-ENOENT, session_destroy(other, session));
	EXPECT_EQ(16, op_crypt(self->fd, session, APQ_OP_ENCRYPT, NULL, 0, data,
			       data, 16));
}

/* Off unless the module was told otherwise; the number is known. */
TEST_F(device, rc4_is_off)
{
	EXPECT_EQ(-ENODEV, session_create(self->fd, APQ_ALG_RC4, key, 16));
}

static int session_export(int fd, unsigned long session)
{
	int ret = ioctl(fd, APQ_IOC_SESSION_EXPORT, session);

	return ret < 0 ? -errno : ret;
}

static int session_import(int fd, unsigned long key_fd)
{
	int ret = ioctl(fd, APQ_IOC_SESSION_IMPORT, key_fd);

	return ret < 0 ? -errno : ret;
}

/* A key goes to another file by its descriptor, and outlives its session. */
TEST_F(device, export_and_import)
{
	int session = session_create(self->fd, APQ_ALG_AES_ECB, key, 16);
	int other = device_open(), key_fd, imported;
	uint8_t in[16] = {}, out[2][16];

	ASSERT_LT(0, session);
	ASSERT_LE(0, other);
	ASSERT_EQ(16, op_crypt(self->fd, session, APQ_OP_ENCRYPT, NULL, 0, in,
			       out[0], 16));
	key_fd = session_export(self->fd, session);
	ASSERT_LE(0, key_fd);
	EXPECT_EQ(FD_CLOEXEC, fcntl(key_fd, F_GETFD));
	ASSERT_EQ(0, session_destroy(self->fd, session));
	imported = session_import(other, key_fd);
	ASSERT_LT(0, imported);
	close(key_fd);
	EXPECT_EQ(16, op_crypt(other, imported, APQ_OP_ENCRYPT, NULL, 0, in,
			       out[1], 16));
	EXPECT_EQ(0, memcmp(out[0], out[1], 16));
	close(other);
}

TEST_F(device, export_refused)
{
	int session = session_create(self->fd, APQ_ALG_AES_ECB, key, 16);

	ASSERT_LT(0, session);
	EXPECT_EQ(-ENOENT, session_export(self->fd, 0));
	EXPECT_EQ(-ENOENT, session_export(self->fd, session + 1));
	EXPECT_EQ(-EBADF, session_import(self->fd, 1000));
	EXPECT_EQ(-EBADF, session_import(self->fd, -1UL));
	/* A descriptor, and not of a session. */
	EXPECT_EQ(-EINVAL, session_import(self->fd, self->fd));
	EXPECT_EQ(-EINVAL, session_import(self->fd, 0));
}

/* Sessions of one algorithm do not share a key. */
TEST_F(device, keys_apart)
{
	int a = session_create(self->fd, APQ_ALG_AES_ECB, key, 16);
	int b = session_create(self->fd, APQ_ALG_AES_ECB, key + 8, 16);
	uint8_t in[16] = {}, out[3][16];

	ASSERT_LT(0, a);
	ASSERT_LT(0, b);
	ASSERT_EQ(16, op_crypt(self->fd, a, APQ_OP_ENCRYPT, NULL, 0, in, out[0],
			       16));
	ASSERT_EQ(16, op_crypt(self->fd, b, APQ_OP_ENCRYPT, NULL, 0, in, out[1],
			       16));
	ASSERT_EQ(16, op_crypt(self->fd, a, APQ_OP_ENCRYPT, NULL, 0, in, out[2],
			       16));
	EXPECT_NE(0, memcmp(out[0], out[1], 16));
	EXPECT_EQ(0, memcmp(out[0], out[2], 16));
}

/* Sessions are for the file, whoever inherited it. */
TEST_F(device, session_after_fork)
{
	int session = session_create(self->fd, APQ_ALG_AES_ECB, key, 16);
	uint8_t in[16] = {}, out[16], *shared;
	int status, i;
	pid_t pid;

	ASSERT_LT(0, session);
	shared = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)shared);
	pid = fork();
	ASSERT_LE(0, pid);
	for (i = 0; i < 50; i++) {
		uint8_t *to = pid ? out : shared;

		if (op_crypt(self->fd, session, APQ_OP_ENCRYPT, NULL, 0, in, to,
			     16) != 16)
			break;
	}
	if (!pid)
		_exit(i != 50);
	EXPECT_EQ(50, i);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, memcmp(out, shared, 16));
	/* The child's exit has ended nothing. */
	EXPECT_EQ(16, op_crypt(self->fd, session, APQ_OP_ENCRYPT, NULL, 0, in,
			       out, 16));
}

TEST_HARNESS_MAIN
