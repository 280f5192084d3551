// Begins atomic operations of Portals.
#include "base/log.h"
#include "conduits/portals/answers.h"
#include "conduits/portals/conduit_interface.h"

namespace gasnet::portals_conduit {
namespace {

int Begin(const DescriptorWindow& window, const PortalsAtomic& atomic,
          const RemoteTarget& to, void* user) {
  ptl_process_t target = {};
  target.rank = static_cast<ptl_rank_t>(to.peer);
  const ptl_pt_index_t table = ConduitInterface::IndexOf(to.table);
  const auto offset_of = [&](const void* local) {
    return reinterpret_cast<uintptr_t>(local) - window.start;
  };
  if (atomic.is_swap) {
    return PtlSwap(window.handle, offset_of(atomic.fetched), window.handle,
                   offset_of(atomic.source), atomic.nbytes, target, table,
                   to.match_bits, to.offset, user, to.header_data,
                   atomic.compared, atomic.operation, atomic.type);
  }
  if (atomic.fetched != nullptr) {
    return PtlFetchAtomic(
        window.handle, offset_of(atomic.fetched), window.handle,
        offset_of(atomic.source), atomic.nbytes, target, table, to.match_bits,
        to.offset, user, to.header_data, atomic.operation, atomic.type);
  }
  return PtlAtomic(window.handle, offset_of(atomic.source), atomic.nbytes,
                   PTL_ACK_REQ, target, table, to.match_bits, to.offset, user,
                   to.header_data, atomic.operation, atomic.type);
}

}  // namespace

bool ConduitInterface::has_coherent_atomics() const {
  constexpr ptl_size_t kLargest = sizeof(uint64_t);
  return (limits_.features & PTL_COHERENT_ATOMICS) != 0 &&
         limits_.max_atomic_size >= kLargest &&
         limits_.max_fetch_atomic_size >= kLargest;
}

void ConduitInterface::Operate(const PortalsAtomic& atomic,
                               const RemoteTarget& to, void* user) {
  const int answer = Begin(window(Descriptor::kPut), atomic, to, user);
  if (answer == PTL_OK) [[likely]]
    return;
  Fatal("Portals 4: an atomic on %zu bytes of rank %u failed: %s",
        atomic.nbytes, to.peer, AnswerText(answer));
}

}  // namespace gasnet::portals_conduit
