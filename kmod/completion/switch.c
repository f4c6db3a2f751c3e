// SPDX-License-Identifier: GPL-2.0
/*
 * The active completion mode, and the change from one to another.
 *
 * Requests in flight belong to the queues, not to a mode, so a change moves
 * nothing: the new mode starts and is kicked for what is in flight, and only
 * then, when nobody can still be inside a kick of the old one, does that
 * stop. No reply waits longer than one interval of either.
 */

#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include "../core/bus.h"
#include "switch.h"

static const struct apq_mode * const modes[] = {
	&apq_mode_timer,
	&apq_mode_hrtimer,
	&apq_mode_thread,
};

static DEFINE_MUTEX(apq_mode_lock);
/* Changed under apq_mode_lock, read under RCU. */
static const struct apq_mode __rcu *active;
/* What poll_thread=0 goes back to; under apq_mode_lock. */
static const struct apq_mode *before_thread = &apq_mode_hrtimer;

/**
 * apq_mode_kick() - see to it that replies are noticed
 * @wait: what a queue waits for, not APQ_WAIT_NONE
 *
 * Context: any but hard interrupt.
 */
void apq_mode_kick(enum apq_wait wait)
{
	const struct apq_mode *mode;

	rcu_read_lock();
	mode = rcu_dereference(active);
	if (mode)
		mode->kick();
	rcu_read_unlock();
}

static const struct apq_mode *find_mode(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (sysfs_streq(name, modes[i]->name))
			return modes[i];
	return NULL;
}

static int change_mode(const struct apq_mode *new)
{
	const struct apq_mode *old;
	int ret;

	lockdep_assert_held(&apq_mode_lock);
	old = rcu_dereference_protected(active,
					lockdep_is_held(&apq_mode_lock));
	if (new == old)
		return 0;
	ret = new->start();
	if (ret)
		return ret;
	if (new == &apq_mode_thread && old)
		before_thread = old;
	rcu_assign_pointer(active, new);
	if (apq_bus_busy())
		apq_mode_kick(APQ_WAIT_POLL);
	/* A kick of the old mode may still be running on another CPU. */
	synchronize_rcu();
	if (old)
		old->stop();
	/* For what was kicked towards the old mode after our look above. */
	if (apq_bus_busy())
		apq_mode_kick(APQ_WAIT_POLL);
	return 0;
}

/**
 * apq_mode_set() - make a mode the active one
 * @name: its name, a newline may follow
 *
 * Return: 0; -EINVAL no such mode; -ENOMEM.
 */
int apq_mode_set(const char *name)
{
	const struct apq_mode *mode = find_mode(name);
	int ret;

	if (!mode)
		return -EINVAL;
	mutex_lock(&apq_mode_lock);
	ret = change_mode(mode);
	mutex_unlock(&apq_mode_lock);
	return ret;
}

/**
 * apq_poll_thread_set() - the poll_thread knob of z90crypt
 * @on: true for mode thread, false for the mode that was active before it
 *
 * Return: 0 or -ENOMEM.
 */
int apq_poll_thread_set(bool on)
{
	int ret = 0;

	mutex_lock(&apq_mode_lock);
	if (on)
		ret = change_mode(&apq_mode_thread);
	else if (apq_mode_is(&apq_mode_thread))
		ret = change_mode(before_thread);
	mutex_unlock(&apq_mode_lock);
	return ret;
}

bool apq_mode_is(const struct apq_mode *mode)
{
	return rcu_access_pointer(active) == mode;
}

/* Whether cards announce their replies in the active mode. */
bool apq_mode_interrupts(void)
{
	const struct apq_mode *mode;
	bool interrupts;

	rcu_read_lock();
	mode = rcu_dereference(active);
	interrupts = mode && mode->interrupt;
	rcu_read_unlock();
	return interrupts;
}

/* All modes in one line, the active one in brackets. */
ssize_t apq_mode_list(char *buf)
{
	ssize_t len = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		len += sysfs_emit_at(buf, len,
				     apq_mode_is(modes[i]) ? "%s[%s]" : "%s%s",
				     i ? " " : "", modes[i]->name);
	return len + sysfs_emit_at(buf, len, "\n");
}

int apq_mode_init(const char *name)
{
	int ret = apq_mode_set(name);

	if (ret)
		pr_err("mode=%s: no such completion mode\n", name);
	return ret;
}

/* No request is in flight and none can come. */
void apq_mode_exit(void)
{
	const struct apq_mode *old;

	mutex_lock(&apq_mode_lock);
	old = rcu_dereference_protected(active,
					lockdep_is_held(&apq_mode_lock));
	RCU_INIT_POINTER(active, NULL);
	synchronize_rcu();
	if (old)
		old->stop();
	mutex_unlock(&apq_mode_lock);
}
