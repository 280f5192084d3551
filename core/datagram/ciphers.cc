#include "core/datagram/ciphers.h"

#include "base/log.h"

// Weak: the core of a library is linked without it.
extern "C" [[gnu::weak]] const gasnet::datagram::Ciphers gasneti_core_ciphers;

namespace gasnet::datagram {

const Ciphers& GetCiphers() {
  const Ciphers* const linked = &gasneti_core_ciphers;
  if (linked == nullptr) {
    Fatal("datagrams are sent by a library that is linked without ciphers");
  }
  return *linked;
}

}  // namespace gasnet::datagram
