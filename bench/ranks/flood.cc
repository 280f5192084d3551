#include "bench/ranks/flood.h"

#include "base/clock.h"
#include "bench/limits/memory_loops.h"
#include "bench/ranks/handlers.h"

namespace gasnet::bench {
namespace {

constexpr gasnet_node_t kReceiver = 1;

volatile uint64_t counted = 0;
volatile bool all_counted = false;

void CountShort(gasnet_token_t) { counted = counted + 1; }
void CountMedium(gasnet_token_t, void*, size_t) { counted = counted + 1; }
void AllCounted(gasnet_token_t) { all_counted = true; }

void Receive(uint64_t messages) {
  GASNET_BLOCKUNTIL(counted == messages);
  gasnet_AMRequestShort0(0, kAllCounted);
}

template <class Send>
double Flood(uint64_t rounds, Send send) {
  counted = 0;
  all_counted = false;
  Barrier();
  const int64_t start = NowNanos();
  if (gasnet_mynode() == 0) {
    for (uint64_t i = 0; i < rounds; ++i) send();
    GASNET_BLOCKUNTIL(all_counted);
  } else if (gasnet_mynode() == kReceiver) {
    Receive(rounds);
  }
  const int64_t nanos = NowNanos() - start;
  Barrier();
  return static_cast<double>(nanos) / static_cast<double>(rounds);
}

void SendToAllOthers(size_t size) {
  const gasnet_node_t ranks = gasnet_nodes();
  for (gasnet_node_t i = 1; i < ranks; ++i) {
    gasnet_AMRequestMedium0((gasnet_mynode() + i) % ranks, kCountMedium,
                            PrivateBuffer(), size);
  }
}

}  // namespace

void AddFloodHandlers(HandlerTable& table) {
  table.insert(table.end(), {
                                HandlerEntry(kCountShort, CountShort),
                                HandlerEntry(kCountMedium, CountMedium),
                                HandlerEntry(kAllCounted, AllCounted),
                            });
}

double ShortFlood(size_t, uint64_t rounds) {
  return Flood(rounds, [] { gasnet_AMRequestShort0(kReceiver, kCountShort); });
}

double MediumFlood(size_t size, uint64_t rounds) {
  return Flood(rounds, [=] {
    gasnet_AMRequestMedium0(kReceiver, kCountMedium, PrivateBuffer(), size);
  });
}

double AllToAllFlood(size_t size, uint64_t rounds) {
  counted = 0;
  Barrier();
  const uint64_t others = gasnet_nodes() - 1;
  const uint64_t turns = rounds / (others * gasnet_nodes()) + 1;
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < turns; ++i) SendToAllOthers(size);
  GASNET_BLOCKUNTIL(counted == turns * others);
  Barrier();
  return static_cast<double>(NowNanos() - start) /
         static_cast<double>(turns * others * gasnet_nodes());
}

}  // namespace gasnet::bench
