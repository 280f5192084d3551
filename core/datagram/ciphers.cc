#include "core/datagram/ciphers.h"

#include <atomic>

#include "base/log.h"

// Weak, because the core of a library is linked without this table.
extern "C" [[gnu::weak]] const gasnet::datagram::Ciphers gasneti_core_ciphers;

namespace gasnet::datagram {
namespace {
// Atomic, because a late gasnet_init stores the same value again while other
// threads read it.
std::atomic<const Ciphers*> ciphers_in_use{&gasneti_core_ciphers};
}  // namespace

const Ciphers& GetCiphers() {
  const Ciphers* const ciphers = ciphers_in_use.load(std::memory_order_relaxed);
  if (ciphers == nullptr) {
    Fatal("a library that sends datagrams is linked without ciphers");
  }
  return *ciphers;
}

}  // namespace gasnet::datagram

void gasneti_core_use_ciphers(const gasnet::datagram::Ciphers* ciphers) {
  gasnet::datagram::ciphers_in_use.store(ciphers, std::memory_order_relaxed);
}
