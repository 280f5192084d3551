// Tagged pointers. They are the user_ptr of operations. Each points to the
// record of an operation. The low bits have the kind of the record.
#ifndef CONDUITS_PORTALS_TAGGED_H_
#define CONDUITS_PORTALS_TAGGED_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::portals_conduit {

enum class TagKind : uintptr_t {
  kNone,
  kTransfer,
  kRequest,
  kReply,
  kFetch,
  // The pointers of the following kinds hold only the peer, not a record.
  kQuietReply,
  kSystem,
  kBarrier,
};

inline constexpr size_t kRecordAlignment = 64;
inline constexpr size_t kKinds = 8;
inline constexpr size_t kTurns = kRecordAlignment / kKinds;

// Tags a record. `turn` distinguishes successive users of the record.
template <class Record>
void* Tag(Record& record, TagKind kind, unsigned turn = 0) {
  static_assert(alignof(Record) >= kRecordAlignment);
  return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(&record) |
                                 turn % kTurns * kKinds |
                                 static_cast<uintptr_t>(kind));
}

// Returns the tagged pointer of an operation that has no record, only a peer.
inline void* TagRank(uint32_t peer, TagKind kind) {
  return reinterpret_cast<void*>(uintptr_t{peer} * kRecordAlignment |
                                 static_cast<uintptr_t>(kind));
}
inline uint32_t RankOf(const void* user) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(user) /
                               kRecordAlignment);
}

inline TagKind KindOf(const void* user) {
  return static_cast<TagKind>(reinterpret_cast<uintptr_t>(user) % kKinds);
}
inline unsigned TurnOf(const void* user) {
  return static_cast<unsigned>(reinterpret_cast<uintptr_t>(user) / kKinds %
                               kTurns);
}

template <class Record>
Record& Untag(void* user) {
  const auto at = reinterpret_cast<uintptr_t>(user);
  return *reinterpret_cast<Record*>(at - at % kRecordAlignment);
}

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_TAGGED_H_
