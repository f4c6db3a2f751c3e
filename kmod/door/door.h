/* SPDX-License-Identifier: GPL-2.0 */
/* The front ends, for main.c. */
#ifndef APQ_DOOR_H
#define APQ_DOOR_H

#include <linux/compiler.h>

int apq_device_init(void);
void apq_device_exit(void);
int apq_z90crypt_init(void);
void apq_z90crypt_exit(void);
long apq_z90status_ioctl(unsigned int cmd, void __user *arg);
int apq_skcipher_init(int priority);
void apq_skcipher_exit(void);
int apq_hwrng_init(void);
void apq_hwrng_exit(void);

#endif
