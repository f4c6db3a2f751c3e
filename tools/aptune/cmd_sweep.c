// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * aptune sweep - options, then sweep.c, then the outputs
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "interrupt.h"
#include "outfile.h"
#include "sweep.h"

#define TIME_MS_MIN	50
#define TIME_MS_MAX	600000

/* Presets. The default grid takes under 3.5 minutes. */
#define DEFAULT_MODES	"timer,hrtimer,thread"
#define DEFAULT_CIPHERS	"aes-128-cbc,aes-256-cbc,3des-cbc,rsa-2048-crt"
#define DEFAULT_SIZES	"64,1K,2K,8K,20K,64K"
#define QUICK_SIZES	"64,8K,64K"
#define DEFAULT_PATHS	"afalg,apq,z90crypt"
#define DEFAULT_THREADS	"1,4"
#define QUICK_THREADS	"1"
#define DEFAULT_TIME	"500"
#define FULL_TIME	"2000"
#define QUICK_TIME	"150"
#define DEFAULT_OUT	"results"

/* What the command line says, option by option; NULL where it does not. */
enum sweep_word {
	WORD_MODES, WORD_CIPHERS, WORD_SIZES, WORD_PATHS, WORD_THREADS,
	WORD_TIME, WORD_FULL, WORD_QUICK, WORD_VERIFY_FILE, WORD_OUT,
	NR_WORDS
};

/* In the order of enum sweep_word; set by take_word(). */
static int take_word(void *settings, const struct cli_option *opt,
		     const char *value);

static const struct cli_option sweep_options[] = {
	[WORD_MODES] = {
		.name = "modes", .arg = "LIST", .preset = DEFAULT_MODES ".",
		.set = take_word,
		.help = "Completion modes, separated by commas; aptune status lists what the module has. Ratios need mode timer among them.",
	},
	[WORD_CIPHERS] = {
		.name = "ciphers", .arg = "LIST",
		.preset = DEFAULT_CIPHERS ".", .set = take_word,
		.help = "Operations: aes-128, aes-192 or aes-256 with -cbc, -ecb or -ctr, 3des-cbc, rsa-2048-crt.",
	},
	[WORD_SIZES] = {
		.name = "sizes", .arg = "LIST", .preset = DEFAULT_SIZES ".",
		.set = take_word,
		.help = "Bytes per request, 1 to 1048576, K and M for 1024 and 1048576; whole blocks of all ciphers. RSA always has 256.",
	},
	[WORD_PATHS] = {
		.name = "paths", .arg = "LIST", .preset = DEFAULT_PATHS ".",
		.set = take_word,
		.help = "Ways to the queue: afalg (AF_ALG through libkcapi) and apq (/dev/apq) for ciphers, z90crypt (/dev/z90crypt) for RSA.",
	},
	[WORD_THREADS] = {
		.name = "threads", .arg = "LIST", .preset = DEFAULT_THREADS ".",
		.set = take_word,
		.help = "Threads that send requests, 1 to 256, each waiting for its answer before it sends the next.",
	},
	[WORD_TIME] = {
		.name = "time", .arg = "MS", .preset = DEFAULT_TIME ".",
		.set = take_word,
		.help = "Milliseconds per cell, 50 to 600000; 10 % of it is warm-up.",
	},
	[WORD_FULL] = {
		.name = "full", .set = take_word,
		.help = "The default grid with " FULL_TIME " ms per cell. Lists and --time given as well win.",
	},
	[WORD_QUICK] = {
		.name = "quick", .set = take_word,
		.help = "Fewer cells: sizes " QUICK_SIZES ", threads " QUICK_THREADS ", "
			QUICK_TIME " ms per cell. Lists and --time given as well win.",
	},
	[WORD_VERIFY_FILE] = {
		.name = "verify-file", .arg = "FILE", .set = take_word,
		.help = "Before a path is timed, encrypt and decrypt this file (256 bytes to 64 MiB) "
			"through it; what comes back must equal what OpenSSL makes of it.",
	},
	[WORD_OUT] = {
		.name = "out", .arg = "DIR", .preset = DEFAULT_OUT ".",
		.set = take_word,
		.help = "Directory for sweep.json and sweep.csv; made if it is missing.",
	},
	[NR_WORDS] = CLI_HELP,
	CLI_END
};

static int take_word(void *settings, const struct cli_option *opt,
		     const char *value)
{
	const char **words = settings;

	words[opt - sweep_options] = value ? value : "";
	return 0;
}

static int refuse(const struct cli_option *opt, const char *item,
		  const char *limit)
{
	char what[64];

	snprintf(what, sizeof(what), "--%s", opt->name);
	complain(what, "\"%s\" %s", item, limit);
	return -1;
}

