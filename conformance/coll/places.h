// Where the memory of collectives lies in tests, and what they do to it.
//
// An arena is memory of one kind on every node. A block in it has the same
// offset everywhere, so that each node knows every other's addresses where
// there is a way to know them. Placing is collective; nothing moves.
#ifndef CONFORMANCE_COLL_PLACES_H_
#define CONFORMANCE_COLL_PLACES_H_

#include <cstddef>
#include <cstdint>

#include "conformance/harness.h"

namespace conformance {

enum class Place {
  kSegment,
  kFixed,  // outside of segments, at one address on all nodes
  kHeap,
  kStatic,
  kPages,  // of its own, that can be protected: for sources
};
constexpr int kPlaces = 5;

constexpr size_t kSegmentBytes = size_t{14} << 20;
// At the beginning of segments, for a test's own use.
constexpr size_t kReserved = 4096;
// Around every area; what is in them must stay.
constexpr size_t kGuard = 16;

constexpr int kSentinel = 0x5a;  // what destinations hold before
constexpr int kRubbish = 0x77;   // what is written as soon as it may be

// After StartJob with kSegmentBytes. Collective.
void OpenPlaces();

// Forgets what lies in all arenas, and makes pages writable again.
void EmptyPlaces();

// An offset for so many bytes in an arena, `misalign` bytes beyond a multiple
// of 64, guards around them; false where there is no room.
bool Reserve(Place place, size_t bytes, size_t misalign, size_t* offset);

// Its address here, or on another node that knows it.
char* AddressIn(Place place, size_t offset);
char* AddressOn(gasnet_node_t node, Place place, size_t offset);

// Lets nobody write, or nobody touch, what lies there; kPages only.
void ProtectPages(size_t offset, size_t bytes, int protection);

}  // namespace conformance

#endif  // CONFORMANCE_COLL_PLACES_H_
