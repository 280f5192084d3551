// With GASNET_UDP_PROGRESS=1 and GASNET_OFI_PROGRESS=1, puts, gets and memsets
// to nodes of other hosts that compute and make no call complete. Without these
// settings, the waits of node 0 would never end.
//
// The handlers of active messages to a node that computes run once the node
// polls. So do the handlers of replies.
#include <sched.h>

#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr int kRounds = 12;
constexpr size_t kLargest = size_t{4} << 20;
constexpr size_t kBytes = 2 * kLargest + 4096;
constexpr size_t kPayload = 200;

// Reads a word that a put may write at the same time. The thread sanitizer must
// not see the read, since nothing orders it with the put.
__attribute__((noinline, no_sanitize("thread"))) uint32_t Peek(
    const volatile uint32_t* word) {
  return *word;
}

// Written by puts alone: the number of rounds that have ended.
volatile uint32_t* Gone(gasnet_node_t node) {
  return reinterpret_cast<volatile uint32_t*>(SharedMemory(node));
}
char* Area(gasnet_node_t node) { return SharedMemory(node) + 4096; }

int requests = 0;
int expected = 0;  // requests to this node until now
int replies = 0;

void OnRequest(gasnet_token_t token, void* data, size_t bytes,
               gasnet_handlerarg_t key) {
  CHECK_PATTERN(data, bytes, static_cast<uint32_t>(key));
  ++requests;
  CHECK_OK(gasnet_AMReplyMedium1(token, kReply, data, bytes, key));
}
void OnReply(gasnet_token_t, void* data, size_t bytes,
             gasnet_handlerarg_t key) {
  CHECK_PATTERN(data, bytes, static_cast<uint32_t>(key));
  ++replies;
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kRequest, OnRequest),
    HANDLER(kReply, OnReply),
};

template <class Do>
void ForOthers(Do action) {
  for (gasnet_node_t node = 1; node < gasnet_nodes(); ++node) action(node);
}

// Sends a request whose handler runs after the round.
void Ask(gasnet_node_t node, int round) {
  char data[kPayload];
  FillPattern(data, sizeof data, static_cast<uint32_t>(round));
  CHECK_OK(gasnet_AMRequestMedium1(node, kRequest, data, sizeof data, round));
}

// Puts, gets and sets `bytes` bytes, and waits for each operation.
void Exchange(gasnet_node_t node, size_t bytes, uint32_t key) {
  std::vector<char> source(bytes);
  std::vector<char> got(bytes);
  FillPattern(source.data(), bytes, key);
  gasnet_put_bulk(node, Area(node), source.data(), bytes);
  gasnet_get_bulk(got.data(), node, Area(node), bytes);
  CHECK_PATTERN(got.data(), bytes, key);
  const int value = static_cast<int>(key % 251);
  gasnet_memset(node, Area(node), value, bytes);
  gasnet_get(got.data(), node, Area(node), bytes);
  CHECK_BYTES(got.data(), bytes, value);
}

// Starts many puts and gets at once, and waits for all.
void ExchangeAtOnce(gasnet_node_t node, uint32_t key) {
  constexpr size_t kCount = 200;
  constexpr size_t kEach = 1000;
  std::vector<char> source(kCount * kEach);
  std::vector<char> got(kCount * kEach);
  FillPattern(source.data(), source.size(), key);
  for (size_t i = 0; i < kCount; ++i) {
    gasnet_put_nbi_bulk(node, Area(node) + i * kEach, &source[i * kEach],
                        kEach);
  }
  gasnet_wait_syncnbi_puts();
  for (size_t i = 0; i < kCount; ++i) {
    gasnet_get_nbi_bulk(&got[i * kEach], node, Area(node) + i * kEach, kEach);
  }
  gasnet_wait_syncnbi_gets();
  CHECK_PATTERN(got.data(), got.size(), key);
}

void RunRound(int round) {
  const auto key = static_cast<uint32_t>(round);
  if (gasnet_mynode() != 0) {
    const int before = requests;
    const auto reached = key + 1;
    while (Peek(Gone(gasnet_mynode())) < reached) sched_yield();
    CHECK_EQ(requests, before);  // No handler has run beside this thread.
    expected += 2;
    GASNET_BLOCKUNTIL(requests == expected);
    return;
  }
  const int before = replies;
  ForOthers([&](gasnet_node_t node) {
    Ask(node, round);
    for (size_t bytes = 1; bytes <= kLargest; bytes *= 8) {
      Exchange(node, bytes, key * 31 + static_cast<uint32_t>(bytes));
    }
    Exchange(node, kLargest, key);
    ExchangeAtOnce(node, key);
    Ask(node, round);
    gasnet_put_val(node, const_cast<uint32_t*>(Gone(node)), key + 1,
                   sizeof(uint32_t));
  });
  const int others = static_cast<int>(gasnet_nodes()) - 1;
  GASNET_BLOCKUNTIL(replies == before + 2 * others);
}

// Node 0 starts gets and sends requests to node 1, and then computes until node
// 1 has answered them. So gets' data and replies arrive at a node that
// computes.
void ComputeWhileAnswersArrive(int round) {
  const auto key = static_cast<uint32_t>(round) + 1000;
  if (gasnet_nodes() == 1) return;
  if (gasnet_mynode() == 1) {
    FillPattern(Area(1), kLargest, key);
    ++expected;
    Barrier();
    GASNET_BLOCKUNTIL(requests == expected);
    const uint32_t done = key;
    gasnet_put(0, const_cast<uint32_t*>(Gone(0)), const_cast<uint32_t*>(&done),
               sizeof done);
  } else {
    Barrier();
  }
  if (gasnet_mynode() == 0) {
    std::vector<char> got(kLargest);
    const int before = replies;
    const gasnet_handle_t large =
        gasnet_get_nb_bulk(got.data(), 1, Area(1), kLargest);
    std::vector<char> small(500);
    gasnet_get_nbi(small.data(), 1, Area(1), small.size());
    Ask(1, round);
    while (Peek(Gone(0)) != key) sched_yield();
    CHECK_EQ(replies, before);
    gasnet_wait_syncnb(large);
    gasnet_wait_syncnbi_gets();
    CHECK_PATTERN(got.data(), kLargest, key);
    CHECK_PATTERN(small.data(), 500, key);
    GASNET_BLOCKUNTIL(replies == before + 1);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT: the whole program is in there
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), kBytes);
  for (int round = 0; round < kRounds; ++round) {
    RunRound(round);
    for (int i = 0; i <= round; ++i) Barrier();
    ComputeWhileAnswersArrive(round);
    Barrier();
  }
  return FinishJob();
}
