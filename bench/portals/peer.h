// The other process of the benchmark of //portals: it has entries for what is
// measured and does what it is told: compute, answer puts, take events, sleep.
//
// Commands go through one word in memory that both share; the initiator writes
// it, and the peer counts how many it has begun. Both keep to a processor of
// their own.
#ifndef BENCH_PORTALS_PEER_H_
#define BENCH_PORTALS_PEER_H_

#include <portals4.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gasnet::bench {

inline constexpr size_t kMappedBytes = size_t{4} << 20;
inline constexpr ptl_size_t kPeerEvents = 1 << 15;
// Of the chain: the peer's own puts, each begun by the arrival of the one
// before.
inline constexpr int kChain = 8;
inline constexpr ptl_size_t kArmed = 64;

// Indices of the peer's portal table.
enum : ptl_pt_index_t { kCounted, kPong, kFlood, kMapped, kPrivate, kChained };
// Of the initiator's: what the peer answers to, and where the chain ends.
enum : ptl_pt_index_t { kPongBack, kChainEnd };

enum class Command : uint32_t { kCompute, kAnswer, kTake, kArm, kSleep, kEnd };

struct Shared {
  std::atomic<uint32_t> command;
  std::atomic<uint32_t> issued;
  std::atomic<uint32_t> begun;
  std::atomic<uint32_t> done;
  std::atomic<uint32_t> ready;
  ptl_process_t initiator;
  ptl_process_t peer;
  void* private_memory;
  uint64_t chain_from;  // rounds of it that there have been
  // On a line of its own: it is written for each event of the flood, and the
  // rest is read for each put.
  alignas(64) std::atomic<uint64_t> taken;
};

// Ends the program with a line if a call did not answer PTL_OK.
void Check(int code, const char* call);
#define PTL_CHECK(call) ::gasnet::bench::Check((call), #call)

// Opens a physical matching interface; gives this process's name.
ptl_handle_ni_t OpenInterface(ptl_process_t* id);
// An entry that takes everything, without events of its linking.
void AppendEntry(ptl_handle_ni_t ni, ptl_pt_index_t pt, void* start,
                 size_t length, unsigned options, ptl_handle_ct_t ct);

// The peer itself; `memory` is shared with the initiator by a file.
[[noreturn]] void RunPeer(Shared& shared, void* memory);

}  // namespace gasnet::bench

#endif  // BENCH_PORTALS_PEER_H_
