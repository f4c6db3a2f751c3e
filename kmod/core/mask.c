// SPDX-License-Identifier: GPL-2.0
/*
 * Masks of adapters and domains: their text, and the two that say which queues
 * may be used.
 */

#include <linux/ctype.h>
#include <linux/hex.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include "bus.h"
#include "model.h"

#define ALL_BITS	{ { ~0ULL, ~0ULL, ~0ULL, ~0ULL } }

/* Adapters and domains that may be used; under apq_bus_lock. */
static struct apq_mask apmask = ALL_BITS;
static struct apq_mask aqmask = ALL_BITS;

bool apq_mask_test(const struct apq_mask *mask, unsigned int bit)
{
	return mask->word[bit / 64] & (1ULL << (63 - bit % 64));
}

void apq_mask_set(struct apq_mask *mask, unsigned int bit, bool on)
{
	u64 value = 1ULL << (63 - bit % 64);

	if (on)
		mask->word[bit / 64] |= value;
	else
		mask->word[bit / 64] &= ~value;
}

/* As 0x and 64 digits. */
ssize_t apq_mask_emit(const struct apq_mask *mask, char *buf)
{
	return sysfs_emit(buf, "0x%016llx%016llx%016llx%016llx\n",
			  mask->word[0], mask->word[1], mask->word[2],
			  mask->word[3]);
}

/* The end of the text, where one newline may stand. */
static bool at_end(const char *str)
{
	return !*str || (*str == '\n' && !str[1]);
}

/* Hex digits from bit 0 on; what is not given is 0. */
static int parse_absolute(const char *str, struct apq_mask *mask)
{
	unsigned int bit = 0;

	if (str[0] == '0' && tolower(str[1]) == 'x')
		str += 2;
	if (at_end(str))
		return -EINVAL;
	memset(mask, 0, sizeof(*mask));
	for (; isxdigit(*str) && bit < APQ_MASK_BITS; str++, bit += 4)
		mask->word[bit / 64] |= (u64)hex_to_bin(*str)
					<< (60 - bit % 64);
	return at_end(str) ? 0 : -EINVAL;
}

/* One number below APQ_MASK_BITS, decimal, hex or octal; moves @str on. */
static int parse_bit(const char **str, unsigned int *bit)
{
	char text[8];
	size_t len = strcspn(*str, ",-\n");

	if (!isdigit(**str) || len >= sizeof(text))
		return -EINVAL;
	memcpy(text, *str, len);
	text[len] = '\0';
	*str += len;
	if (kstrtouint(text, 0, bit) || *bit >= APQ_MASK_BITS)
		return -EINVAL;
	return 0;
}

/* A list of changes: +A, -A, +A-B, -A-B, with commas between; the last wins. */
static int parse_relative(const char *str, struct apq_mask *mask)
{
	unsigned int first, last;
	bool on;

	for (;;) {
		if (*str != '+' && *str != '-')
			return -EINVAL;
		on = *str++ == '+';
		if (parse_bit(&str, &first))
			return -EINVAL;
		last = first;
		if (*str == '-') {
			str++;
			if (parse_bit(&str, &last) || last < first)
				return -EINVAL;
		}
		for (; first <= last; first++)
			apq_mask_set(mask, first, on);
		if (at_end(str))
			return 0;
		if (*str++ != ',')
			return -EINVAL;
	}
}

/**
 * apq_mask_parse() - read what a user wrote
 * @str: absolute: 0x and 1 to 64 hex digits, bit 0 first; or relative, such as
 *	 "+0-15,-3"
 * @old: what a relative text changes
 * @new: result, undefined on failure
 *
 * Return: 0 or -EINVAL.
 */
int apq_mask_parse(const char *str, const struct apq_mask *old,
		   struct apq_mask *new)
{
	if (*str != '+' && *str != '-')
		return parse_absolute(str, new);
	*new = *old;
	return parse_relative(str, new);
}

static bool permits(const struct apq_mask *adapters,
		    const struct apq_mask *domains, const struct apq_queue *aq)
{
	return apq_mask_test(adapters, aq->card->id) &&
	       apq_mask_test(domains, aq->domain);
}

/* Whether a queue may be bound to its driver. */
bool apq_mask_permits(const struct apq_queue *aq)
{
	lockdep_assert_held(&apq_bus_lock);
	return permits(&apmask, &aqmask, aq);
}

bool apq_mask_permits_domain(unsigned int domain)
{
	lockdep_assert_held(&apq_bus_lock);
	return apq_mask_test(&aqmask, domain);
}

/* Whether new masks would take a queue away that holds requests. */
static bool loses_busy_queue(const struct apq_mask *adapters,
			     const struct apq_mask *domains)
{
	unsigned int i;

	for (i = 0; i < APQ_MAX_QUEUES; i++) {
		struct apq_queue *aq = apq_bus_queue(i);

		if (aq && !permits(adapters, domains, aq) &&
		    (READ_ONCE(aq->requestq_count) ||
		     READ_ONCE(aq->pendingq_count)))
			return true;
	}
	return false;
}

static void send_change(const char *name, const struct apq_mask *mask)
{
	char text[16 + APQ_MASK_BITS / 4];

	snprintf(text, sizeof(text), "%s=0x%016llx%016llx%016llx%016llx", name,
		 mask->word[0], mask->word[1], mask->word[2], mask->word[3]);
	apq_uevent_bus(text, NULL);
}

/* Stores a text into one of the two masks, and lets the drivers follow. */
static int store(struct apq_mask *mask, const char *buf, const char *name)
{
	bool changed = false;
	struct apq_mask new;
	int ret;

	mutex_lock(&apq_bus_lock);
	ret = apq_mask_parse(buf, mask, &new);
	if (!ret)
		changed = memcmp(mask, &new, sizeof(new));
	if (changed && loses_busy_queue(mask == &apmask ? &new : &apmask,
					mask == &aqmask ? &new : &aqmask))
		ret = -EBUSY;
	else if (changed)
		*mask = new;
	mutex_unlock(&apq_bus_lock);
	if (ret || !changed)
		return ret;
	apq_bindings_revise();
	send_change(name, &new);
	return 0;
}

static ssize_t show(const struct apq_mask *mask, char *buf)
{
	ssize_t len;

	mutex_lock(&apq_bus_lock);
	len = apq_mask_emit(mask, buf);
	mutex_unlock(&apq_bus_lock);
	return len;
}

ssize_t apq_apmask_show(char *buf)
{
	return show(&apmask, buf);
}

ssize_t apq_aqmask_show(char *buf)
{
	return show(&aqmask, buf);
}

/*
 * -EINVAL: see apq_mask_parse(); -EBUSY: a queue that holds requests would be
 * lost.
 */
int apq_apmask_store(const char *buf)
{
	return store(&apmask, buf, "APMASK");
}

int apq_aqmask_store(const char *buf)
{
	return store(&aqmask, buf, "AQMASK");
}
