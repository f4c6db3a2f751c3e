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
#include "../core/fault.h"
#include "../core/plan.h"
#include "../core/service.h"
#include "../core/trace.h"
#include "switch.h"
#include "watchdog.h"

static struct apq_mode * const modes[] = {
	&apq_mode_timer,
	&apq_mode_hrtimer,
	&apq_mode_thread,
	&apq_mode_irq,
	&apq_mode_caller,
	&apq_mode_hybrid,
	&apq_mode_adaptive,
};

/* Which mode is active, and who uses which. */
static DEFINE_MUTEX(apq_mode_lock);
/* Changed under apq_mode_lock, read under RCU. */
static struct apq_mode __rcu *active;
/* Files that chose a mode; changed under apq_mode_lock, read without. */
static unsigned int own_users;
/* What poll_thread=0 goes back to; under apq_mode_lock. */
static struct apq_mode *before_thread = &apq_mode_hrtimer;

/**
 * apq_mode_kick() - see to it that replies are noticed
 * @own: mode that the request's owner chose, NULL for the active one
 * @wait: what a queue waits for, not APQ_WAIT_NONE
 *
 * Context: any but hard interrupt.
 */
void apq_mode_kick(struct apq_mode *own, enum apq_wait wait)
{
	struct apq_mode *mode;

	/* The watchdog goes on with resets. */
	if (wait == APQ_WAIT_SLOW)
		return;
	rcu_read_lock();
	mode = own ?: rcu_dereference(active);
	if (mode && mode->kick)
		mode->kick();
	rcu_read_unlock();
}

/**
 * apq_mode_reply() - a card has a reply
 * @aq: queue that has it
 *
 * Called by cards. Context: any, no lock of the queue held.
 */
void apq_mode_reply(struct apq_queue *aq)
{
	struct apq_mode *mode;
	unsigned int i;

	if (static_branch_unlikely(&apq_fault_key) && apq_fault_mute(aq))
		return;
	/* The modelled card is not ready yet. */
	if (apq_service_used() &&
	    !apq_service_announces(aq))
		return;
	rcu_read_lock();
	mode = rcu_dereference(active);
	if (mode && mode->reply)
		mode->reply(aq);
	for (i = 0; READ_ONCE(own_users) && i < ARRAY_SIZE(modes); i++)
		if (modes[i] != mode && modes[i]->reply &&
		    atomic_read(&modes[i]->in_flight))
			modes[i]->reply(aq);
	rcu_read_unlock();
}

/**
 * apq_mode_wait() - let the mode of a waiting caller look for the reply
 * @req: request of the caller
 */
void apq_mode_wait(struct apq_req *req)
{
	struct apq_mode *mode = req->mode ?: rcu_access_pointer(active);

	if (mode && mode->wait)
		mode->wait(req);
}

/* Whether a caller that waits does an idle engine's work. */
bool apq_mode_caller_runs(struct apq_mode *own)
{
	/* Modes are never freed, so a stale one is only the mode before. */
	struct apq_mode *mode = own ?: rcu_access_pointer(active);

	return mode && READ_ONCE(mode->caller_runs);
}

/* Whether a caller that waits looks for its reply itself. */
bool apq_mode_covers(struct apq_mode *own)
{
	struct apq_mode *mode = own ?: rcu_access_pointer(active);

	return mode && READ_ONCE(mode->covers);
}

static bool wants_interrupt(struct apq_mode *mode, struct apq_queue *aq)
{
	return mode->reply && (!mode->interrupt || mode->interrupt(aq));
}

/**
 * apq_mode_interrupt() - whether a card shall announce replies of a queue
 * @aq: queue, its lock held
 */
bool apq_mode_interrupt(struct apq_queue *aq)
{
	struct apq_mode *mode;
	bool wanted;
	unsigned int i;

	rcu_read_lock();
	mode = rcu_dereference(active);
	wanted = mode && wants_interrupt(mode, aq);
	for (i = 0; READ_ONCE(own_users) && i < ARRAY_SIZE(modes) && !wanted;
	     i++)
		wanted = modes[i] != mode &&
			 atomic_read(&modes[i]->in_flight) &&
			 wants_interrupt(modes[i], aq);
	rcu_read_unlock();
	return wanted;
}

/* Whether a mode must go on polling. */
bool apq_mode_wanted(struct apq_mode *mode)
{
	return atomic_read(&mode->in_flight) ||
	       (apq_mode_is(mode) && apq_bus_busy());
}

/* Longest time that a mode in use may take by design to notice a reply. */
u64 apq_mode_bound_ns(void)
{
	u64 bound = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (READ_ONCE(modes[i]->users) && modes[i]->bound_ns)
			bound = max(bound, modes[i]->bound_ns());
	return bound;
}

static int use_mode(struct apq_mode *mode)
{
	int ret = 0;

	lockdep_assert_held(&apq_mode_lock);
	if (!mode->users && mode->start)
		ret = mode->start();
	if (ret)
		return ret;
	WRITE_ONCE(mode->users, mode->users + 1);
	if (mode->plans && mode->users == 1)
		WRITE_ONCE(apq_plan_wanted, true);
	return 0;
}

