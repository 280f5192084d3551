#include "core/datagram/ciphers.h"

#include "base/log.h"

// Weak: the core of a library is linked without it.
extern "C" [[gnu::weak]] const gasnet::datagram::Ciphers gasneti_core_ciphers;

namespace gasnet::datagram {
namespace {
const Ciphers* ciphers_in_use = &gasneti_core_ciphers;
}  // namespace

const Ciphers& GetCiphers() {
  if (ciphers_in_use == nullptr) {
    Fatal("datagrams are sent by a library that is linked without ciphers");
  }
  return *ciphers_in_use;
}

}  // namespace gasnet::datagram

void gasneti_core_use_ciphers(const gasnet::datagram::Ciphers* ciphers) {
  gasnet::datagram::ciphers_in_use = ciphers;
}
