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

/**
 * struct ica_xcRB - argument of ZSECSENDCPRB, a request to a CCA coprocessor
 * @agent_ID: agent
 * @user_defined: adapter, or all ones for any
 * @request_ID: "T2" or "T5"
 * @request_control_blk_length: bytes at @request_control_blk_addr
 * @padding1: makes the address 16 bytes, also for 32-bit callers
 * @request_control_blk_addr: CPRB
 * @request_data_length: bytes at @request_data_address
 * @padding2: as @padding1
 * @request_data_address: data that follows it
 * @reply_control_blk_length: in: room; out: bytes
 * @padding3: as @padding1
 * @reply_control_blk_addr: room for the reply's CPRB
 * @reply_data_length: in: room; out: bytes
 * @padding4: as @padding1
 * @reply_data_addr: room for the reply's data
 * @priority_window: 0
 * @status: out: status
 */
struct ica_xcRB {
	__u16 agent_ID;
	__u32 user_defined;
	__u16 request_ID;
	__u32 request_control_blk_length;
	__u8 padding1[16 - sizeof(__u8 __user *)];
	__u8 __user *request_control_blk_addr;
	__u32 request_data_length;
	__u8 padding2[16 - sizeof(__u8 __user *)];
	__u8 __user *request_data_address;
	__u32 reply_control_blk_length;
	__u8 padding3[16 - sizeof(__u8 __user *)];
	__u8 __user *reply_control_blk_addr;
	__u32 reply_data_length;
	__u8 padding4[16 - sizeof(__u8 __user *)];
	__u8 __user *reply_data_addr;
	__u16 priority_window;
	__u32 status;
} __attribute__((packed));

/**
 * struct ep11_urb - argument of ZSENDEP11CPRB, a request to an EP11 coprocessor
 * @targets_num: entries at @targets, 0 for any
 * @targets: list of adapters and domains, 2 x 2 bytes each
 * @weight: priority
 * @req_no: number of the request
 * @req_len: bytes at @req
 * @req: request
 * @resp_len: in: room; out: bytes
 * @resp: room for the response
 */
struct ep11_urb {
	__u16 targets_num;
	__u8 __user *targets;
	__u64 weight;
	__u64 req_no;
	__u64 req_len;
	__u8 __user *req;
	__u64 resp_len;
	__u8 __user *resp;
} __attribute__((packed));

#define MAX_ZDEV_CARDIDS_EXT	256
#define MAX_ZDEV_DOMAINS_EXT	256
#define MAX_ZDEV_ENTRIES_EXT	(MAX_ZDEV_CARDIDS_EXT * MAX_ZDEV_DOMAINS_EXT)

/**
 * struct zcrypt_device_status_ext - state of one queue
 * @hwtype: hardware type of the card, 14 for CEX8; 0: there is no such queue
 * @qid: card in the upper 8 bits, domain in the lower 8
 * @online: whether the queue is set online
 * @functions: upper 6 facility bits of the card: 0x02 accelerator, 0x04 CCA,
 *	       0x01 EP11
 * @reserved: 0
 *
 * Bit fields: where the bits lie depends on the byte order of the machine.
 */
struct zcrypt_device_status_ext {
	unsigned int hwtype:8;
	unsigned int qid:16;
	unsigned int online:1;
	unsigned int functions:6;
	unsigned int reserved:1;
};

/**
 * struct zcrypt_device_matrix_ext - argument of ZCRYPT_DEVICE_STATUS
 * @device: by card * MAX_ZDEV_DOMAINS_EXT + domain
 */
struct zcrypt_device_matrix_ext {
	struct zcrypt_device_status_ext device[MAX_ZDEV_ENTRIES_EXT];
};

/* Values of ZCRYPT_STATUS_MASK; later accelerators say ZCRYPT_STATUS_CEX6. */
#define ZCRYPT_STATUS_NONE	0x00	/* no such card, or not this domain */
#define ZCRYPT_STATUS_CEX2A	0x06
#define ZCRYPT_STATUS_CEX3C	0x07	/* and all later ones in mode CCA */
#define ZCRYPT_STATUS_CEX3A	0x08
#define ZCRYPT_STATUS_CEX4	0x0a
#define ZCRYPT_STATUS_CEX5	0x0b
#define ZCRYPT_STATUS_CEX6	0x0c
#define ZCRYPT_STATUS_OFFLINE	0x0d

#define ZCRYPT_IOCTL_MAGIC	'z'

/*
 * The size field of these numbers is zero by history. EINVAL: room smaller
 * than the input, length zero, operand refused by the card (even or zero
 * modulus, input not below it). ENODEV: no online card takes this length.
 * EFAULT: bad address. EIO: ten cards in turn failed, or none took it in the
 * time of ten tries. EINTR: signal.
 */
