// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * What the library makes of what AF_ALG says, and which back end it takes
 *
 * This program defines socket(), bind() and dlopen(), and a shared library uses
 * the definitions of the program before those of libc. /proc is a directory of
 * files.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_alg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libapq.h"
#include "mock.h"
#include "tap.h"

static int socket_errno, bind_errno, no_library, binds;
static struct sockaddr_alg bound;
/* /proc/crypto after the n-th bind(); the last one stays */
static const char *after_bind[8];

int socket(int domain, int type, int protocol)
{
	(void)protocol;
	if (domain != AF_ALG || !(type & SOCK_CLOEXEC))
		tap_bail("a socket of family %d, type %d", domain, type);
	if (!socket_errno)
		return open("/dev/null", O_RDWR | O_CLOEXEC);
	errno = socket_errno;
	return -1;
}

int bind(int fd, const struct sockaddr *addr, socklen_t len)
{
	(void)fd;
	if (len != sizeof(bound))
		tap_bail("an address of %u bytes", len);
	memcpy(&bound, addr, sizeof(bound));
	if (binds < 8 && after_bind[binds])
		mock_file("/proc/crypto", after_bind[binds]);
	binds++;
	errno = bind_errno;
	return bind_errno ? -1 : 0;
}

void *dlopen(const char *file, int mode)
{
	static void *(*real)(const char *, int);

	if (no_library)
		return NULL;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	return real(file, mode);
}

#define DRIVER(name, driver, refcnt, async)				\
	"name         : " name "\n"					\
	"driver       : " driver "\n"					\
	"module       : kernel\n"					\
	"priority     : 400\n"						\
	"refcnt       : " refcnt "\n"					\
	"selftest     : passed\n"					\
	"internal     : no\n"						\
	"type         : skcipher\n"					\
	"async        : " async "\n"					\
	"blocksize    : 16\n\n"
#define LARVAL(refcnt)							\
	"name         : cbc(aes)\n"					\
	"driver       : cbc(aes)\n"					\
	"module       : kernel\n"					\
	"refcnt       : " refcnt "\n"					\
	"type         : larval\n"					\
	"flags        : 0x415\n\n"

#define OTHER(refcnt)	DRIVER("ecb(aes)", "ecb-aes-aesni", refcnt, "no")
#define AESNI(refcnt)	DRIVER("cbc(aes)", "cbc-aes-aesni", refcnt, "no")
#define APQ(refcnt)	DRIVER("cbc(aes)", "cbc-aes-apq", refcnt, "yes")

#define UNTOLD(type, refcnt)						\
	"name         : cbc(aes)\n"					\
	"driver       : cbc(aes-lib)\n"					\
	"refcnt       : " refcnt "\n"					\
	"type         : " type "\n"					\
	"blocksize    : 16\n"

static struct apq_afalg_info info;

/* @name is bound to, with /proc/crypto as @before, then as in @after_bind */
static int probe(const char *name, const char *before)
{
	memset(&info, 0x55, sizeof(info));
	binds = 0;
	if (before)
		mock_file("/proc/crypto", before);
	else
		mock_remove("/proc/crypto");
	return apq_afalg_probe("skcipher", name, &info);
}

static void then(const char *first, const char *second)
{
	int i;

	for (i = 0; i < 8; i++)
		after_bind[i] = second;
	after_bind[0] = first;
}

static void test_arguments(void)
{
	char name[200] = "";

	tap_is(apq_afalg_probe("skcipher", "cbc(aes)", NULL), -EINVAL,
	       "no place for the answer");
	tap_is(apq_afalg_probe(NULL, "cbc(aes)", &info), -EINVAL,
	       "a name without a type");
	memset(name, 'x', 64);
	tap_is(apq_afalg_probe("skcipher", name, &info), -EINVAL,
	       "a name of 64 letters");
	name[14] = '\0';
	tap_is(apq_afalg_probe(name, "cbc(aes)", &info), -EINVAL,
	       "a type of 14 letters");
	binds = 0;
	tap_ok(!apq_afalg_probe(NULL, NULL, &info) && !binds && !info.family &&
	       !info.name, "no name: nothing is bound");
}

