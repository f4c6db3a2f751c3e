// SPDX-License-Identifier: GPL-2.0
/*
 * What each completion mode adds to the time the engine needs. Only ratios
 * to the tick and to the engine's own time are judged. That a mode waits at
 * least so long must be true always; that it waits no longer is tried several
 * times and left open where a busy host takes the CPUs away all the time.
 * apq-timeout: 240
 * apq-module: hwrng=0
 */

#include <sys/prctl.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/clock.h"
#include "common/device.h"
#include "common/note.h"
#include "common/rsa.h"

#define MAX_SAMPLES	512
#define ATTEMPTS	6
/* Percent of a CPU taken away from which on a wait that is too long says nothing. */
#define BUSY_HOST	10

enum request {
	RSA_2048_CRT,
	RSA_512_CRT,
	AES_64,
};

static const char * const request_names[] = {
	"RSA-2048 CRT", "RSA-512 CRT", "AES-CBC 64 B",
};

/* Of one series; times in ns. */
struct series {
	unsigned int nr;
	double latency;			/* mean */
	double quartile;		/* a quarter of the latencies is less */
	double service;			/* mean, of the engine */
	double rate;			/* answers a second, without our pauses */
	double tick;
};

enum verdict {
	GOOD,
	TOO_SHORT,
	TOO_LONG,
	HOST_TOO_BUSY,
	REQUEST_FAILED,
};

FIXTURE(latency)
{
	int z90crypt;
	int apq;
	int session;
	struct rsa_key key[2];		/* by enum request */
	uint64_t tick;
};

FIXTURE_VARIANT(latency)
{
	const char *mode;
	const char *poll_timeout;
	enum request request;
	unsigned int nr;
	/*
	 * Request number i is sent i / nr of a tick after a tick. A caller
	 * that sends the next one on the answer to the last is in step with
	 * the ticks and always waits for a whole one; what a caller at any
	 * time waits can only be seen with starts that are spread evenly.
	 */
	bool phases;
	/* Whether the mode waits long enough, and not too long. */
	bool (*long_enough)(const struct series *s);
	bool (*short_enough)(const struct series *s);
};

static bool any_length(const struct series *s)
{
	return s->service > 0;
}

static bool service_and_a_tenth(const struct series *s)
{
	return s->latency <= 1.10 * s->service;
}

/* A reply never waits for a timer: within 10 % of the engine's own time. */
FIXTURE_VARIANT_ADD(latency, thread_rsa)
{
	.mode = "thread", .request = RSA_2048_CRT, .nr = 20,
	.long_enough = any_length, .short_enough = service_and_a_tenth,
};

static bool less_than_half_a_tick(const struct series *s)
{
	return s->quartile < 0.5 * s->tick;
}

/* Nor do short ones, which no timer could notice so early. */
FIXTURE_VARIANT_ADD(latency, thread_aes)
{
	.mode = "thread", .request = AES_64, .nr = 400,
	.long_enough = any_length, .short_enough = less_than_half_a_tick,
};

/* On average, but for a tenth of that, which is left to chance. */
static bool half_a_tick(const struct series *s)
{
	return s->latency - s->service >= 0.45 * s->tick;
}

/* A quarter waits less than a quarter of a tick, if it is the next one. */
static bool next_tick(const struct series *s)
{
	return s->quartile - s->service < 0.75 * s->tick;
}

FIXTURE_VARIANT_ADD(latency, timer_aes_at_any_time)
{
	.mode = "timer", .request = AES_64, .nr = 128, .phases = true,
	.long_enough = half_a_tick, .short_enough = next_tick,
};

FIXTURE_VARIANT_ADD(latency, timer_rsa_at_any_time)
{
	.mode = "timer", .request = RSA_512_CRT, .nr = 128, .phases = true,
	.long_enough = half_a_tick, .short_enough = next_tick,
};

/* One answer a tick at most; 5 % for the clock. */
static bool no_faster_than_ticks(const struct series *s)
{
	return s->rate <= 1.05e9 / s->tick &&
	       s->latency - s->service >= 0.5 * s->tick;
}

static bool every_tick(const struct series *s)
{
	return s->quartile < 1.5 * s->tick;
}

/* One caller gets one answer a tick, however short its requests are. */
FIXTURE_VARIANT_ADD(latency, timer_aes)
{
	.mode = "timer", .request = AES_64, .nr = 250,
	.long_enough = no_faster_than_ticks, .short_enough = every_tick,
};

static bool no_faster_than_1_ms(const struct series *s)
{
	return s->latency >= 1e6;
}

static bool about_1_ms(const struct series *s)
{
	return s->quartile < 1.6e6;
}

FIXTURE_VARIANT_ADD(latency, hrtimer_1_ms)
{
	.mode = "hrtimer", .poll_timeout = "1000000", .request = AES_64,
	.nr = 400,
	.long_enough = no_faster_than_1_ms, .short_enough = about_1_ms,
};

static bool no_faster_than_20_ms(const struct series *s)
{
	return s->latency >= 20e6;
}

static bool about_20_ms(const struct series *s)
{
	return s->quartile < 23e6;
}