/* Nobody is inside a function of the mode on behalf of this user any more. */
static void unuse_mode(struct apq_mode *mode)
{
	lockdep_assert_held(&apq_mode_lock);
	WRITE_ONCE(mode->users, mode->users - 1);
	if (!mode->users && mode->plans)
		WRITE_ONCE(apq_plan_wanted, false);
	if (!mode->users && mode->stop)
		mode->stop();
}

static struct apq_mode *find_mode(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (sysfs_streq(name, modes[i]->name))
			return modes[i];
	return NULL;
}

static int change_mode(struct apq_mode *new)
{
	struct apq_mode *old;
	int ret;

	lockdep_assert_held(&apq_mode_lock);
	old = rcu_dereference_protected(active,
					lockdep_is_held(&apq_mode_lock));
	if (new == old)
		return 0;
	ret = use_mode(new);
	if (ret)
		return ret;
	if (new == &apq_mode_thread && old)
		before_thread = old;
	rcu_assign_pointer(active, new);
	trace_apq_mode(old ? old->name : "", new->name);
	if (apq_bus_busy())
		apq_mode_kick(NULL, APQ_WAIT_POLL);
	/* Someone may still be inside the old mode on another CPU. */
	synchronize_rcu();
	if (old)
		unuse_mode(old);
	/*
	 * For what was kicked towards, or replied to, the old mode after our
	 * look above; a request that a caller meant to work on needs the
	 * engine now.
	 */
	apq_bus_poll();
	/* Interrupts that the old mode did not ask for. */
	apq_bus_replan();
	if (apq_bus_busy())
		apq_mode_kick(NULL, APQ_WAIT_POLL);
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
	struct apq_mode *mode = find_mode(name);
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

/**
 * apq_mode_use() - choose a mode for one file
 * @name: its name
 *
 * Return: the mode, for &struct apq_req.mode; ERR_PTR: -EINVAL no such mode,
 * -ENOMEM.
 */
struct apq_mode *apq_mode_use(const char *name)
{
	struct apq_mode *mode = find_mode(name);
	int ret;

	if (!mode)
		return ERR_PTR(-EINVAL);
	mutex_lock(&apq_mode_lock);
	ret = use_mode(mode);
	if (!ret)
		WRITE_ONCE(own_users, own_users + 1);
	mutex_unlock(&apq_mode_lock);
	return ret ? ERR_PTR(ret) : mode;
}

/* No request of the file is in flight. Context: may sleep. */
void apq_mode_unuse(struct apq_mode *mode)
{
	mutex_lock(&apq_mode_lock);
	synchronize_rcu();
	unuse_mode(mode);
	WRITE_ONCE(own_users, own_users - 1);
	mutex_unlock(&apq_mode_lock);
}

bool apq_mode_is(const struct apq_mode *mode)
{
	return rcu_access_pointer(active) == mode;
}

/* Whether cards announce their replies in the active mode. */
bool apq_mode_interrupts(void)
{
	return apq_mode_is(&apq_mode_irq);
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

/* One line with the names that would have been right. */
static void refuse_name(const char *name)
{
	char names[80] = "";
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		strlcat(names, " ", sizeof(names));
		strlcat(names, modes[i]->name, sizeof(names));
	}
	pr_err("mode=%s: must be one of%s\n", name, names);
}

/**
 * apq_mode_init() - get ready to take replies while the module loads
 * @name: mode that will be wanted then
 *
 * The kernel tests our algorithms on registration, with hundreds of requests
 * one after the other. Mode irq keeps that short, whatever interval is set.
 *
 * Return: 0; -EINVAL with a message: no such mode.
 */
int apq_mode_init(const char *name)
{
	if (!find_mode(name)) {
		refuse_name(name);
		return -EINVAL;
	}
	apq_irq_init();
	return apq_mode_set(apq_mode_irq.name);
}

/**
 * apq_mode_set_first() - the mode that the parameters of the module ask for
 * @name: a mode
 * @poll_thread: true for mode thread, and @name is what comes after it
 *
 * Return: 0 or -ENOMEM.
 */
int apq_mode_set_first(const char *name, bool poll_thread)
{
	int ret = apq_mode_set(name);

	/* Mode irq was nobody's choice. */
	before_thread = &apq_mode_hrtimer;
	if (!ret && poll_thread)
		ret = apq_poll_thread_set(true);
	return ret;
}

/* No request is in flight and none can come. */
void apq_mode_exit(void)
{
	struct apq_mode *old;

	mutex_lock(&apq_mode_lock);
	old = rcu_dereference_protected(active,
					lockdep_is_held(&apq_mode_lock));
	RCU_INIT_POINTER(active, NULL);
	synchronize_rcu();
	if (old)
		unuse_mode(old);
	mutex_unlock(&apq_mode_lock);
	apq_irq_exit();
	apq_watchdog_exit();
}
