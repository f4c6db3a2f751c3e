// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The threads of a measurement.
 *
 * Context and lifetime: the main thread creates the workers' data, starts the
 * threads and touches nothing of a worker but the flags below until it joined
 * it. Workers have all signals blocked, so only the main thread sees ^C and no
 * request ends with EINTR.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "clock.h"
#include "reference.h"
#include "workload.h"

/*
 * Inputs of a worker take turns, so that an answer that was never written, and
 * is still the one before, does not look right.
 */
#define NR_INPUTS	2

/*
 * One answer in so many is compared; odd, so that all inputs get their turn.
 * The first NR_INPUTS answers and the last one are always compared.
 */
#define CHECK_EVERY	17

struct worker {
	struct workload *load;
	unsigned int index;
	pthread_t thread;
	struct apq *handle;
	struct apq_cipher *cipher;
	uint8_t key[MAX_KEY_LEN];
	uint8_t iv[NR_INPUTS][MAX_IV_LEN];
	uint8_t *input[NR_INPUTS];
	uint8_t *expected[NR_INPUTS];
	uint8_t *output;
	struct workload_counts counts;
	uint64_t covering_ns;	/* last request that spilled over the window */
	char failure[160];
};

/**
 * struct workload - see workload.h
 * @stop: set by the main thread on ^C and by a worker that failed
 */
struct workload {
	struct workload_spec spec;
	struct workload_plan plan;
	struct rsa_key rsa;
	atomic_int stop;
	char failure[192];
	unsigned int started;
	struct worker worker[];
};

static long send_request(struct worker *w, unsigned int input)
{
	const struct workload *load = w->load;
	struct apq_rsa_crt crt;

	if (load->spec.op->kind == OP_CIPHER)
		return apq_encrypt(w->cipher,
				   load->spec.op->iv_len ? w->iv[input] : NULL,
				   w->input[input], w->output, load->spec.size);
	crt = (struct apq_rsa_crt){
		.len = RSA_LEN, .in = w->input[input], .out = w->output,
		.p = load->rsa.p, .q = load->rsa.q, .dp = load->rsa.dp,
		.dq = load->rsa.dq, .qinv = load->rsa.qinv,
	};
	return apq_rsa_crt(w->handle, &crt);
}

/* Is the return value of send_request() that of a whole answer? */
static int is_whole(const struct worker *w, long ret)
{
	if (w->load->spec.op->kind == OP_CIPHER)
		return ret == (long)w->load->spec.size;
	return ret == 0;
}

static int check_answer(struct worker *w, unsigned int input)
{
	const uint8_t *want = w->expected[input];
	size_t i, size = w->load->spec.size;

	w->counts.checked++;
	if (!memcmp(w->output, want, size))
		return 0;
	for (i = 0; w->output[i] == want[i]; i++)
		;
	snprintf(w->failure, sizeof(w->failure),
		 "wrong answer at byte %zu of request %llu of thread %u: 0x%02x instead of 0x%02x",
		 i, (unsigned long long)w->counts.requests, w->index,
		 w->output[i], want[i]);
	return -1;
}

/* The part of [from, to) that lies in the request [start, end), in requests. */
static double share_in(uint64_t start, uint64_t end, uint64_t from, uint64_t to)
{
	uint64_t a = start > from ? start : from;
	uint64_t b = end < to ? end : to;

	if (end == start)
		return start >= from && start < to;
	return b > a ? (double)(b - a) / (end - start) : 0;
}

static void count_request(struct worker *w, uint64_t start, uint64_t end)
{
	const struct workload_plan *plan = &w->load->plan;

	w->counts.quiet_ops += share_in(start, end, plan->quiet_from,
					plan->quiet_to);
	w->counts.soaked_ops += share_in(start, end, plan->soaked_from,
					 plan->soaked_to);
	if (end >= plan->quiet_from && end < plan->quiet_to)
		hist_add(&w->counts.latency, end - start);
	else if (start < plan->quiet_to && end > plan->quiet_from)
		w->covering_ns = end - start;
}

static int one_request(struct worker *w)
{
	unsigned int input = w->counts.requests % NR_INPUTS;
	uint64_t start, end;
	long ret;

	start = now_ns();
	ret = send_request(w, input);
	end = now_ns();
	if (!is_whole(w, ret)) {
		snprintf(w->failure, sizeof(w->failure),
			 "request %llu of thread %u: %s",
			 (unsigned long long)w->counts.requests, w->index,
			 ret < 0 ? why(ret) : "short answer");
		return -1;
	}
	count_request(w, start, end);
	if (w->counts.requests < NR_INPUTS ||
	    w->counts.requests % CHECK_EVERY == 0 ||
	    end >= w->load->plan.soaked_to) {
		if (check_answer(w, input))
			return -1;
	}
	w->counts.requests++;
	return 0;
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	do {
		if (one_request(w)) {
			atomic_store(&w->load->stop, 1);
			break;
		}
	} while (!atomic_load_explicit(&w->load->stop, memory_order_relaxed) &&
		 now_ns() < w->load->plan.soaked_to);
	return NULL;
}

