// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/apq: what happens to requests in flight when their file is closed or
 * their process ends, forks or becomes another program. apq-timeout: 60
 */

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include "kselftest_harness.h"
#include "common/batch.h"

/* Nobody waits for replies to a file that is gone. */
TEST_F(async, close_in_flight)
{
	uint64_t start;
	int fd;

	if (hold_replies())
		SKIP(return, NO_DEBUGFS);
	fill(self, LARGE);
	ASSERT_EQ(4, submit(self->fd, self->e, 4, NULL));
	fill(self, SMALL);
	ASSERT_EQ(20, submit(self->fd, self->e + 4, 20, NULL));
	fd = device_open();
	start = now_ns();
	close(self->fd);
	self->fd = fd;
	EXPECT_GT(10 * NSEC_PER_SEC, now_ns() - start);
	EXPECT_TRUE(wait_for(attr_is(CARD0 "requestq_count", "0"), 10));
}

TEST_F(async, killed_in_flight)
{
	int ready[2], status;
	char c;
	pid_t pid;

	if (hold_replies())
		SKIP(return, NO_DEBUGFS);
	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		int fd = device_open();

		self->ecb = session_create(fd, APQ_ALG_AES_ECB, nist_aes_key,
					   16);
		fill(self, LARGE);
		if (submit(fd, self->e, 4, NULL) != 4 ||
		    write(ready[1], "x", 1) != 1)
			_exit(1);
		reap(fd, self->c, 4, 4, -1);
		_exit(2);
	}
	ASSERT_EQ(1, read(ready[0], &c, 1));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_TRUE(wait_for(attr_is(CARD0 "requestq_count", "0"), 10));
	fault_off_all();
	whole_batch(_metadata, self, SMALL);
}

/* Results are for the process that submitted. */
TEST_F(async, child_has_to_wait)
{
	long long held;
	int status;
	pid_t pid;

	if (hold_replies())
		SKIP(return, NO_DEBUGFS);
	/* Ours only, before anybody else's. */
	held = fault_injected("delay");
	ASSERT_EQ(0, fault_on("delay", 1));
	ASSERT_EQ(1, submit(self->fd, self->e, 1, NULL));
	ASSERT_TRUE(wait_for(fault_injected("delay") > held, 20));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct apq_entry e = self->e[0];

		if (submit(self->fd, self->e, 1, NULL) != -EPERM)
			_exit(1);
		if (reap(self->fd, self->c, 1, 1, 0) != -EPERM)
			_exit(2);
		if (cancel(self->fd, 0, APQ_CANCEL_ALL) != -EPERM)
			_exit(3);
		_exit(entry_run(self->fd, &e) == SMALL ? 0 : 4);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status) TH_LOG("step %d", WEXITSTATUS(status));
	EXPECT_EQ(1, cancel(self->fd, 0, APQ_CANCEL_ALL));
	EXPECT_EQ(1, reap(self->fd, self->c, 1, 1, -1));
	/* With nothing in flight the next one may. */
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(submit(self->fd, self->e, 1, NULL) != 1);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	/* He is dead, and did not reap: that is over, then. */
	whole_batch(_metadata, self, SMALL);
}

/* What a program submitted is of no use to the one that replaces it. */
TEST_F(async, exec_in_flight)
{
	int ready[2], stay[2], status;
	pid_t pid;
	char c;

	if (hold_replies())
		SKIP(return, NO_DEBUGFS);
	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(stay));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		fill(self, LARGE);
		if (submit(self->fd, self->e, 4, NULL) != 4 ||
		    fcntl(self->fd, F_SETFD, 0) ||
		    write(ready[1], "x", 1) != 1 ||
		    dup2(stay[0], STDIN_FILENO) < 0)
			_exit(1);
		close(stay[1]);
		/* Stays until we close the pipe, with the file open. */
		execl("/bin/sh", "sh", "-c", "read x", NULL);
		_exit(2);
	}
	ASSERT_EQ(1, read(ready[0], &c, 1));
	EXPECT_TRUE(wait_for(submit(self->fd, self->e, 1, NULL) == 1, 20));
	EXPECT_EQ(0, waitpid(pid, &status, WNOHANG));
	EXPECT_EQ(1, cancel(self->fd, 0, APQ_CANCEL_ALL));
	/* Ours alone. */
	EXPECT_EQ(1, reap(self->fd, self->c, 1, 8, -1));
	close(stay[1]);
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	fault_off_all();
	whole_batch(_metadata, self, SMALL);
}

TEST_HARNESS_MAIN