static int add_mode(struct sweep_settings *s, const struct cli_option *opt,
		    const char *item)
{
	unsigned int i;

	if (strlen(item) >= MODE_NAME_LEN)
		return refuse(opt, item, "is longer than 15 characters");
	for (i = 0; i < s->nr_modes; i++) {
		if (!strcmp(s->modes[i], item))
			return refuse(opt, item, "is given twice");
	}
	if (s->nr_modes == MAX_MODES)
		return refuse(opt, item, "is more than 16 modes");
	strcpy(s->modes[s->nr_modes++], item);
	return 0;
}

static int add_op(struct sweep_settings *s, const struct cli_option *opt,
		  const char *item)
{
	const struct op *op = op_find(item);
	unsigned int i;

	if (!op)
		return refuse(opt, item, "is none of aes-{128,192,256}-{cbc,ecb,ctr}, 3des-cbc, rsa-2048-crt");
	for (i = 0; i < s->nr_ops; i++) {
		if (s->ops[i] == op)
			return refuse(opt, item, "is given twice");
	}
	if (s->nr_ops == MAX_OPS)
		return refuse(opt, item, "is more than 16 operations");
	s->ops[s->nr_ops++] = op;
	return 0;
}

static int add_size(struct sweep_settings *s, const struct cli_option *opt,
		    const char *item)
{
	unsigned long size;
	unsigned int i;
	char *end;

	size = item[0] >= '0' && item[0] <= '9' ? strtoul(item, &end, 10) : 0;
	if (size && (*end == 'K' || *end == 'M') && size <= MAX_SIZE)
		size *= *end++ == 'K' ? 1024 : 1048576;
	if (!size || *end || size > MAX_SIZE)
		return refuse(opt, item, "is not a size from 1 to 1048576 bytes (1M)");
	for (i = 0; i < s->nr_sizes; i++) {
		if (s->sizes[i] == size)
			return refuse(opt, item, "is given twice");
	}
	if (s->nr_sizes == MAX_SIZES)
		return refuse(opt, item, "is more than 32 sizes");
	s->sizes[s->nr_sizes++] = size;
	return 0;
}

static int add_path(struct sweep_settings *s, const struct cli_option *opt,
		    const char *item)
{
	const struct path *path = path_find(item);
	unsigned int i;

	if (!path)
		return refuse(opt, item, "is none of afalg, apq, z90crypt");
	for (i = 0; i < s->nr_paths; i++) {
		if (s->paths[i] == path)
			return refuse(opt, item, "is given twice");
	}
	s->paths[s->nr_paths++] = path;
	return 0;
}

static int add_threads(struct sweep_settings *s, const struct cli_option *opt,
		       const char *item)
{
	unsigned long long threads;
	unsigned int i;

	if (cli_number(opt, item, 1, MAX_THREADS, "threads", &threads))
		return -1;
	for (i = 0; i < s->nr_threads; i++) {
		if (s->threads[i] == threads)
			return refuse(opt, item, "is given twice");
	}
	if (s->nr_threads == MAX_THREAD_COUNTS)
		return refuse(opt, item, "is more than 16 thread counts");
	s->threads[s->nr_threads++] = threads;
	return 0;
}

/* Hand the items of the list that belongs to @word to @add, one by one. */
static int add_list(struct sweep_settings *s, const char *const words[],
		    enum sweep_word word,
		    int (*add)(struct sweep_settings *s,
			       const struct cli_option *opt, const char *item))
{
	const struct cli_option *opt = &sweep_options[word];
	const char *list = words[word];
	char item[32];
	int ret;

	while ((ret = cli_next(opt, &list, item, sizeof(item))) > 0) {
		if (add(s, opt, item))
			return -1;
	}
	return ret;
}

static int check_blocks(const struct sweep_settings *s)
{
	unsigned int i, k;
	char text[16], limit[96];

	for (i = 0; i < s->nr_ops; i++) {
		if (s->ops[i]->kind != OP_CIPHER)
			continue;
		for (k = 0; k < s->nr_sizes; k++) {
			if (s->sizes[k] % s->ops[i]->block == 0)
				continue;
			result_size_text(s->sizes[k], text, sizeof(text));
			snprintf(limit, sizeof(limit),
				 "is not a multiple of %zu, the block of %s",
				 s->ops[i]->block, s->ops[i]->name);
			return refuse(&sweep_options[WORD_SIZES], text, limit);
		}
	}
	if (sweep_cells(s))
		return 0;
	complain("sweep", "nothing to measure: none of --paths takes any of --ciphers");
	return -1;
}