int workload_start(struct workload *w, const struct workload_plan *plan)
{
	sigset_t all, before;
	int ret = 0;

	w->plan = *plan;
	w->failure[0] = '\0';
	atomic_store(&w->stop, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (w->started = 0; w->started < w->spec.threads; w->started++) {
		struct worker *worker = &w->worker[w->started];

		memset(&worker->counts, 0, sizeof(worker->counts));
		worker->covering_ns = 0;
		worker->failure[0] = '\0';
		ret = -pthread_create(&worker->thread, NULL, worker_main,
				      worker);
		if (ret)
			break;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret) {
		struct workload_counts unused;

		workload_stop(w);
		workload_join(w, &unused);
	}
	return ret;
}

void workload_stop(struct workload *w)
{
	atomic_store(&w->stop, 1);
}

int workload_join(struct workload *w, struct workload_counts *counts)
{
	unsigned int i;

	memset(counts, 0, sizeof(*counts));
	for (i = 0; i < w->started; i++) {
		struct worker *worker = &w->worker[i];

		pthread_join(worker->thread, NULL);
		counts->quiet_ops += worker->counts.quiet_ops;
		counts->soaked_ops += worker->counts.soaked_ops;
		counts->requests += worker->counts.requests;
		counts->checked += worker->counts.checked;
		hist_merge(&counts->latency, &worker->counts.latency);
		if (worker->failure[0] && !w->failure[0])
			snprintf(w->failure, sizeof(w->failure), "%s",
				 worker->failure);
	}
	for (i = 0; i < w->started && !counts->latency.count; i++) {
		if (w->worker[i].covering_ns)
			hist_add(&counts->latency, w->worker[i].covering_ns);
	}
	return w->failure[0] ? -1 : 0;
}

const char *workload_failure(const struct workload *w)
{
	return w->failure;
}

static int compute_expected(struct worker *w, unsigned int input)
{
	const struct workload *load = w->load;

	if (load->spec.op->kind == OP_CIPHER)
		return reference_cipher(load->spec.op, 1, w->key, w->iv[input],
					w->input[input], w->expected[input],
					load->spec.size);
	/* Below the modulus, whose top bit is set. */
	w->input[input][0] &= 0x7f;
	return reference_rsa_private(&load->rsa, w->input[input],
				     w->expected[input]);
}

/* Every worker has data of its own: an answer given to another shows. */
static int worker_create(struct worker *w)
{
	const struct workload_spec *spec = &w->load->spec;
	unsigned int i;
	int ret;

	ret = apq_open(&w->handle, spec->path->backend);
	if (ret < 0) {
		complain(spec->path->name, "cannot open: %s", why(ret));
		return -1;
	}
	reference_fill(w->index, w->key, sizeof(w->key));
	w->output = calloc(1, spec->size);
	for (i = 0; i < NR_INPUTS; i++) {
		uint64_t seed = (uint64_t)(w->index * NR_INPUTS + i + 1) << 32;

		w->input[i] = malloc(spec->size);
		w->expected[i] = malloc(spec->size);
		if (!w->output || !w->input[i] || !w->expected[i]) {
			complain(spec->path->name, "out of memory");
			return -1;
		}
		reference_fill(seed, w->input[i], spec->size);
		reference_fill(~seed, w->iv[i], sizeof(w->iv[i]));
		if (compute_expected(w, i)) {
			complain(spec->op->name, "OpenSSL cannot compute it");
			return -1;
		}
	}
	if (spec->op->kind != OP_CIPHER)
		return 0;
	ret = apq_cipher_new(w->handle, spec->op->alg, NULL, w->key,
			     spec->op->key_len, &w->cipher);
	if (ret < 0)
		complain(spec->path->name, "no key for %s: %s", spec->op->name,
			 why(ret));
	return ret < 0 ? -1 : 0;
}

static void worker_destroy(struct worker *w)
{
	unsigned int i;

	apq_cipher_free(w->cipher);
	if (w->handle)
		apq_close(w->handle);
	for (i = 0; i < NR_INPUTS; i++) {
		free(w->input[i]);
		free(w->expected[i]);
	}
	free(w->output);
}

int workload_create(const struct workload_spec *spec, struct workload **out)
{
	struct workload *w;
	unsigned int i;

	w = calloc(1, sizeof(*w) + spec->threads * sizeof(w->worker[0]));
	if (!w) {
		complain("workload", "out of memory");
		return -1;
	}
	w->spec = *spec;
	if (spec->op->kind == OP_RSA_CRT && reference_rsa_key(&w->rsa)) {
		complain(spec->op->name, "OpenSSL cannot compute the key");
		goto out_destroy;
	}
	for (i = 0; i < spec->threads; i++) {
		w->worker[i].load = w;
		w->worker[i].index = i;
		if (worker_create(&w->worker[i]))
			goto out_destroy;
	}
	*out = w;
	return 0;

out_destroy:
	workload_destroy(w);
	return -1;
}

void workload_destroy(struct workload *w)
{
	unsigned int i;

	if (!w)
		return;
	for (i = 0; i < w->spec.threads; i++)
		worker_destroy(&w->worker[i]);
	free(w);
}
