/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * z90crypt - user interface of /dev/z90crypt
 *
 * The request structures and numbers of the s390 AP accelerator device, as
 * its programs use them. Numbers are the same on every architecture. On s390x
 * the kernel ships its own <asm/zcrypt.h>; include one of the two.
 */
#ifndef _UAPI_LINUX_Z90CRYPT_H
#define _UAPI_LINUX_Z90CRYPT_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Marks addresses of user space for the kernel's checkers, nothing else. */
#ifndef __user
#define __user
#endif

/* Longest modulus in bytes: 4096 bits. */
#define Z90CRYPT_MAX_MOD_LEN	512

/*
 * Operands are big endian, right-justified and padded with zeros on the left.
 */

/**
 * struct ica_rsa_modexpo - argument of ICARSAMODEXPO
 * @inputdata: input, @inputdatalength bytes, smaller than the modulus
 * @inputdatalength: length of the modulus and of every operand in bytes
 * @outputdata: room for the result
 * @outputdatalength: in: room at @outputdata, at least @inputdatalength;
 *		      out, on success: @inputdatalength
 * @b_key: exponent
 * @n_modulus: modulus
 */
struct ica_rsa_modexpo {
	__u8 __user *inputdata;
	__u32 inputdatalength;
	__u8 __user *outputdata;
	__u32 outputdatalength;
	__u8 __user *b_key;
	__u8 __user *n_modulus;
};

/**
 * struct ica_rsa_modexpo_crt - argument of ICARSACRT
 * @inputdata: input, @inputdatalength bytes, smaller than the modulus
 * @inputdatalength: length of the modulus in bytes, called L below;
 *		     S is (L + 1) / 2
 * @outputdata: room for the result
 * @outputdatalength: in: room at @outputdata, at least L; out, on success: L
 * @bp_key: d mod (p - 1), S + 8 bytes, the first 8 of them not looked at
 * @bq_key: d mod (q - 1), S bytes
 * @np_prime: p, S + 8 bytes, the first 8 of them not looked at
 * @nq_prime: q, S bytes
 * @u_mult_inv: q^-1 mod p, S + 8 bytes, the first 8 of them not looked at
 */
struct ica_rsa_modexpo_crt {
	__u8 __user *inputdata;
	__u32 inputdatalength;
	__u8 __user *outputdata;
	__u32 outputdatalength;
	__u8 __user *bp_key;
	__u8 __user *bq_key;
	__u8 __user *np_prime;
	__u8 __user *nq_prime;
	__u8 __user *u_mult_inv;
};

#define ZCRYPT_IOCTL_MAGIC	'z'

/*
 * The size field of these two numbers is zero by history. EINVAL: room smaller
 * than the input, length zero, operand refused by the card (even or zero
 * modulus, input not below it). ENODEV: no online card takes this length.
 * EFAULT: bad address. EIO: ten cards in turn failed. EINTR: signal.
 */
#define ICARSAMODEXPO	_IOC(_IOC_READ | _IOC_WRITE, ZCRYPT_IOCTL_MAGIC, 0x05, 0)
#define ICARSACRT	_IOC(_IOC_READ | _IOC_WRITE, ZCRYPT_IOCTL_MAGIC, 0x06, 0)

#endif /* _UAPI_LINUX_Z90CRYPT_H */
