// What OpenSSL offers as macros or variadic functions, which Swift cannot call, as typed functions.
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

static inline EVP_PKEY *madang_generate_ed25519(void) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
}

static inline EVP_PKEY *madang_generate_p256(void) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

/// A P-256 public key from an uncompressed point of 65 bytes; NULL when it is not on the curve.
static inline EVP_PKEY *madang_p256_public(const unsigned char *point) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    OSSL_PARAM parameters[3];
    parameters[0] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"P-256", 0);
    parameters[1] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, 65);
    parameters[2] = OSSL_PARAM_construct_end();
    if (context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        key = NULL;
        ERR_clear_error();
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

/// ECDSA signature from DER to 64 bytes r and s; 1 on success.
static inline int madang_ecdsa_raw(const unsigned char *der, size_t count, unsigned char *raw) {
    const unsigned char *cursor = der;
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &cursor, (long)count);
    if (signature == NULL) return 0;
    int ok = BN_bn2binpad(ECDSA_SIG_get0_r(signature), raw, 32) == 32 &&
             BN_bn2binpad(ECDSA_SIG_get0_s(signature), raw + 32, 32) == 32;
    ECDSA_SIG_free(signature);
    return ok;
}

/// ECDSA signature from 64 bytes r and s to DER; its length, 0 on failure.
static inline int madang_ecdsa_der(const unsigned char *raw, unsigned char *der, size_t capacity) {
    ECDSA_SIG *signature = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(raw, 32, NULL), *s = BN_bin2bn(raw + 32, 32, NULL);
    if (signature == NULL || ECDSA_SIG_set0(signature, r, s) != 1) {
        BN_free(r);
        BN_free(s);
        ECDSA_SIG_free(signature);
        return 0;
    }
    int count = i2d_ECDSA_SIG(signature, NULL);
    if (count > 0 && (size_t)count <= capacity) {
        i2d_ECDSA_SIG(signature, &der);
    } else {
        count = 0;
    }
    ECDSA_SIG_free(signature);
    return count;
}
