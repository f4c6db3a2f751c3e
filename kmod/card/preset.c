// SPDX-License-Identifier: GPL-2.0
/*
 * Service times of cards, as presets and as text.
 *
 * Source of the presets: the speed ratings that the zcrypt driver of Linux
 * has for these cards. From CEX4 on they read like microseconds per operation
 * of a card that is kept busy: for a CEX4A and RSA-2048 CRT 228, and IBM's
 * white paper on the zEC12 says "almost 4400" per second. An accelerator has
 * up to five engines (IBM's SMF record type 70-2), so one operation is taken
 * to last five times its rating. Inference, not measurement: nobody has
 * published an unloaded latency of these cards. They do no symmetric
 * operations, which therefore are not held.
 */

#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include "preset.h"

#define MAX_NS		1000000000U	/* far below request_timeout */
#define MAX_BYTE_PS	1000000U
#define MAX_JITTER	100
#define ENGINES		5

/* From ratings in microseconds. */
#define PRESET(_name, me1, me2, me4, crt1, crt2, crt4) {		\
	.name = _name,							\
	.engines = ENGINES,						\
	.fixed_ns = {							\
		[APQ_SERVICE_ME1K] = (me1) * 1000 * ENGINES,		\
		[APQ_SERVICE_ME2K] = (me2) * 1000 * ENGINES,		\
		[APQ_SERVICE_ME4K] = (me4) * 1000 * ENGINES,		\
		[APQ_SERVICE_CRT1K] = (crt1) * 1000 * ENGINES,		\
		[APQ_SERVICE_CRT2K] = (crt2) * 1000 * ENGINES,		\
		[APQ_SERVICE_CRT4K] = (crt4) * 1000 * ENGINES,		\
	},								\
}

static const struct apq_service_times presets[] = {
	PRESET("cex4a", 14, 19, 249, 42, 228, 1458),
	PRESET("cex5a", 8, 9, 20, 18, 66, 458),
	PRESET("cex6a", 6, 9, 20, 17, 65, 438),
	PRESET("cex7a", 6, 8, 17, 15, 54, 362),
};

/* Names of &struct apq_service_times.fixed_ns. */
static const char * const kind_names[NR_APQ_SERVICE_KINDS] = {
	[APQ_SERVICE_ME1K]  = "me1k_ns",
	[APQ_SERVICE_ME2K]  = "me2k_ns",
	[APQ_SERVICE_ME4K]  = "me4k_ns",
	[APQ_SERVICE_CRT1K] = "crt1k_ns",
	[APQ_SERVICE_CRT2K] = "crt2k_ns",
	[APQ_SERVICE_CRT4K] = "crt4k_ns",
	[APQ_SERVICE_SYM]   = "sym_ns",
};

static int refuse(const char *key, unsigned int min, unsigned int max)
{
	pr_warn_ratelimited("service_model: %s must be %u to %u\n", key, min,
			    max);
	return -EINVAL;
}

static int find_preset(struct apq_service_times *times, const char *word)
{
	unsigned int i;

	/* As apq_preset_emit() writes it. */
	if (!strcmp(word, "custom"))
		return 0;
	for (i = 0; i < ARRAY_SIZE(presets); i++) {
		if (strcmp(word, presets[i].name))
			continue;
		*times = presets[i];
		return 0;
	}
	pr_warn_ratelimited("service_model: %s: neither off, cex4a, cex5a, cex6a, cex7a nor KEY=NUMBER\n",
			    word);
	return -EINVAL;
}

static int set_all(struct apq_service_times *times, unsigned int ns)
{
	unsigned int kind;

	if (ns > MAX_NS)
		return refuse("all_ns", 0, MAX_NS);
	for (kind = 0; kind < NR_APQ_SERVICE_KINDS; kind++)
		times->fixed_ns[kind] = ns;
	times->byte_ps = 0;
	return 0;
}

static int set_kind(struct apq_service_times *times, const char *key,
		    unsigned int ns)
{
	int kind = match_string(kind_names, NR_APQ_SERVICE_KINDS, key);

	if (kind < 0) {
		pr_warn_ratelimited("service_model: unknown key %s\n", key);
		return -EINVAL;
	}
	if (ns > MAX_NS)
		return refuse(key, 0, MAX_NS);
	times->fixed_ns[kind] = ns;
	return 0;
}

static int set_key(struct apq_service_times *times, const char *key,
		   unsigned int value)
{
	strscpy(times->name, "custom", sizeof(times->name));
	if (!strcmp(key, "engines")) {
		if (value < 1 || value > APQ_SERVICE_ENGINES)
			return refuse(key, 1, APQ_SERVICE_ENGINES);
		times->engines = value;
	} else if (!strcmp(key, "jitter")) {
		if (value > MAX_JITTER)
			return refuse(key, 0, MAX_JITTER);
		times->jitter = value;
	} else if (!strcmp(key, "sym_byte_ps")) {
		if (value > MAX_BYTE_PS)
			return refuse(key, 0, MAX_BYTE_PS);
		times->byte_ps = value;
	} else if (!strcmp(key, "all_ns")) {
		return set_all(times, value);
	} else {
		return set_kind(times, key, value);
	}
	return 0;
}

/**
 * apq_preset_parse() - read service times
 * @times: receives them
 * @text: words with blanks between: a preset first, or none, then KEY=NUMBER
 *	  in any order; what is not named is 0, with one engine
 *
 * Keys: engines; jitter in percent; me1k_ns ... crt4k_ns and sym_ns, times in
 * nanoseconds; sym_byte_ps, picoseconds per byte; all_ns, all times at once.
 *
 * Return: 0 or -EINVAL with a message.
 */
int apq_preset_parse(struct apq_service_times *times, const char *text)
{
	char line[256], *rest, *word, *value;
	bool first = true;
	unsigned int n;
	int ret = 0;

	memset(times, 0, sizeof(*times));
	times->engines = 1;
	strscpy(times->name, "custom", sizeof(times->name));
	if (strscpy(line, text, sizeof(line)) < 0)
		return refuse("length", 1, sizeof(line) - 1);
	rest = strim(line);
	if (!*rest)
		return find_preset(times, rest);
	while (!ret && (word = strsep(&rest, " \t"))) {
		if (!*word)
			continue;
		value = strchr(word, '=');
		if (!value) {
			ret = first ? find_preset(times, word) : -EINVAL;
		} else {
			*value++ = '\0';
			ret = kstrtouint(value, 0, &n) ? -EINVAL :
			      set_key(times, word, n);
		}
		first = false;
	}
	return ret;
}

/* What apq_preset_parse() would read, without an end of line. */
int apq_preset_emit(const struct apq_service_times *times, char *buf)
{
	unsigned int kind;
	int len;

	len = sysfs_emit(buf, "%s engines=%u jitter=%u", times->name,
			 times->engines, times->jitter);
	for (kind = 0; kind < NR_APQ_SERVICE_KINDS; kind++)
		len += sysfs_emit_at(buf, len, " %s=%u", kind_names[kind],
				     times->fixed_ns[kind]);
	return len + sysfs_emit_at(buf, len, " sym_byte_ps=%u",
				   times->byte_ps);
}
