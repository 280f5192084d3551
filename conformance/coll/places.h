// Places for the memory of collectives in tests, and operations on them.
//
// An arena is memory of one kind on every node. A block in an arena has the
// same offset on every node. If the addresses of an arena are known, each node
// can compute the address of a block on every other node. Reserving is
// collective. Reserved blocks do not move.
#ifndef CONFORMANCE_COLL_PLACES_H_
#define CONFORMANCE_COLL_PLACES_H_

#include <cstddef>
#include <cstdint>

#include "conformance/harness.h"

namespace conformance {

enum class Place {
  kSegment,
  kFixed,  // outside of segments, at the same address on all nodes
  kHeap,
  kStatic,
  kPages,  // separate pages that can be protected; for sources
};
constexpr int kPlaces = 5;

constexpr size_t kSegmentBytes = size_t{14} << 20;
// The number of bytes at the start of each segment that a test may use itself.
constexpr size_t kReserved = 4096;
// The number of guard bytes before and after every area. No operation may
// change them.
constexpr size_t kGuard = 16;

// contents of destinations before the operation
constexpr int kSentinel = 0x5a;
// written to memory as soon as that is permitted
constexpr int kRubbish = 0x77;

// Opens the arenas. Called after StartJob with kSegmentBytes. Collective.
void OpenPlaces();

// Frees everything in all arenas, and makes pages writable again.
void EmptyPlaces();

// Reserves `bytes` bytes in an arena, with guards around them. The offset of
// the bytes is `misalign` more than a multiple of 64. Returns false if there is
// no room.
bool Reserve(Place place, size_t bytes, size_t misalign, size_t* offset);

// AddressIn returns the address of an offset on this node. AddressOn returns
// its address on another node, in arenas whose addresses are known.
char* AddressIn(Place place, size_t offset);
char* AddressOn(gasnet_node_t node, Place place, size_t offset);

// Sets the protection of a range, to forbid writes or all accesses. Only for
// kPages.
void ProtectPages(size_t offset, size_t bytes, int protection);

}  // namespace conformance

#endif  // CONFORMANCE_COLL_PLACES_H_
