// A table of the functions of libsodium and ipsec-mb that seal packets.
//
// A client library consists of a core that all conduits share, and a front for
// each conduit (docs/design/libraries.md). The core calls these functions
// through this table. Only the fronts of conduits that send datagrams contain
// the table. So programs for other conduits link neither libsodium nor
// ipsec-mb.
#ifndef CORE_DATAGRAM_CIPHERS_H_
#define CORE_DATAGRAM_CIPHERS_H_

#include <sodium.h>

#if defined(__x86_64__)
#include <intel-ipsec-mb.h>
#endif

namespace gasnet::datagram {

struct Ciphers {
  decltype(&sodium_init) init;
  decltype(&crypto_generichash) hash;
  decltype(&crypto_aead_chacha20poly1305_ietf_encrypt_detached) encrypt;
  decltype(&crypto_aead_chacha20poly1305_ietf_decrypt_detached) decrypt;
#if defined(__x86_64__)
  decltype(&alloc_mb_mgr) alloc_manager;
  decltype(&free_mb_mgr) free_manager;
  decltype(&init_mb_mgr_auto) init_best;
  decltype(&init_mb_mgr_avx2) init_avx2;
#endif
};

// Returns the table that the front provided, or that is linked into this
// program. Ends the process if there is no table, since the conduit then cannot
// send datagrams.
const Ciphers& GetCiphers();

}  // namespace gasnet::datagram

extern "C" {
// Sets the table. Called in gasnet_init by a front that shares the core with a
// front that was loaded earlier.
void gasneti_core_use_ciphers(const gasnet::datagram::Ciphers* ciphers);
}

#endif  // CORE_DATAGRAM_CIPHERS_H_
