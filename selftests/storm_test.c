// SPDX-License-Identifier: GPL-2.0
/*
 * Everything at once: eight threads that send requests through all doors, all
 * faults of the cards, switches of the completion mode, cards and queues that
 * go offline, are deconfigured, reset, removed and added, and signals to the
 * callers. Every request gets one answer, right or a documented error; the
 * counts of the module agree with those of the callers; nothing is left.
 * STORM_SECONDS sets how long, at most ten minutes.
 * apq-module: none
 * apq-timeout: 900
 */

#include <signal.h>
#include <sys/wait.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/fault.h"
#include "common/load.h"
#include "common/module.h"
#include "common/note.h"
#include "common/process.h"
#include "common/trace.h"

#define WORKERS		8
#define SECONDS		20	/* without STORM_SECONDS */
#define WARM_UP		3	/* fills the caches of the allocators */
#define LONGEST		600
#define DEADLINE	60	/* seconds for the last answers to come */
#define SIGNALLED	4	/* of the workers */
#define RANDOM_LEN	512
/* What the rest of the system may add, in objects. */
#define SLAB_NOISE	200
#define MEMORY_NOISE	(32 << 10)	/* KiB */

/* Probabilities of 1000. A lost reply stops its queue for request_timeout. */
static const struct {
	const char *kind;
	unsigned int probability;
} faults[] = {
	{ "lose", 1 }, { "delay", 10 }, { "duplicate", 20 }, { "reorder", 20 },
	{ "status", 20 }, { "full", 20 }, { "reset", 5 }, { "vanish", 1 },
	{ "mute", 10 },
};

static const char * const modes[] = {
	"timer", "irq", "hybrid", "hrtimer", "adaptive", "caller", "thread",
};

/* Where a queue may be; the last card comes and goes. */
static const char * const queues[] = {
	QUEUE0, QUEUE0_1, QUEUE1, QUEUE1_1,
};

enum storm_trace { SUBMIT, COMPLETE, ANSWERED, AGAIN, GIVEN_UP, NR_TRACES };

static const struct {
	const char *instance, *event, *filter;
} traces[NR_TRACES] = {
	[SUBMIT]   = { "apq_storm_submit", "apq_submit", NULL },
	[COMPLETE] = { "apq_storm_complete", "apq_complete", NULL },
	[ANSWERED] = { "apq_storm_answered", "apq_complete", "ret == 0" },
	[AGAIN]    = { "apq_storm_again", "apq_complete", "ret == -11" },
	[GIVEN_UP] = { "apq_storm_given_up", "apq_complete", "ret == -5" },
};

/* What a request may end with. */
enum outcome { ANSWER, NO_DEVICE, IO_ERROR, TIMED_OUT, INTERRUPTED, NR_OUTCOMES };

static const int errors[NR_OUTCOMES] = {
	0, -ENODEV, -EIO, -ETIMEDOUT, -EINTR,
};

struct worker {
	pthread_t thread;
	struct load_thread *t;
	unsigned long sent;
	unsigned long count[NR_OUTCOMES];
	int error;			/* the first other one */
	unsigned int error_kind;
};

struct storm {
	struct load load;		/* for its RSA requests */
	struct worker worker[WORKERS];
	atomic_bool stop;
	atomic_int broken;		/* errno of a knob that did not move */
	unsigned int doors;		/* as load_doors() */
	unsigned long switches;
	unsigned long acts;
	unsigned long signals;
};

/* Kinds beside those of load.h. */
#define KIND_PINNED	(1 << 8)
#define KIND_RANDOM	(1 << 9)

static const unsigned int kinds[] = {
	LOAD_ME, LOAD_AES, LOAD_CRT, LOAD_IN_PLACE, LOAD_AFALG, KIND_PINNED,
	KIND_RANDOM,
};

#define NR_KINDS	(sizeof(kinds) / sizeof(kinds[0]))

static void ignore(int signal)
{
	(void)signal;
}

static int run_random(struct load_thread *t)
{
	struct apq_op op = {
		.op = APQ_OP_RANDOM,
		.dst = address(t->got),
		.dst_len = RANDOM_LEN,
	};
	unsigned int i;
	int ret;

	memset(t->got, 0, RANDOM_LEN);
	ret = op_run(t->apq, &op);
	if (ret < 0)
		return ret;
	for (i = 0; i < RANDOM_LEN && !t->got[i]; i++)
		;
	return ret == RANDOM_LEN && i < RANDOM_LEN ? 0 : -EBADMSG;
}

