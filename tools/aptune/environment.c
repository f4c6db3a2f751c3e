// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Environment stamp. Facts about the machine come from uname, /proc, cpuid and
 * /sys; facts about the module only from libapq.
 */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "cli.h"
#include "clock.h"
#include "environment.h"

#define TCG_BANNER "TCG: emulated CPU, absolute times mean nothing; compare ratios only"

static int read_line(const char *path, char *buf, size_t len)
{
	FILE *f = fopen(path, "re");
	int ok;

	*buf = '\0';
	if (!f)
		return -1;
	ok = !!fgets(buf, len, f);
	fclose(f);
	buf[strcspn(buf, "\n")] = '\0';
	return ok ? 0 : -1;
}

/* Value of the first line of /proc/cpuinfo that begins with @key. */
static void read_cpuinfo(const char *key, char *buf, size_t len)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[512], *colon;

	snprintf(buf, len, "unknown");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		colon = strstr(line, ": ");
		if (strncmp(line, key, strlen(key)) || !colon)
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(buf, len, "%s", colon + 2);
		break;
	}
	fclose(f);
}

#if defined(__x86_64__) || defined(__i386__)
/* Leaf 1 says whether somebody is below us, leaf 0x40000000 who. */
static int ask_cpuid(char *signature)
{
	unsigned int a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1U << 31))
		return -1;
	__cpuid(0x40000000, a, b, c, d);
	memcpy(signature, &b, 4);
	memcpy(signature + 4, &c, 4);
	memcpy(signature + 8, &d, 4);
	signature[12] = '\0';
	return 0;
}

#define NO_HYPERVISOR	"none"
#else
static int ask_cpuid(char *signature)
{
	(void)signature;
	return -1;
}

#define NO_HYPERVISOR	"unknown"
#endif

static void find_hypervisor(const char *cpu_model, char *buf, size_t len)
{
	static const struct {
		const char *signature, *name;
	} known[] = {
		{ "TCGTCGTCGTCG", "TCG" },
		{ "KVMKVMKVM", "KVM" },
		{ "Microsoft Hv", "Hyper-V" },
		{ "VMwareVMware", "VMware" },
		{ "XenVMMXenVMM", "Xen" },
		{ "bhyve bhyve ", "bhyve" },
	};
	char signature[16];
	size_t i;

	snprintf(buf, len, NO_HYPERVISOR);
	if (!ask_cpuid(signature)) {
		snprintf(buf, len, "%s", signature);
		for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
			if (!strcmp(signature, known[i].signature))
				snprintf(buf, len, "%s", known[i].name);
		}
	} else if (strstr(cpu_model, "TCG")) {
		/* -cpu max,-hypervisor hides the leaf, the model name stays */
		snprintf(buf, len, "TCG");
	}
}

/* The coarse clock moves with the tick. */
static unsigned int find_hz(void)
{
	struct timespec ts;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &ts) || !timespec_ns(&ts))
		return 0;
	return (NS_PER_S + timespec_ns(&ts) / 2) / timespec_ns(&ts);
}

int environment_read(struct environment *env)
{
	time_t now = time(NULL);
	struct utsname u;
	struct tm tm;
	int ret;

	memset(env, 0, sizeof(*env));
	ret = apq_mode_list(env->modes, sizeof(env->modes));
	if (ret < 0) {
		complain("mode list", "%s", why(ret));
		return -1;
	}
	if (cards_read(&env->cards))
		return -1;
	strftime(env->date, sizeof(env->date), "%Y-%m-%dT%H:%M:%SZ",
		 gmtime_r(&now, &tm));
	if (!uname(&u))
		snprintf(env->kernel, sizeof(env->kernel), "%s %s %s %s",
			 u.sysname, u.release, u.version, u.machine);
	read_line("/proc/cmdline", env->cmdline, sizeof(env->cmdline));
	read_cpuinfo("model name", env->cpu_model, sizeof(env->cpu_model));
	find_hypervisor(env->cpu_model, env->hypervisor,
			sizeof(env->hypervisor));
	if (!strcmp(env->hypervisor, "TCG"))
		env->banner = TCG_BANNER;
	read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource",
		  env->clocksource, sizeof(env->clocksource));
	env->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	env->hz = find_hz();
	return 0;
}

void environment_free(struct environment *env)
{
	cards_free(&env->cards);
}