#define ICARSAMODEXPO	_IOC(_IOC_READ | _IOC_WRITE, ZCRYPT_IOCTL_MAGIC, 0x05, 0)
#define ICARSACRT	_IOC(_IOC_READ | _IOC_WRITE, ZCRYPT_IOCTL_MAGIC, 0x06, 0)

/* EFAULT, or ENODEV: there is no coprocessor of that kind. */
#define ZSECSENDCPRB	_IOC(_IOC_READ | _IOC_WRITE, ZCRYPT_IOCTL_MAGIC, 0x81, 0)
#define ZSENDEP11CPRB	_IOC(_IOC_READ | _IOC_WRITE, ZCRYPT_IOCTL_MAGIC, 0x04, 0)

/*
 * State of all queues, struct zcrypt_device_matrix_ext; and, of each card's
 * queue in the default domain: a ZCRYPT_STATUS value, the number of requests
 * in flight (modulo 256), the number of requests so far (UINT_MAX and more
 * read as UINT_MAX). EFAULT: bad address. ENOMEM.
 */
#define ZCRYPT_DEVICE_STATUS	\
	_IOC(_IOC_READ | _IOC_WRITE, ZCRYPT_IOCTL_MAGIC, 0x5f, 0)
#define ZCRYPT_STATUS_MASK	\
	_IOR(ZCRYPT_IOCTL_MAGIC, 0x58, char[MAX_ZDEV_CARDIDS_EXT])
#define ZCRYPT_QDEPTH_MASK	\
	_IOR(ZCRYPT_IOCTL_MAGIC, 0x59, char[MAX_ZDEV_CARDIDS_EXT])
#define ZCRYPT_PERDEV_REQCNT	\
	_IOR(ZCRYPT_IOCTL_MAGIC, 0x5a, int[MAX_ZDEV_CARDIDS_EXT])

/*
 * Over all cards, in the default domain: requests that wait for a slot, and
 * requests inside a card. Then: open files of this device, and the default
 * domain, -1 for none.
 */
#define Z90STAT_REQUESTQ_COUNT	_IOR(ZCRYPT_IOCTL_MAGIC, 0x44, int)
#define Z90STAT_PENDINGQ_COUNT	_IOR(ZCRYPT_IOCTL_MAGIC, 0x45, int)
#define Z90STAT_TOTALOPEN_COUNT	_IOR(ZCRYPT_IOCTL_MAGIC, 0x46, int)
#define Z90STAT_DOMAIN_INDEX	_IOR(ZCRYPT_IOCTL_MAGIC, 0x47, int)

/* Deprecated forms for 64 cards. */
#define MAX_ZDEV_CARDIDS	64
#define MAX_ZDEV_DOMAINS	256
#define MAX_ZDEV_ENTRIES	(MAX_ZDEV_CARDIDS * MAX_ZDEV_DOMAINS)

/**
 * struct zcrypt_device_status - deprecated: &struct zcrypt_device_status_ext
 * @hwtype: as there
 * @qid: card in the upper 6 bits, domain in the lower 8
 * @online: as there
 * @functions: as there
 * @reserved: 0
 */
struct zcrypt_device_status {
	unsigned int hwtype:8;
	unsigned int qid:14;
	unsigned int online:1;
	unsigned int functions:6;
	unsigned int reserved:3;
};

/**
 * struct zcrypt_device_matrix - argument of ZDEVICESTATUS
 * @device: by card * MAX_ZDEV_DOMAINS + domain
 */
struct zcrypt_device_matrix {
	struct zcrypt_device_status device[MAX_ZDEV_ENTRIES];
};

#define ZDEVICESTATUS		\
	_IOC(_IOC_READ | _IOC_WRITE, ZCRYPT_IOCTL_MAGIC, 0x4f, 0)
#define Z90STAT_STATUS_MASK	\
	_IOR(ZCRYPT_IOCTL_MAGIC, 0x48, char[MAX_ZDEV_CARDIDS])
#define Z90STAT_QDEPTH_MASK	\
	_IOR(ZCRYPT_IOCTL_MAGIC, 0x49, char[MAX_ZDEV_CARDIDS])
#define Z90STAT_PERDEV_REQCNT	\
	_IOR(ZCRYPT_IOCTL_MAGIC, 0x4a, int[MAX_ZDEV_CARDIDS])

/* 0x40 to 0x42 and 0x4b to 0x4e had meanings in the past: do not use them. */

#endif /* _UAPI_LINUX_Z90CRYPT_H */
