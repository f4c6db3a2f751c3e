// SPDX-License-Identifier: GPL-2.0
/*
 * Raw RSA of a software card, on the kernel's multi-precision integers.
 *
 * The kernel's own akcipher "rsa" takes whole keys of a few sizes only; a
 * z90crypt request brings any exponent and modulus of 1 to 512 bytes, or CRT
 * values without modulus and exponent, so the same library is called here
 * directly. mpi_powm() is not constant in time: this card is for development
 * and measuring, not for keys that a neighbour on the machine must not learn.
 */

#include <linux/mpi.h>
#include <linux/string.h>
#include "../core/card.h"
#include "rsa.h"

/* Writes the result right-justified, padded with zeros. */
static int write_result(const struct apq_rsa *rsa, MPI result)
{
	unsigned int nbytes;
	int ret;

	ret = mpi_read_buffer(result, rsa->out, rsa->len, &nbytes, NULL);
	if (ret)
		return ret;
	memmove(rsa->out + rsa->len - nbytes, rsa->out, nbytes);
	memset(rsa->out, 0, rsa->len - nbytes);
	return 0;
}

static unsigned int check_modulus(MPI mod)
{
	if (!mpi_cmp_ui(mod, 0))
		return APQ_REPLY_OPERAND;
	return mpi_test_bit(mod, 0) ? APQ_REPLY_OK : APQ_REPLY_EVEN_MODULUS;
}

/* Out of memory is worth a try on another card, as a broken machine is. */
static unsigned int code_of(int ret)
{
	return ret ? APQ_REPLY_MACHINE_FAIL : APQ_REPLY_OK;
}

static unsigned int run_me(const struct apq_rsa *rsa)
{
	unsigned int code = APQ_REPLY_MACHINE_FAIL;
	MPI in = mpi_read_raw_data(rsa->in, rsa->len);
	MPI exp = mpi_read_raw_data(rsa->exp, rsa->len);
	MPI mod = mpi_read_raw_data(rsa->mod, rsa->len);
	MPI out = mpi_alloc(0);

	if (!in || !exp || !mod || !out)
		goto out_free;
	code = check_modulus(mod);
	if (code)
		goto out_free;
	code = APQ_REPLY_OPERAND;
	if (!mpi_cmp_ui(exp, 0) || mpi_cmp(in, mod) >= 0)
		goto out_free;
	code = code_of(mpi_powm(out, in, exp, mod) ?: write_result(rsa, out));
out_free:
	mpi_free(out);
	mpi_free(mod);
	mpi_free(exp);
	mpi_free(in);
	return code;
}

enum { IN, P, Q, DP, DQ, QINV, M1, M2, OUT, NR_CRT };

/* m = m2 + ((m1 - m2) * qinv mod p) * q */
static int crt(const struct apq_rsa *rsa, MPI *v)
{
	int ret;

	ret = mpi_powm(v[M1], v[IN], v[DP], v[P]);
	ret = ret ?: mpi_powm(v[M2], v[IN], v[DQ], v[Q]);
	ret = ret ?: mpi_subm(v[M1], v[M1], v[M2], v[P]);
	/*
	 * Never in place: since 6.12 a factor that is also the product and zero
	 * counts as out of memory, and m1 - m2 is zero for small inputs.
	 */
	ret = ret ?: mpi_mulm(v[OUT], v[M1], v[QINV], v[P]);
	ret = ret ?: mpi_mul(v[M1], v[OUT], v[Q]);
	ret = ret ?: mpi_add(v[OUT], v[M1], v[M2]);
	return ret ?: write_result(rsa, v[OUT]);
}

static unsigned int check_crt(MPI *v)
{
	unsigned int code, i;

	code = check_modulus(v[P]) ?: check_modulus(v[Q]);
	if (code)
		return code;
	for (i = DP; i <= QINV; i++)
		if (!mpi_cmp_ui(v[i], 0))
			return APQ_REPLY_OPERAND;
	if (mpi_mul(v[OUT], v[P], v[Q]))
		return APQ_REPLY_MACHINE_FAIL;
	if (mpi_cmp(v[IN], v[OUT]) >= 0)
		return APQ_REPLY_OPERAND;
	return APQ_REPLY_OK;
}

static unsigned int run_crt(const struct apq_rsa *rsa)
{
	const u8 *src[] = { rsa->in, rsa->p, rsa->q, rsa->dp, rsa->dq,
			    rsa->qinv };
	unsigned int code = APQ_REPLY_MACHINE_FAIL;
	MPI v[NR_CRT] = {};
	unsigned int i;

	for (i = IN; i < NR_CRT; i++) {
		if (i > QINV)
			v[i] = mpi_alloc(0);
		else
			v[i] = mpi_read_raw_data(src[i], i == IN ?
						 rsa->len : rsa->part_len);
		if (!v[i])
			goto out_free;
	}
	code = check_crt(v);
	if (!code)
		code = code_of(crt(rsa, v));
out_free:
	for (i = IN; i < NR_CRT; i++)
		mpi_free(v[i]);
	return code;
}

/**
 * apq_rsa_run() - do a raw RSA operation
 * @alg: APQ_ALG_RSA_ME or APQ_ALG_RSA_CRT
 * @rsa: operands
 *
 * Context: process context, may sleep.
 * Return: enum apq_reply_code, as a card of the real kind would answer.
 */
unsigned int apq_rsa_run(unsigned int alg, const struct apq_rsa *rsa)
{
	return alg == APQ_ALG_RSA_CRT ? run_crt(rsa) : run_me(rsa);
}
