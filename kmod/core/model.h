/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bus as the driver model and sysfs show it: names, types, attributes,
 * drivers, masks, scans, and events.
 */
#ifndef APQ_CORE_MODEL_H
#define APQ_CORE_MODEL_H

#include <linux/device.h>
#include <linux/types.h>

struct apq_queue;

/* Bits of a mask of adapters or domains, as the AP architecture has them. */
#define APQ_MASK_BITS		256

/**
 * struct apq_mask - a set of adapters or domains
 * @word: bit 0 is the most significant bit of the first word
 */
struct apq_mask {
	u64 word[APQ_MASK_BITS / 64];
};

/* card_attrs.c, queue_attrs.c, bus_attrs.c */
extern const struct device_type apq_card_type;
extern const struct device_type apq_queue_type;
extern const struct attribute_group *apq_bus_groups[];
extern const struct attribute_group *apq_card_driver_groups[];
extern const struct attribute_group *apq_queue_driver_groups[];
int apq_parse_switch(const char *buf, bool *on);

/* hotplug.c */
int apq_parse_numbers(const char *buf, unsigned int *number, int max);
extern const struct attribute_group apq_bus_hotplug_group;
extern const struct attribute_group apq_card_hotplug_group;

/* model.c */
void apq_uevent_online(struct device *dev, bool online);
void apq_uevent_config(struct device *dev, bool config);
void apq_uevent_bus(char *first, char *second);

/* driver.c */
int apq_bus_match(struct device *dev, APQ_MATCH_CONST struct device_driver *drv);
int apq_drivers_register(void);
void apq_drivers_unregister(void);
void apq_bindings_count(unsigned int *queues, unsigned int *bound);
void apq_bindings_check(void);
void apq_bindings_revise(void);

/* mask.c */
bool apq_mask_test(const struct apq_mask *mask, unsigned int bit);
void apq_mask_set(struct apq_mask *mask, unsigned int bit, bool on);
ssize_t apq_mask_emit(const struct apq_mask *mask, char *buf);
int apq_mask_parse(const char *str, const struct apq_mask *old,
		   struct apq_mask *new);
bool apq_mask_permits(const struct apq_queue *aq);
bool apq_mask_permits_domain(unsigned int domain);
ssize_t apq_apmask_show(char *buf);
ssize_t apq_aqmask_show(char *buf);
int apq_apmask_store(const char *buf);
int apq_aqmask_store(const char *buf);

/* scan.c */
u64 apq_scan_count(void);
unsigned int apq_config_time_get(void);
int apq_config_time_set(unsigned int seconds);
int apq_domain_set(int domain);

#endif
