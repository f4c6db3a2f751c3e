// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums and ratios between the figures of results.
 */
#include <math.h>
#include <string.h>

#include "result.h"
#include "tap.h"

static struct result make(const char *path, const char *op, size_t size,
			  const char *mode, double ops, double cpu)
{
	struct result r = {
		.spec = {
			.path = path_find(path), .op = op_find(op),
			.size = size, .threads = 1,
		},
		.ops_per_s = ops, .cpu_soaker_percent = cpu,
		.cpu_by_time_percent = cpu / 2, .soaker_speed_ratio = 1.05,
	};

	strcpy(r.mode, mode);
	return r;
}

static int is_near(double a, double b)
{
	return fabs(a - b) * 1000000000 <= fabs(b);
}

static void test_ratios(void)
{
	/* Timer in the middle; a second cell; a cell without timer. */
	struct result r[] = {
		make("apq", "aes-128-cbc", 1000, "hrtimer", 4000, 20),
		make("apq", "aes-128-cbc", 1000, "timer", 1000, 10),
		make("apq", "aes-128-cbc", 1000, "thread", 8000, 40),
		make("apq", "aes-128-cbc", 2000, "timer", 400, 10),
		make("apq", "aes-128-cbc", 2000, "thread", 1200, 20),
		make("z90crypt", "rsa-2048-crt", 256, "thread", 300, 30),
	};

	r[2].cpu_poll_wait_percent = 10;
	result_derive(r, 6, 0.5);
	tap_ok(is_near(r[0].throughput, 4.0), "1000 bytes 4000 times are 4 MB/s");
	tap_ok(is_near(r[5].throughput, 300), "RSA counts operations");
	tap_ok(is_near(r[2].cpu_percent, 50), "the poll thread's wait is cost");
	tap_ok(is_near(r[0].efficiency, 0.2), "4 MB/s for 20 %%");
	tap_ok(is_near(r[2].efficiency, 0.16), "8 MB/s for 50 %%");
	tap_ok(is_near(r[0].throughput_ratio, 4), "hrtimer four times timer");
	tap_ok(is_near(r[1].throughput_ratio, 1), "timer once itself");
	tap_ok(is_near(r[2].efficiency_ratio, 1.6), "thread per CPU 1.6 times timer");
	tap_ok(is_near(r[4].throughput_ratio, 3), "the next cell has its own timer");
	tap_ok(isnan(r[5].throughput_ratio) && isnan(r[5].efficiency_ratio),
	       "no timer, no ratio");
}

static void test_noise(void)
{
	struct result r[] = {
		make("apq", "aes-128-cbc", 64, "timer", 1000, 0.2),
		make("apq", "aes-128-cbc", 64, "thread", 1000, 30),
	};

	result_derive(r, 2, 0.5);
	tap_ok(isnan(r[0].efficiency), "below the noise: no efficiency");
	tap_ok(!isnan(r[1].efficiency) && isnan(r[1].efficiency_ratio),
	       "and no ratio to it");
	tap_ok(is_near(r[1].throughput_ratio, 1), "throughput ratio stays");
	r[1].cpu_soaker_percent = 80;
	r[1].cpu_poll_wait_percent = 30;
	result_derive(r, 2, 0.5);
	tap_ok(is_near(r[1].cpu_percent, 100), "no more than the whole machine");
}

static void test_speed(void)
{
	struct result r[] = {
		make("apq", "aes-128-cbc", 64, "timer", 1000, 60),
		make("apq", "aes-128-cbc", 64, "hrtimer", 1000, 60),
		make("apq", "aes-128-cbc", 64, "thread", 1000, 100),
	};

	r[0].soaker_speed_ratio = 1.2;
	r[1].soaker_speed_ratio = 0.8;
	r[2].soaker_speed_ratio = NAN;
	r[1].cpu_poll_wait_percent = 5;
	result_derive(r, 3, 0.5);
	tap_ok(is_near(r[0].cpu_percent, 30), "too fast: the account by time");
	tap_ok(is_near(r[1].cpu_percent, 35), "too slow: too, and the wait");
	tap_ok(is_near(r[2].cpu_percent, 100), "never got a CPU: all of it");
}

static void test_sizes(void)
{
	char buf[16];

	result_size_text(64, buf, sizeof(buf));
	tap_ok(!strcmp(buf, "64"), "64");
	result_size_text(20480, buf, sizeof(buf));
	tap_ok(!strcmp(buf, "20K"), "20K");
	result_size_text(1048576, buf, sizeof(buf));
	tap_ok(!strcmp(buf, "1M"), "1M");
}

int main(void)
{
	tap_plan(20);
	test_ratios();
	test_noise();
	test_speed();
	test_sizes();
	return tap_exit();
}
