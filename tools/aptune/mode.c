// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Set a mode or interval and prove that it took: what was asked for and what
 * the module then reports must be equal, or every figure after it lies.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <libapq.h>

#include "cli.h"
#include "mode.h"

int mode_read(struct mode_state *state)
{
	int ret;

	ret = apq_mode_get(state->mode, sizeof(state->mode));
	if (ret < 0) {
		complain("completion mode", "%s", why(ret));
		return ret;
	}
	ret = apq_poll_timeout_get(&state->poll_timeout);
	if (ret < 0)
		complain("poll timeout", "%s", why(ret));
	return ret < 0 ? ret : 0;
}

int mode_set(const char *mode)
{
	char list[MODE_LIST_LEN], active[MODE_NAME_LEN];
	int ret;

	ret = apq_mode_set(mode);
	if (ret == -EINVAL && apq_mode_list(list, sizeof(list)) >= 0) {
		complain("mode", "\"%s\" is not one; the module has: %s", mode,
			 list);
		return ret;
	}
	if (ret < 0) {
		complain("mode", "cannot set %s: %s", mode, why(ret));
		return ret;
	}
	ret = apq_mode_get(active, sizeof(active));
	if (ret < 0) {
		complain("mode", "cannot read it back: %s", why(ret));
		return ret;
	}
	if (strcmp(active, mode)) {
		complain("mode", "asked for %s, but the module runs %s", mode,
			 active);
		return -EIO;
	}
	return 0;
}

int mode_set_timeout(uint64_t ns)
{
	uint64_t active;
	int ret;

	ret = apq_poll_timeout_set(ns);
	if (ret < 0) {
		complain("poll timeout", "cannot set %" PRIu64 " ns: %s", ns,
			 why(ret));
		return ret;
	}
	ret = apq_poll_timeout_get(&active);
	if (ret < 0) {
		complain("poll timeout", "cannot read it back: %s", why(ret));
		return ret;
	}
	if (active != ns) {
		complain("poll timeout", "asked for %" PRIu64
			 " ns, but the module has %" PRIu64 " ns", ns, active);
		return -EIO;
	}
	return 0;
}

int mode_restore(const struct mode_state *state)
{
	int ret, ret2;

	ret = mode_set_timeout(state->poll_timeout);
	ret2 = mode_set(state->mode);
	return ret ? ret : ret2;
}
