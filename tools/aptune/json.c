// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sweep.json, schema in Documentation/results.rst.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "outfile.h"
#include "sweep.h"

/* jansson takes no NULL for a string, and JSON has no NAN. */
static json_t *string_or_null(const char *s)
{
	return s && *s ? json_string(s) : json_null();
}

static json_t *number(double x)
{
	if (isnan(x))
		return json_null();
	return x == rint(x) && fabs(x) < 1e15 ? json_integer(x) : json_real(x);
}

static json_t *environment_json(const struct environment *env)
{
	json_t *cards = json_array(), *card;
	size_t i;

	for (i = 0; i < env->cards.nr; i++) {
		const struct apq_card_info *c = &env->cards.card[i];

		card = json_pack("{s:i, s:s, s:s, s:b, s:i}",
				 "id", (int)c->id, "type", c->type,
				 "engine", c->engine, "online", c->online,
				 "depth", (int)c->depth);
		json_array_append_new(cards, card);
	}
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:o, s:s, s:o}",
			 "date", env->date, "kernel", env->kernel,
			 "cmdline", env->cmdline, "cpu_model", env->cpu_model,
			 "hypervisor", env->hypervisor, "cpus", (int)env->cpus,
			 "hz", (int)env->hz,
			 "clocksource", string_or_null(env->clocksource),
			 "modes", env->modes, "cards", cards);
}

static json_t *settings_json(const struct sweep *sweep)
{
	const struct sweep_settings *s = sweep->settings;
	json_t *modes = json_array(), *ops = json_array();
	json_t *sizes = json_array(), *paths = json_array();
	json_t *threads = json_array();
	unsigned int i;

	for (i = 0; i < s->nr_modes; i++)
		json_array_append_new(modes, json_string(s->modes[i]));
	for (i = 0; i < s->nr_ops; i++)
		json_array_append_new(ops, json_string(s->ops[i]->name));
	for (i = 0; i < s->nr_sizes; i++)
		json_array_append_new(sizes, json_integer(s->sizes[i]));
	for (i = 0; i < s->nr_paths; i++)
		json_array_append_new(paths, json_string(s->paths[i]->name));
	for (i = 0; i < s->nr_threads; i++)
		json_array_append_new(threads, json_integer(s->threads[i]));
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:i, s:I}",
			 "modes", modes, "ciphers", ops, "sizes", sizes,
			 "paths", paths, "threads", threads,
			 "time_ms", (int)s->time_ms,
			 "poll_timeout_ns", (json_int_t)sweep->poll_timeout);
}

static json_t *soaker_json(const struct soaker_state *s)
{
	return json_pack("{s:i, s:o, s:o, s:o, s:o, s:i, s:i}",
			 "cpus", (int)s->cpus,
			 "units_per_s", number(s->units_per_s),
			 "noise_percent", number(s->noise_percent),
			 "busy_percent", number(s->busy_percent),
			 "drift_percent", number(s->drift_percent),
			 "checks", (int)s->checks,
			 "recalibrations", (int)s->recalibrations);
}

static json_t *verify_json(const struct sweep *sweep)
{
	json_t *list = json_array(), *check;
	size_t i;

	for (i = 0; i < sweep->nr_verify; i++) {
		const struct verify_record *v = &sweep->verify[i];

		check = json_pack("{s:s, s:s, s:s, s:I, s:I, s:f}",
				  "path", v->path->name, "cipher", v->op->name,
				  "file", sweep->settings->verify_file,
				  "bytes", (json_int_t)v->bytes,
				  "requests", (json_int_t)v->requests,
				  "seconds", v->seconds);
		json_array_append_new(list, check);
	}
	return list;
}

static json_t *result_json(const struct result *r)
{
	const struct result_field *f;
	json_t *cell;

	cell = json_pack("{s:s, s:s, s:I, s:i, s:s, s:s}",
			 "path", r->spec.path->name, "cipher", r->spec.op->name,
			 "size", (json_int_t)r->spec.size,
			 "threads", (int)r->spec.threads, "mode", r->mode,
			 "unit", result_unit(&r->spec));
	for (f = result_fields; cell && f->name; f++)
		json_object_set_new(cell, f->name, number(result_value(r, f)));
	return cell;
}

static json_t *results_json(const struct sweep *sweep)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < sweep->nr_results; i++)
		json_array_append_new(list, result_json(&sweep->results[i]));
	return list;
}

static json_t *sweep_json(const struct sweep *sweep)
{
	int complete = sweep->nr_results == sweep->nr_cells &&
		       !*sweep->failure;

	return json_pack("{s:i, s:s, s:o, s:b, s:o, s:f, s:o, s:o, s:o, s:o, s:o}",
			 "schema_version", RESULT_SCHEMA_VERSION,
			 "aptune_version", apq_version(),
			 "banner", string_or_null(sweep->env.banner),
			 "complete", complete,
			 "failure", string_or_null(sweep->failure),
			 "seconds", sweep->seconds,
			 "environment", environment_json(&sweep->env),
			 "settings", settings_json(sweep),
			 "soaker", soaker_json(&sweep->soaker),
			 "verify", verify_json(sweep),
			 "cells", results_json(sweep));
}

int sweep_write_json(const struct sweep *sweep, const char *path)
{
	json_t *root = sweep_json(sweep);
	struct outfile out;
	int failed;

	/* The only reasons: memory, or text from the kernel that is not UTF-8. */
	if (!root) {
		complain(path, "cannot make JSON of the results");
		return -1;
	}
	if (outfile_open(&out, path)) {
		json_decref(root);
		return -1;
	}
	failed = json_dumpf(root, out.stream,
			    JSON_INDENT(2) | JSON_PRESERVE_ORDER |
			    JSON_REAL_PRECISION(10));
	fputc('\n', out.stream);
	json_decref(root);
	return outfile_close(&out, failed);
}
