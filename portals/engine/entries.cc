#include "portals/engine/entries.h"

namespace gasnet::portals4 {
namespace {

// Links a record behind the tail of its list. `at(slot)` returns the record of
// a slot.
template <class Record, class At>
void Append(List& list, Record& record, uint32_t slot, At at) {
  record.prev = list.tail;
  record.next.store(0, std::memory_order_relaxed);
  if (Record* const tail = at(list.tail)) {
    tail->next.store(slot, std::memory_order_relaxed);
  } else {
    list.head = slot;
  }
  list.tail = slot;
  ++list.count;
}

template <class Record, class At>
void Remove(List& list, const Record& record, At at) {
  const uint32_t next = record.next.load(std::memory_order_relaxed);
  if (Record* const before = at(record.prev)) {
    before->next.store(next, std::memory_order_relaxed);
  } else {
    list.head = next;
  }
  if (Record* const behind = at(next)) {
    behind->prev = record.prev;
  } else {
    list.tail = record.prev;
  }
  if (list.count > 0) --list.count;
}

}  // namespace

void Link(const View& view, List& list, EntryRecord& entry) {
  Append(list, entry, view.SlotOf(entry),
         [&](uint32_t slot) { return view.EntryAt(slot); });
}

void Unlink(const View& view, List& list, EntryRecord& entry) {
  Remove(list, entry, [&](uint32_t slot) { return view.EntryAt(slot); });
}

void LinkHeader(const View& view, List& list, uint32_t slot) {
  Unexpected* const header = view.UnexpectedAt(slot);
  if (header == nullptr) return;
  Append(list, *header, slot,
         [&](uint32_t at) { return view.UnexpectedAt(at); });
}

void UnlinkHeader(const View& view, List& list, uint32_t slot) {
  const Unexpected* const header = view.UnexpectedAt(slot);
  if (header == nullptr) return;
  Remove(list, *header, [&](uint32_t at) { return view.UnexpectedAt(at); });
}

EntryRecord* FindEntry(const View& view, const List& list,
                       const PortalsOperation& operation) {
  uint32_t slot = list.head;
  for (uint32_t steps = view.counts().entries; steps > 0; --steps) {
    EntryRecord* const entry = view.EntryAt(slot);
    if (entry == nullptr) return nullptr;
    if (Accepts(*entry, operation.match_bits, operation.initiator,
                operation.length, operation.remote_offset)) {
      return entry;
    }
    slot = entry->next.load(std::memory_order_relaxed);
  }
  return nullptr;
}

Extent MemoryOf(PeerInterface& peer, const EntryRecord& entry) {
  Extent extent;
  extent.space = &peer.space;
  extent.start = entry.start;
  extent.mapping = entry.mapping;
  // Any process may write the record, so the option PTL_ME_IS_ACCESSIBLE proves
  // nothing. The memory must be checked even if the option is set.
  extent.trust = (entry.options & PTL_ME_IS_ACCESSIBLE) != 0
                     ? Extent::Trust::kLook
                     : Extent::Trust::kDoubtful;
  // An iovec without elements in the tables counts as missing memory. Its
  // `start` is where the program keeps its elements, and nobody may touch that.
  if (entry.iov != 0 || (entry.options & PTL_IOVEC) != 0) {
    // Reads the count only once: another process may change it after the check.
    const uint32_t count = entry.iov_count;
    extent.iov = peer.view.Iovs(entry.iov - 1, count);
    extent.iov_count = count;
    // An invalid iovec counts as missing memory.
    if (extent.iov == nullptr) {
      extent.iov = peer.view.Iovs(0, 0);
      extent.iov_count = 0;
    }
  }
  return extent;
}

}  // namespace gasnet::portals4
