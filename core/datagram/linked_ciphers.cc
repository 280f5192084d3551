// The table of ciphers. It is linked with libsodium and ipsec-mb.
#include "core/datagram/ciphers.h"

extern "C" {
extern const gasnet::datagram::Ciphers gasneti_core_ciphers;
const gasnet::datagram::Ciphers gasneti_core_ciphers = {
    .init = &sodium_init,
    .hash = &crypto_generichash,
    .encrypt = &crypto_aead_chacha20poly1305_ietf_encrypt_detached,
    .decrypt = &crypto_aead_chacha20poly1305_ietf_decrypt_detached,
#if defined(__x86_64__)
    .alloc_manager = &alloc_mb_mgr,
    .free_manager = &free_mb_mgr,
    .init_best = &init_mb_mgr_auto,
    .init_avx2 = &init_mb_mgr_avx2,
#endif
};
}  // extern "C"