static void test_refused(void)
{
	socket_errno = EAFNOSUPPORT;
	tap_ok(!probe("cbc(aes)", AESNI("1")) && info.family == -ENODEV &&
	       info.name == -ENODEV && !info.driver[0], "no AF_ALG");
	socket_errno = EPERM;
	tap_ok(!probe("cbc(aes)", AESNI("1")) && info.family == -EACCES,
	       "no permission");
	socket_errno = 0;
	bind_errno = ENOENT;
	tap_ok(!probe("cbc(aes)", AESNI("1")) && !info.family &&
	       info.name == -ENOENT && !info.driver[0] && info.async == -1,
	       "a name that is refused");
	tap_is(binds, 1, "it is not tried again");
	tap_ok(bound.salg_family == AF_ALG &&
	       !strcmp((char *)bound.salg_type, "skcipher") &&
	       !strcmp((char *)bound.salg_name, "cbc(aes)") &&
	       !bound.salg_feat && !bound.salg_mask, "what was bound to");
	bind_errno = EPERM;
	probe("cbc(aes)", NULL);
	tap_is(info.name, -EACCES, "a name that needs rights");
	bind_errno = 0;
}

static void test_restricted(void)
{
	probe(NULL, NULL);
	tap_is(info.restricted, -1, "no sysctl");
	mock_file("/proc/sys/crypto/af_alg_restrict", "1\n");
	probe(NULL, NULL);
	tap_is(info.restricted, 1, "crypto.af_alg_restrict is 1");
	mock_file("/proc/sys/crypto/af_alg_restrict", "what\n");
	probe(NULL, NULL);
	tap_is(info.restricted, -1, "a sysctl that does not parse");
	mock_file("/proc/sys/crypto/af_alg_restrict", "4294967296\n");
	probe(NULL, NULL);
	tap_is(info.restricted, -1, "a level that does not fit");
	mock_remove("/proc/sys/crypto/af_alg_restrict");
}

static int answered(const char *driver, int async)
{
	int good = !info.name && info.async == async &&
		   !strcmp(info.driver, driver);

	if (!good)
		printf("# name %d, driver '%s', async %d\n", info.name,
		       info.driver, info.async);
	return good;
}

static void test_driver(void)
{
	then(AESNI("2") APQ("1") OTHER("7"), NULL);
	probe("cbc(aes)", AESNI("1") APQ("1") OTHER("3"));
	tap_ok(answered("cbc-aes-aesni", 0), "the one that gained a user");
	then(AESNI("5") APQ("10"), NULL);
	probe("cbc(aes)", AESNI("5") APQ("9"));
	tap_ok(answered("cbc-aes-apq", 1), "an asynchronous one");
	then(AESNI("1") APQ("2"), NULL);
	probe("cbc-aes-apq", AESNI("1"));
	tap_ok(answered("cbc-aes-apq", 1), "a module that binding loads");
	then(LARVAL("3") AESNI("2"), NULL);
	probe("cbc(aes)", AESNI("1"));
	tap_ok(answered("cbc-aes-aesni", 0), "a name that is being looked for");
	tap_is(binds, 1, "one bind was enough");
	then(UNTOLD("lskcipher", "2"), NULL);
	probe("cbc(aes)", UNTOLD("lskcipher", "1"));
	tap_ok(answered("cbc(aes-lib)", 0), "a kind that is never asynchronous");
	then(UNTOLD("new", "2"), NULL);
	probe("cbc(aes)", UNTOLD("new", "1"));
	tap_ok(answered("cbc(aes-lib)", -1), "a kind that does not say");
	then(AESNI("2") APQ("1"), NULL);
	probe("cbc(aes)", AESNI("1"));
	tap_ok(answered("cbc-aes-aesni", 0), "a module that others load");
}

