/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * libkcapi, loaded when the first AF_ALG back end is opened
 *
 * Not linked, because most programs go through /dev/apq and do not have it,
 * and because versions after 1.4.0 make every process that loads them not
 * dumpable.
 */
#ifndef APQ_KCAPI_H
#define APQ_KCAPI_H

#include <kcapi.h>

/* Its functions, without their common prefix kcapi_ */
struct apq_kcapi {
	__typeof__(kcapi_set_verbosity) *set_verbosity;
	__typeof__(kcapi_cipher_init) *cipher_init;
	__typeof__(kcapi_cipher_destroy) *cipher_destroy;
	__typeof__(kcapi_cipher_blocksize) *cipher_blocksize;
	__typeof__(kcapi_cipher_ivsize) *cipher_ivsize;
	__typeof__(kcapi_cipher_setkey) *cipher_setkey;
	__typeof__(kcapi_cipher_encrypt) *cipher_encrypt;
	__typeof__(kcapi_cipher_decrypt) *cipher_decrypt;
	__typeof__(kcapi_handle_reinit) *handle_reinit;
};

/* NULL if the library, or one of its functions, is not there */
const struct apq_kcapi *apq_kcapi(void);

#endif /* APQ_KCAPI_H */
