// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Sizes, offsets and numbers of the kernel interfaces
 *
 * Built twice, for 64-bit and 32-bit programs. /dev/apq looks the same to
 * both; the z90crypt structures hold pointers and do not, as on s390.
 */
#include <linux/apq.h>
#include <linux/z90crypt.h>
#include <stddef.h>

#include "tap.h"

#define IS(expr, value) do {						\
	enum { GOT = (expr), WANT = (value) };				\
									\
	_Static_assert(GOT == WANT, #expr);				\
	tap_is(GOT, WANT, "%s", #expr);					\
} while (0)

#if __SIZEOF_POINTER__ == 8
#define P64(on64, on32) (on64)
#else
#define P64(on64, on32) (on32)
#endif

#define AT(type, field, offset) IS(offsetof(struct type, field), offset)

static void test_apq(void)
{
	IS(sizeof(struct apq_info), 64);
	AT(apq_info, nr_cards, 4);
	AT(apq_info, algs, 8);
	AT(apq_info, max_data_len, 16);
	AT(apq_info, max_sessions, 20);
	AT(apq_info, max_in_flight, 24);
	AT(apq_info, max_iov, 28);
	AT(apq_info, max_aad_len, 32);
	AT(apq_info, reserved, 40);

	IS(sizeof(struct apq_session_create), 32);
	AT(apq_session_create, flags, 4);
	AT(apq_session_create, key, 8);
	AT(apq_session_create, key_len, 16);
	AT(apq_session_create, tag_len, 20);
	AT(apq_session_create, mod_len, 24);
	AT(apq_session_create, reserved, 28);

	IS(sizeof(struct apq_op), 64);
	AT(apq_op, op, 4);
	AT(apq_op, flags, 5);
	AT(apq_op, reserved, 6);
	AT(apq_op, user_data, 8);
	AT(apq_op, src, 16);
	AT(apq_op, dst, 24);
	AT(apq_op, src_len, 32);
	AT(apq_op, dst_len, 36);
	AT(apq_op, reserved2, 40);
	AT(apq_op, timeout_ms, 44);
	AT(apq_op, iv, 48);

	IS(APQ_IOC_INFO, 0x8040a900U);
	IS(APQ_IOC_SESSION_CREATE, 0x4020a901U);
	IS(APQ_IOC_SESSION_DESTROY, 0x0000a902U);
	IS(APQ_IOC_CRYPT, 0x4040a903U);
}

static void test_apq_batches(void)
{
	IS(sizeof(struct apq_iovec), 16);
	AT(apq_iovec, len, 8);

	IS(sizeof(struct apq_entry), 96);
	AT(apq_entry, session, 8);
	AT(apq_entry, op, 12);
	AT(apq_entry, src_nr, 13);
	AT(apq_entry, dst_nr, 14);
	AT(apq_entry, flags, 15);
	AT(apq_entry, src, 16);
	AT(apq_entry, dst, 24);
	AT(apq_entry, src_len, 32);
	AT(apq_entry, dst_len, 36);
	AT(apq_entry, aad, 40);
	AT(apq_entry, aad_len, 48);
	AT(apq_entry, reserved, 52);
	AT(apq_entry, deadline_ns, 56);
	AT(apq_entry, iv, 64);
	AT(apq_entry, reserved2, 80);

	IS(sizeof(struct apq_submit), 32);
	AT(apq_submit, nr, 8);
	AT(apq_submit, entry_size, 12);
	AT(apq_submit, flags, 16);
	AT(apq_submit, accepted, 24);
	AT(apq_submit, error, 28);

	IS(sizeof(struct apq_completion), 16);
	AT(apq_completion, result, 8);

	IS(sizeof(struct apq_reap), 40);
	AT(apq_reap, max, 8);
	AT(apq_reap, min, 12);
	AT(apq_reap, completion_size, 16);
	AT(apq_reap, flags, 20);
	AT(apq_reap, timeout_ns, 24);
	AT(apq_reap, reserved, 32);

	IS(sizeof(struct apq_cancel), 16);
	AT(apq_cancel, flags, 8);

	IS(sizeof(struct apq_file_mode), 32);
	AT(apq_file_mode, flags, 16);

	IS(APQ_IOC_RUN, 0x4060a904U);
	IS(APQ_IOC_SUBMIT, 0xc020a905U);
	IS(APQ_IOC_REAP, 0x4028a906U);
	IS(APQ_IOC_CANCEL, 0x4010a907U);
	IS(APQ_IOC_EVENTFD, 0x0000a908U);
	IS(APQ_IOC_SET_MODE, 0x4020a909U);
	IS(APQ_IOC_SESSION_EXPORT, 0x0000a90aU);
	IS(APQ_IOC_SESSION_IMPORT, 0x0000a90bU);
}

static void test_z90crypt(void)
{
	IS(sizeof(struct ica_rsa_modexpo), P64(48, 24));
	AT(ica_rsa_modexpo, inputdatalength, P64(8, 4));
	AT(ica_rsa_modexpo, outputdata, P64(16, 8));
	AT(ica_rsa_modexpo, outputdatalength, P64(24, 12));
	AT(ica_rsa_modexpo, b_key, P64(32, 16));
	AT(ica_rsa_modexpo, n_modulus, P64(40, 20));

	IS(sizeof(struct ica_rsa_modexpo_crt), P64(72, 36));
	AT(ica_rsa_modexpo_crt, inputdatalength, P64(8, 4));
	AT(ica_rsa_modexpo_crt, outputdata, P64(16, 8));
	AT(ica_rsa_modexpo_crt, outputdatalength, P64(24, 12));
	AT(ica_rsa_modexpo_crt, bp_key, P64(32, 16));
	AT(ica_rsa_modexpo_crt, bq_key, P64(40, 20));
	AT(ica_rsa_modexpo_crt, np_prime, P64(48, 24));
	AT(ica_rsa_modexpo_crt, nq_prime, P64(56, 28));
	AT(ica_rsa_modexpo_crt, u_mult_inv, P64(64, 32));

	IS(ICARSAMODEXPO, 0xc0007a05U);
	IS(ICARSACRT, 0xc0007a06U);
}

int main(void)
{
	tap_plan(94);
	test_apq();
	test_apq_batches();
	test_z90crypt();
	return tap_exit();
}
