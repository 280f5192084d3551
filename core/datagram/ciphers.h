// The functions of libsodium and ipsec-mb that seal packets, as a table.
//
// A library for clients consists of a core that all conduits share, and of a
// front for each conduit (docs/design/libraries.md). The core calls these
// functions by this table, which stands in the fronts of the conduits that send
// datagrams: programs for other conduits link neither of the two libraries.
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

// The table that the front has given, or that is linked with this. Ends the
// process if there is none: then its conduit is one that sends no datagrams.
const Ciphers& GetCiphers();

}  // namespace gasnet::datagram

extern "C" {
// By a front, in gasnet_init: one that was loaded after another, with which it
// shares the core.
void gasneti_core_use_ciphers(const gasnet::datagram::Ciphers* ciphers);
}

#endif  // CORE_DATAGRAM_CIPHERS_H_