/* Fill what the command line left open. */
static int preset(const char *words[])
{
	const char *const presets[NR_WORDS] = {
		[WORD_MODES] = DEFAULT_MODES,
		[WORD_CIPHERS] = DEFAULT_CIPHERS,
		[WORD_SIZES] = words[WORD_QUICK] ? QUICK_SIZES : DEFAULT_SIZES,
		[WORD_PATHS] = DEFAULT_PATHS,
		[WORD_THREADS] = words[WORD_QUICK] ? QUICK_THREADS :
						     DEFAULT_THREADS,
		[WORD_TIME] = words[WORD_QUICK] ? QUICK_TIME :
			      words[WORD_FULL] ? FULL_TIME : DEFAULT_TIME,
		[WORD_OUT] = DEFAULT_OUT,
	};
	int i;

	if (words[WORD_FULL] && words[WORD_QUICK]) {
		complain("sweep", "--full and --quick exclude each other");
		return -1;
	}
	for (i = 0; i < NR_WORDS; i++) {
		if (!words[i])
			words[i] = presets[i];
	}
	return 0;
}

static int make_settings(const char *words[], struct sweep_settings *s)
{
	unsigned long long time_ms;

	memset(s, 0, sizeof(*s));
	if (preset(words) ||
	    add_list(s, words, WORD_MODES, add_mode) ||
	    add_list(s, words, WORD_CIPHERS, add_op) ||
	    add_list(s, words, WORD_SIZES, add_size) ||
	    add_list(s, words, WORD_PATHS, add_path) ||
	    add_list(s, words, WORD_THREADS, add_threads) ||
	    cli_number(&sweep_options[WORD_TIME], words[WORD_TIME], TIME_MS_MIN,
		       TIME_MS_MAX, "milliseconds", &time_ms))
		return -1;
	s->time_ms = time_ms;
	s->verify_file = words[WORD_VERIFY_FILE];
	s->out_dir = words[WORD_OUT];
	return check_blocks(s);
}

/* A mode the module lacks is found before the first cell, not at it. */
static int check_modes(const struct sweep_settings *s)
{
	char list[MODE_LIST_LEN], words[MODE_LIST_LEN + 2], word[32];
	unsigned int i;
	int ret;

	ret = apq_mode_list(list, sizeof(list));
	if (ret < 0) {
		complain("mode list", "%s", why(ret));
		return STATUS_FAILED;
	}
	snprintf(words, sizeof(words), " %s ", list);
	for (i = 0; i < s->nr_modes; i++) {
		snprintf(word, sizeof(word), " %s ", s->modes[i]);
		if (strstr(words, word))
			continue;
		complain("--modes", "\"%s\" is not a mode of the module, it has: %s",
			 s->modes[i], list);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

static int write_results(const struct sweep *sweep)
{
	char path[PATH_MAX];
	int ret;

	ret = sweep_print(sweep);
	snprintf(path, sizeof(path), "%s/sweep.json",
		 sweep->settings->out_dir);
	ret |= sweep_write_json(sweep, path);
	if (!ret)
		printf("written: %s", path);
	snprintf(path, sizeof(path), "%s/sweep.csv", sweep->settings->out_dir);
	ret |= sweep_write_csv(sweep, path);
	if (!ret)
		printf(", %s\n", path);
	return ret;
}

static int run_sweep(const struct cli_command *cmd, int argc, char **argv)
{
	const char *words[NR_WORDS] = { NULL };
	struct sweep_settings settings;
	struct sweep sweep;
	int ret;

	ret = cli_parse(cmd, words, argc, argv);
	if (ret)
		return ret == CLI_DONE ? STATUS_OK : ret;
	if (make_settings(words, &settings))
		return STATUS_USAGE;
	ret = check_modes(&settings);
	if (ret)
		return ret;
	if (outfile_check_dir(settings.out_dir))
		return STATUS_FAILED;
	interrupt_catch();
	ret = sweep_run(&settings, &sweep) ? STATUS_FAILED : STATUS_OK;
	/*
	 * What is finished is kept also when the run was not; a run without
	 * any cell does not replace the files of the one before.
	 */
	if (sweep.nr_results && write_results(&sweep))
		ret = STATUS_FAILED;
	if (sweep.signal) {
		complain("sweep", "interrupted by %s after %zu of %zu cells",
			 strsignal(sweep.signal), sweep.nr_results,
			 sweep.nr_cells);
		/* What a shell reports for a program that a signal ended. */
		ret = 128 + sweep.signal;
	}
	sweep_free(&sweep);
	return ret;
}

const struct cli_command cmd_sweep = {
	.name = "sweep",
	.summary = "Measure throughput, latency and CPU cost of every completion mode",
	.description =
"Measures every cell of the product of paths, ciphers, sizes, threads and\n"
"modes, prints a table and writes *DIR*/sweep.json and *DIR*/sweep.csv. The\n"
"modes of a cell are measured one after the other. While a cell runs, samples\n"
"of the answers are compared with OpenSSL's; a wrong answer or a failed\n"
"request ends the sweep with status 1. ^C ends it with status 130. In both\n"
"cases finished cells are kept and written, and the completion mode and poll\n"
"timeout from before the sweep are restored.",
	.options = sweep_options,
	.run = run_sweep,
};