/* Pinned and not in place: encrypts anew what the last AES request used. */
static int run_pinned(struct load_thread *t)
{
	uint8_t iv[16] = {};
	int ret, out;

	if (!EVP_EncryptInit_ex(t->evp, EVP_aes_128_cbc(), NULL, load_key,
				iv) ||
	    !EVP_CIPHER_CTX_set_padding(t->evp, 0) ||
	    !EVP_EncryptUpdate(t->evp, t->want, &out, t->plain, LOAD_PINNED))
		abort();
	memset(t->got, 0, LOAD_PINNED);
	ret = op_crypt(t->apq, t->session, APQ_OP_ENCRYPT, iv, sizeof(iv),
		       t->plain, t->got, LOAD_PINNED);
	if (ret < 0)
		return ret;
	return ret == LOAD_PINNED && !memcmp(t->got, t->want, LOAD_PINNED) ?
	       0 : -EBADMSG;
}

/* A socket whose request failed may still hold its data. */
static int run_afalg(struct load_thread *t, unsigned int i)
{
	int ret = load_run_aes(t, LOAD_AFALG, i);

	if (ret) {
		close(t->afalg[1]);
		do {
			t->afalg[1] = accept(t->afalg[0], NULL, NULL);
		} while (t->afalg[1] < 0 && errno == EINTR);
	}
	return ret;
}

static int run(struct load_thread *t, unsigned int kind, unsigned int i)
{
	switch (kind) {
	case LOAD_ME:
	case LOAD_CRT:
		return load_run_rsa(t, kind, i);
	case LOAD_AFALG:
		return run_afalg(t, i);
	case KIND_PINNED:
		return run_pinned(t);
	case KIND_RANDOM:
		return run_random(t);
	default:
		return load_run_aes(t, kind, i);
	}
}

static void account(struct worker *w, unsigned int kind, int ret)
{
	unsigned int i;

	w->sent++;
	for (i = 0; i < NR_OUTCOMES; i++) {
		if (ret != errors[i])
			continue;
		w->count[i]++;
		/* A refusal takes no time; the others need the CPU too. */
		if (i == NO_DEVICE)
			pause_ns(NSEC_PER_MSEC);
		return;
	}
	if (!w->error) {
		w->error = ret;
		w->error_kind = kind;
	}
}

static struct storm *storm;

static void *worker_fn(void *data)
{
	struct worker *w = data;
	unsigned int i = w - storm->worker;

	while (!atomic_load(&storm->stop)) {
		unsigned int kind = kinds[i++ % NR_KINDS];

		if (kind & LOAD_ALL & ~storm->doors)
			continue;
		account(w, kind, run(w->t, kind, i));
	}
	return NULL;
}

/* Notes the first knob that did not take its value. */
static void act(const char *path, const char *value)
{
	int ret = attr_write(path, value), none = 0;

	if (ret)
		atomic_compare_exchange_strong(&storm->broken, &none, ret);
	storm->acts++;
}

static void act_at(const char *dir, const char *file, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%s", dir, file);
	act(path, value);
}

/* Away for a moment, and back. */
static void toggle(const char *dir, const char *file, unsigned int *seed)
{
	act_at(dir, file, "0");
	pause_ns(rand_r(seed) % 10 * NSEC_PER_MSEC);
	act_at(dir, file, "1");
}

static void *operator_fn(void *unused)
{
	unsigned int seed = 1, what;
	bool added = false;

	while (!atomic_load(&storm->stop)) {
		what = rand_r(&seed);
		switch (what % 5) {
		case 0:
			toggle(queues[what / 5 % 4], "online", &seed);
			break;
		case 1:
			toggle(what / 5 % 2 ? CARD0 : CARD1, "online", &seed);
			break;
		case 2:
			toggle(what / 5 % 2 ? CARD0 : CARD1, "config", &seed);
			break;
		case 3:
			act_at(queues[what / 5 % 4], "reset", "1");
			break;
		default:
			if (added)
				act(BUS "card_remove", "2");
			else
				act(BUS "card_add", "2 2");
			added = !added;
		}
		pause_ns(rand_r(&seed) % 20 * NSEC_PER_MSEC);
	}
	if (added)
		act(BUS "card_remove", "2");
	return unused;
}

static void *switch_fn(void *unused)
{
	const unsigned int nr = sizeof(modes) / sizeof(modes[0]);

	while (!atomic_load(&storm->stop)) {
		int ret = mode_set(modes[storm->switches++ % nr]), none = 0;

		if (ret)
			atomic_compare_exchange_strong(&storm->broken, &none,
						       ret);
		pause_ns(10 * NSEC_PER_MSEC);
	}
	return unused;
}

static void *signal_fn(void *unused)
{
	unsigned int seed = 2;

	while (!atomic_load(&storm->stop)) {
		unsigned int i = rand_r(&seed) % SIGNALLED;

		pthread_kill(storm->worker[i].thread, SIGUSR1);
		storm->signals++;
		pause_ns(rand_r(&seed) % 40 * NSEC_PER_MSEC);
	}
	return unused;
}

