// The lists of a portal table entry: entries, and headers of unexpected
// messages. Any process may call these functions while it holds the portal
// table entry's lock.
//
// The lists are doubly linked by slot numbers. A walk visits at most as many
// slots as the memory has, so it ends even in a cycle of corrupted memory.
#ifndef PORTALS_ENGINE_ENTRIES_H_
#define PORTALS_ENGINE_ENTRIES_H_

#include <cstdint>

#include "portals/engine/operation.h"
#include "portals/engine/view.h"
#include "portals/memory/extent.h"

namespace gasnet::portals4 {

void Link(const View& view, List& list, EntryRecord& entry);
void Unlink(const View& view, List& list, EntryRecord& entry);
void LinkHeader(const View& view, List& list, uint32_t slot);
void UnlinkHeader(const View& view, List& list, uint32_t slot);

inline uint32_t ListOf(const EntryRecord& entry) { return entry.pt_list & 1; }

// Returns true if the entry has this option (PTL_ME_...).
inline bool Has(const EntryRecord& entry, uint32_t option) {
  return (entry.options & option) != 0;
}

// Returns the number of bytes from `offset` to the end of the entry.
inline uint64_t RoomAt(const EntryRecord& entry, uint64_t offset) {
  return offset < entry.length ? entry.length - offset : 0;
}
inline uint64_t OffsetFor(const EntryRecord& entry, uint64_t remote_offset) {
  return (entry.options & PTL_ME_MANAGE_LOCAL) != 0 ? entry.offset
                                                    : remote_offset;
}

// Returns true if the entry accepts a message with these properties.
inline bool Accepts(const EntryRecord& entry, uint64_t match_bits,
                    uint64_t initiator, uint64_t length,
                    uint64_t remote_offset) {
  if (((entry.match_bits ^ match_bits) & entry.care_bits) != 0 ||
      ((entry.match_id ^ initiator) & entry.care_id) != 0) {
    return false;
  }
  return (entry.options & PTL_ME_NO_TRUNCATE) == 0 ||
         length <= RoomAt(entry, OffsetFor(entry, remote_offset));
}

// Returns the first entry of a list that takes the operation, or null.
EntryRecord* FindEntry(const View& view, const List& list,
                       const PortalsOperation& operation);

// Returns the memory behind an entry, in a form that this process can access.
Extent MemoryOf(PeerInterface& peer, const EntryRecord& entry);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_ENTRIES_H_