/* The interval is the one that was asked for. */
FIXTURE_VARIANT_ADD(latency, hrtimer_20_ms)
{
	.mode = "hrtimer", .poll_timeout = "20000000", .request = AES_64,
	.nr = 25,
	.long_enough = no_faster_than_20_ms, .short_enough = about_20_ms,
};

FIXTURE_SETUP(latency)
{
	static const uint8_t key[16];

	self->z90crypt = z90crypt_open();
	ASSERT_LE(0, self->z90crypt);
	self->apq = device_open();
	ASSERT_LE(0, self->apq);
	self->session = session_create(self->apq, APQ_ALG_AES_CBC, key, 16);
	ASSERT_LT(0, self->session);
	rsa_key_load(&self->key[RSA_2048_CRT], 2048);
	rsa_key_load(&self->key[RSA_512_CRT], 512);
	self->tick = tick_ns();
	ASSERT_LT(0, self->tick);
	ASSERT_EQ(0, mode_set(variant->mode));
	if (variant->poll_timeout)
		ASSERT_EQ(0, attr_write(BUS "poll_timeout",
					variant->poll_timeout));
}

FIXTURE_TEARDOWN(latency)
{
	attr_write(BUS "poll_timeout", "250000");
	mode_set("hrtimer");
}

static int send(struct _test_data_latency *self, enum request request)
{
	uint8_t data[64] = {}, out[RSA_MAX_LEN];
	struct rsa_key *k;

	if (request == AES_64)
		return op_crypt(self->apq, self->session, APQ_OP_ENCRYPT, NULL,
				0, data, data, 64) == 64 ? 0 : -EIO;
	k = &self->key[request];
	return rsa_crt(self->z90crypt, k, k->in, out);
}

/*
 * Sleeps to the point @ns behind the start of a tick: the coarse clock tells
 * when the last one was. Waiting without sleeping would make a busy host take
 * the CPU away from us just then.
 */
static void wait_for_phase(uint64_t tick, uint64_t ns)
{
	struct timespec ts;
	uint64_t at;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	at = ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec + 2 * tick + ns;
	ts.tv_sec = at / NSEC_PER_SEC;
	ts.tv_nsec = at % NSEC_PER_SEC;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool measure(struct _test_data_latency *self,
		    const struct _fixture_variant_latency *v, struct series *s)
{
	long long count = attr_number(CARD0 "request_count");
	long long service = attr_number(CARD0 "service_ns");
	static uint64_t ns[MAX_SAMPLES];
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < v->nr; i++) {
		uint64_t start;

		if (v->phases)
			wait_for_phase(self->tick, self->tick * i / v->nr);
		start = now_ns();
		if (send(self, v->request))
			return false;
		ns[i] = now_ns() - start;
		sum += ns[i];
	}
	count = attr_number(CARD0 "request_count") - count;
	service = attr_number(CARD0 "service_ns") - service;
	if (count != v->nr)
		return false;
	qsort(ns, v->nr, sizeof(ns[0]), compare);
	s->nr = v->nr;
	s->latency = (double)sum / v->nr;
	s->quartile = ns[v->nr / 4];
	s->service = (double)service / v->nr;
	s->rate = v->nr * 1e9 / sum;
	s->tick = self->tick;
	return true;
}

/*
 * Share of the CPU that the host takes from us, in percent: the gaps in a
 * loop that does nothing but look at the clock.
 */
static unsigned int stolen(void)
{
	const uint64_t total = 100 * NSEC_PER_MSEC, gap = NSEC_PER_MSEC / 2;
	uint64_t start = now_ns(), last = start, lost = 0;

	while (last < start + total) {
		uint64_t now = now_ns();

		if (now - last > gap)
			lost += now - last;
		last = now;
	}
	return 100 * lost / (last - start);
}

static enum verdict judge(struct _test_data_latency *self,
			  const struct _fixture_variant_latency *v)
{
	enum verdict verdict = HOST_TOO_BUSY;
	unsigned int i;

	note("%-8s %-14s %5s %9s %9s %9s %9s %9s %7s", "mode", "request", "n",
	     "mean us", "quartile", "service", "added", "1/s", "stolen");
	for (i = 0; i < ATTEMPTS; i++) {
		unsigned int lost = stolen();
		struct series s;

		if (!measure(self, v, &s))
			return REQUEST_FAILED;
		lost = (lost + stolen()) / 2;
		note("%-8s %-14s %5u %9.1f %9.1f %9.1f %9.1f %9.1f %5u %%",
		     v->mode, request_names[v->request], s.nr, s.latency / 1e3,
		     s.quartile / 1e3, s.service / 1e3,
		     (s.latency - s.service) / 1e3, s.rate, lost);
		if (!v->long_enough(&s))
			return TOO_SHORT;
		if (v->short_enough(&s))
			return GOOD;
		if (lost < BUSY_HOST)
			verdict = TOO_LONG;
	}
	return verdict;
}

TEST_F_TIMEOUT(latency, wait, 120)
{
	enum verdict verdict;

	/* Wake-ups of the caller are not to be put together with others. */
	ASSERT_EQ(0, prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0));
	note("a tick is %.1f us", self->tick / 1e3);
	verdict = judge(self, variant);
	if (verdict == HOST_TOO_BUSY)
		SKIP(return, "the host takes the CPUs away all the time");
	EXPECT_EQ(GOOD, verdict);
}

TEST_HARNESS_MAIN
