// The peer: the second process of the benchmark of //portals. The peer has the
// list entries that the measured puts and gets access. It executes commands:
// compute, answer puts, take events, arm the chain, sleep.
//
// Commands pass through one word of shared memory. The initiator (the measuring
// process) writes this word. The peer counts the commands that it has begun.
// Each process is bound to a processor of its own.
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
// The number of puts in the chain. The initiator makes the first put; the peer
// makes the other ones. The arrival of each put triggers the next one.
inline constexpr int kChain = 8;
inline constexpr ptl_size_t kArmed = 64;

// Indices of the peer's portal table.
enum : ptl_pt_index_t { kCounted, kPong, kFlood, kMapped, kPrivate, kChained };
// Indices in the initiator's portal table: the target of the peer's answers,
// and the end of the chain.
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
  uint64_t chain_from;  // number of the chain's rounds so far
  // `taken` is on a cache line of its own. The peer writes it for each event of
  // the flood, while puts read the other members.
  alignas(64) std::atomic<uint64_t> taken;
};

// Ends the program with a message unless `code` is PTL_OK.
void Check(int code, const char* call);
#define PTL_CHECK(call) ::gasnet::bench::Check((call), #call)

// Opens a physical matching interface and stores this process's name in `id`.
ptl_handle_ni_t OpenInterface(ptl_process_t* id);
// Appends a list entry that accepts every message, without link events.
void AppendEntry(ptl_handle_ni_t ni, ptl_pt_index_t pt, void* start,
                 size_t length, unsigned options, ptl_handle_ct_t ct);

// Runs the peer. `memory` is shared with the initiator through a file.
[[noreturn]] void RunPeer(Shared& shared, void* memory);

}  // namespace gasnet::bench

#endif  // BENCH_PORTALS_PEER_H_