static void test_disturbed(void)
{
	then(AESNI("2") APQ("2"), AESNI("2") APQ("3"));
	probe("cbc(aes)", AESNI("1") APQ("1"));
	tap_ok(answered("cbc-aes-apq", 1) && binds == 2,
	       "others in between: tried again");
	then(AESNI("1"), AESNI("1"));
	probe("cbc(aes)", AESNI("1"));
	tap_ok(answered("", -1) && binds == 4, "not known after four times");
	then(NULL, NULL);
	probe("cbc(aes)", NULL);
	tap_ok(answered("", -1), "no /proc/crypto");
}

static int next_fd(void)
{
	int fd = dup(STDOUT_FILENO);

	close(fd);
	return fd;
}

static void test_traces(void)
{
	int fd = next_fd();

	then(AESNI("2"), NULL);
	probe("cbc(aes)", AESNI("1"));
	then(NULL, NULL);
	bind_errno = ENOENT;
	errno = 1234;
	apq_afalg_probe("skcipher", "cbc(aes)", &info);
	bind_errno = 0;
	tap_is(errno, 1234, "errno is not touched");
	tap_is(next_fd(), fd, "no file descriptor is left");
}

static int opens(unsigned int caps)
{
	struct apq *h = NULL;
	int ret = apq_open_for(&h, caps);

	if (!ret) {
		ret = (caps & ~apq_caps(h)) ? -1 : (int)apq_backend(h);
		apq_close(h);
	}
	return ret;
}

static void test_choice(void)
{
	struct apq *h;

	tap_is(opens(1U << 31), -EINVAL, "an unknown capability");
	tap_is(apq_open_for(NULL, 0), -EINVAL, "open to NULL");
	tap_is(apq_caps(NULL), 0, "capabilities of NULL");
	tap_is(opens(APQ_CAP_RSA), -ENODEV, "RSA, without a device");
	mock_file("/dev/z90crypt", "");
	tap_is(opens(APQ_CAP_CIPHER), APQ_BACKEND_AFALG, "ciphers");
	tap_is(opens(APQ_CAP_RSA), APQ_BACKEND_Z90CRYPT, "RSA");
	tap_is(opens(0), APQ_BACKEND_AFALG, "anything");
	if (apq_open(&h, APQ_BACKEND_Z90CRYPT))
		tap_bail("no z90crypt");
	tap_is(apq_caps(h), APQ_CAP_RSA, "z90crypt has RSA");
	apq_close(h);
	socket_errno = EAFNOSUPPORT;
	tap_is(opens(0), APQ_BACKEND_Z90CRYPT, "anything, without AF_ALG");
	tap_is(opens(APQ_CAP_CIPHER), -ENODEV, "ciphers, without AF_ALG");
	socket_errno = 0;
	mock_remove("/dev/z90crypt");
}

/* In a process of its own, since the library looks for libkcapi once. */
static void test_no_library(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		struct apq *h;

		no_library = 1;
		if (apq_open(&h, APQ_BACKEND_AFALG) != -ELIBACC)
			_exit(1);
		if (apq_open(&h, APQ_BACKEND_AUTO) != -ELIBACC)
			_exit(2);
		if (apq_afalg_probe(NULL, NULL, &info) || info.family ||
		    info.library != -ELIBACC)
			_exit(3);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child)
		tap_bail("no child");
	tap_is(status, 0, "AF_ALG, but no libkcapi");
	tap_ok(!apq_afalg_probe(NULL, NULL, &info) && !info.library,
	       "libkcapi is here");
}

int main(void)
{
	mock_init();
	tap_plan(40);
	test_no_library();
	test_arguments();
	test_refused();
	test_restricted();
	test_driver();
	test_disturbed();
	test_traces();
	test_choice();
	return tap_exit();
}