static void *(*const chaos[])(void *) = { operator_fn, switch_fn, signal_fn };

#define NR_CHAOS	(sizeof(chaos) / sizeof(chaos[0]))

static unsigned int seconds(void)
{
	const char *text = getenv("STORM_SECONDS");
	long value = text ? atol(text) : SECONDS;

	return value > 0 && value <= LONGEST ? value : SECONDS;
}

static void faults_on(struct __test_metadata *_metadata)
{
	unsigned int i;

	ASSERT_EQ(0, fault_set("delay", "delay_ms", 20));
	ASSERT_EQ(0, fault_set("vanish", "duration_ms", 100));
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		ASSERT_EQ(0, fault_set(faults[i].kind, "probability",
				       faults[i].probability));
}

static bool join(pthread_t thread)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	ts.tv_sec += DEADLINE;
	return !pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &ts);
}

static bool all_answered(void)
{
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		if (join(storm->worker[i].thread))
			continue;
		note("worker %u has no answer to its request %lu", i,
		     storm->worker[i].sent + 1);
		return false;
	}
	return true;
}

static void blow(struct __test_metadata *_metadata, unsigned int length)
{
	pthread_t thread[NR_CHAOS];
	unsigned int i;

	for (i = 0; i < WORKERS; i++)
		ASSERT_EQ(0, pthread_create(&storm->worker[i].thread, NULL,
					    worker_fn, &storm->worker[i]));
	for (i = 0; i < NR_CHAOS; i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, chaos[i], NULL));
	pause_ns(length * NSEC_PER_SEC);
	atomic_store(&storm->stop, true);
	for (i = 0; i < NR_CHAOS; i++)
		ASSERT_TRUE(join(thread[i]));
	ASSERT_EQ(0, fault_off_all());
	ASSERT_TRUE(all_answered());
}

static bool queue_calm(const char *queue)
{
	static const char * const zero[] = {
		"pendingq_count", "requestq_count", "load",
	};
	char path[128];
	unsigned int i;

	for (i = 0; i < sizeof(zero) / sizeof(zero[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", queue, zero[i]);
		if (!attr_is(path, "0"))
			return false;
	}
	snprintf(path, sizeof(path), "%sstates", queue);
	return attr_is(path, "OPERATING [IDLE]");
}

static bool calm(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(queues) / sizeof(queues[0]); i++)
		if (!queue_calm(queues[i]))
			return false;
	return attr_is(CARD0 "load", "0") && attr_is(CARD1 "load", "0");
}

static void check_workers(struct __test_metadata *_metadata,
			  unsigned long sum[NR_OUTCOMES])
{
	unsigned int i, n;

	for (i = 0; i < WORKERS; i++) {
		const struct worker *w = &storm->worker[i];
		unsigned long all = 0;

		EXPECT_EQ(0, w->error) {
			TH_LOG("worker %u: %s of kind 0x%x", i,
			       strerror(-w->error), w->error_kind);
		}
		for (n = 0; n < NR_OUTCOMES; n++) {
			all += w->count[n];
			sum[n] += w->count[n];
		}
		EXPECT_EQ(w->sent, all);
		/* Else the storm was none. */
		EXPECT_LT(0, w->count[ANSWER]);
	}
	note("%lu answered, %lu ENODEV, %lu EIO, %lu ETIMEDOUT, %lu EINTR",
	     sum[ANSWER], sum[NO_DEVICE], sum[IO_ERROR], sum[TIMED_OUT],
	     sum[INTERRUPTED]);
	note("%lu acts of the operator, %lu switches of the mode, %lu signals",
	     storm->acts, storm->switches, storm->signals);
}

/*
 * Each answer was handed out once. What was submitted came back, for good or
 * for another try, or was cancelled by a caller that said so.
 */
static void check_traces(struct __test_metadata *_metadata,
			 const unsigned long sum[NR_OUTCOMES])
{
	long long nr[NR_TRACES], cancelled;
	unsigned int i;

	for (i = 0; i < NR_TRACES; i++)
		nr[i] = trace_count(traces[i].instance);
	cancelled = nr[SUBMIT] - nr[COMPLETE];
	note("%lld submitted, %lld came back, %lld of them for another try, %lld given up, %lld cancelled",
	     nr[SUBMIT], nr[COMPLETE], nr[AGAIN], nr[GIVEN_UP], cancelled);
	EXPECT_EQ(sum[ANSWER], (unsigned long)nr[ANSWERED]);
	EXPECT_EQ(nr[COMPLETE], nr[ANSWERED] + nr[AGAIN] + nr[GIVEN_UP]);
	EXPECT_GE(sum[IO_ERROR], (unsigned long)nr[GIVEN_UP]);
	EXPECT_LE(0, cancelled);
	EXPECT_GE((long long)(sum[INTERRUPTED] + sum[TIMED_OUT]), cancelled);
}

static void check_faults(struct __test_metadata *_metadata)
{
	unsigned int i;

	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		long long nr = fault_injected(faults[i].kind);

		note("%s: %lld times", faults[i].kind, nr);
		/* The rare ones may not come in a short storm. */
		if (faults[i].probability >= 10)
			EXPECT_LT(0, nr);
	}
}

static void ride_out(struct __test_metadata *_metadata, unsigned int length)
{
	unsigned long sum[NR_OUTCOMES] = {};
	struct sigaction sa = { .sa_handler = ignore };
	unsigned int i;

	storm = calloc(1, sizeof(*storm));
	ASSERT_NE(NULL, storm);
	ASSERT_EQ(0, sigaction(SIGUSR1, &sa, NULL));
	storm->doors = load_doors();
	load_rsa_init(&storm->load.rsa);
	for (i = 0; i < WORKERS; i++)
		storm->worker[i].t = load_thread_new(&storm->load, i);
	faults_on(_metadata);
	blow(_metadata, length);
	EXPECT_EQ(0, storm->broken) TH_LOG("%s", strerror(-storm->broken));
	/* A card that vanished last comes back after a second. */
	EXPECT_TRUE(wait_for(calm(), 15));
	check_workers(_metadata, sum);
	check_traces(_metadata, sum);
	if (length > WARM_UP)
		check_faults(_metadata);
	load_start(&storm->load, 20, LOAD_SHORT, 0);
	EXPECT_TRUE(load_join(&storm->load, DEADLINE));
}

/* What CPUs keep in stock counts as in use until it is given back. */
static void slab_shrink(void)
{
	static const char * const sizes[] = {
		"256", "512", "1k", "2k", "4k", "8k",
	};
	char path[64];
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/slab/kmalloc-%s/shrink",
			 sizes[i]);
		attr_write(path, "1");
	}
}

/* Objects of the sizes that requests, cards and queues have: 256 bytes up. */
static long slab_all(void)
{
	long active, sum = 0;
	char line[512], unit;
	unsigned int size;
	FILE *f;

	slab_shrink();
	f = fopen("/proc/slabinfo", "r");
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "kmalloc-%u%c %ld", &size, &unit, &active) == 3 &&
		    (unit == 'k' || size >= 256))
			sum += active;
	fclose(f);
	return sum;
}

static long memory_available(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[128];
	long kib = -1;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %ld", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib;
}

static void traces_delete(void)
{
	unsigned int i;

	for (i = 0; i < NR_TRACES; i++)
		trace_delete(traces[i].instance);
}

static void traces_new(struct __test_metadata *_metadata)
{
	unsigned int i;

	for (i = 0; i < NR_TRACES; i++) {
		ASSERT_EQ(0, trace_new(traces[i].instance));
		/* Counts go on when the buffer is full. */
		ASSERT_EQ(0, trace_write(traces[i].instance, "buffer_size_kb",
					 "64"));
		ASSERT_EQ(0, trace_enable(traces[i].instance, traces[i].event,
					  traces[i].filter));
	}
}

/* From loading the module to its removal. */
static void whole_storm(struct __test_metadata *_metadata, unsigned int length)
{
	int status;
	pid_t pid;

	ASSERT_EQ(0, module_load("cards=2 domains=2 hwrng=0 request_timeout=300"));
	traces_new(_metadata);
	/* With the process all its open files go. */
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		ride_out(_metadata, length);
		_exit(!_metadata->passed);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	traces_delete();
	ASSERT_EQ(0, module_remove());
	EXPECT_EQ(0, process_count("apq_"));
	EXPECT_EQ(0, process_count("appoll"));
}

FIXTURE(storm)
{
	long slab, memory;
};

FIXTURE_SETUP(storm)
{
	if (access("/sys/kernel/debug/tracing", F_OK) || access(INSTANCES, F_OK))
		SKIP(return, "no debugfs or tracefs");
}

FIXTURE_TEARDOWN(storm)
{
	traces_delete();
	module_remove();
}

TEST_F_TIMEOUT(storm, ridden_out, LONGEST + 4 * DEADLINE)
{
	whole_storm(_metadata, WARM_UP);
	self->slab = slab_all();
	self->memory = memory_available();
	whole_storm(_metadata, seconds());
	if (self->slab < 0)
		return;
	/* Late frees by RCU and work items may still be on their way. */
	EXPECT_TRUE(wait_for(slab_all() < self->slab + SLAB_NOISE, 10));
	note("objects %ld before, %ld after; %ld and %ld KiB available",
	     self->slab, slab_all(), self->memory, memory_available());
	EXPECT_LT(self->memory - MEMORY_NOISE, memory_available());
}

TEST_HARNESS_MAIN
