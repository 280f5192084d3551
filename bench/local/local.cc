// The cost of a job of one rank, compared with plain loads, stores and memcpy.
// Every benchmark is named OPERATION/BYTES/ours or OPERATION/BYTES/limit. The
// driver puts GASNet's result and its baseline on one line.
#include <benchmark/benchmark.h>
#include <gasnet.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "bench/limits/child.h"
#include "bench/limits/memory_loops.h"

namespace gasnet::bench {
namespace {

using State = ::benchmark::State;

constexpr size_t kSegment = kMaxCopy;
constexpr size_t kLargestMedium = 4096;
constexpr gasnet_handler_t kPing = 200;
constexpr gasnet_handler_t kPong = 201;
constexpr gasnet_handler_t kPongMedium = 202;

gasnet_node_t self;
void* segment;
void* shared;  // memory like `segment`, but without GASNet
volatile uint64_t pongs = 0;

void Ping(gasnet_token_t token) { gasnet_AMReplyShort0(token, kPong); }
void Pong(gasnet_token_t) { pongs = pongs + 1; }
void PongMedium(gasnet_token_t, void*, size_t) { pongs = pongs + 1; }

void PutWord(State& state) {
  auto* const there = static_cast<uint64_t*>(segment);
  uint64_t i = 0;
  for (auto _ : state) {
    const uint64_t value = ++i;
    gasnet_put(self, &there[value % kLoopWords], &value, sizeof(value));
  }
}

void PutManyWords(State& state) {
  auto* const there = static_cast<uint64_t*>(segment);
  uint64_t i = 0;
  for (auto _ : state) {
    const uint64_t value = ++i;
    gasnet_put_nbi(self, &there[value % kLoopWords], &value, sizeof(value));
  }
  gasnet_wait_syncnbi_puts();
}

void StoreAndFence(State& state) {
  auto* const there = static_cast<uint64_t*>(shared);
  uint64_t i = 0;
  for (auto _ : state) {
    ++i;
    there[i % kLoopWords] = i;
    Fence();
  }
}

void StoreWord(State& state) {
  auto* const there = static_cast<uint64_t*>(shared);
  uint64_t i = 0;
  for (auto _ : state) {
    ++i;
    there[i % kLoopWords] = i;
    CompilerBarrier();
  }
}

void GetWord(State& state) {
  auto* const there = static_cast<uint64_t*>(segment);
  uint64_t i = 0;
  for (auto _ : state) {
    uint64_t value;
    gasnet_get(&value, self, &there[++i % kLoopWords], sizeof(value));
    Use(value);
  }
}

void LoadWord(State& state) {
  auto* const there = static_cast<uint64_t*>(shared);
  uint64_t i = 0;
  for (auto _ : state) {
    Use(there[++i % kLoopWords]);
    CompilerBarrier();
  }
}

void PutBulk(State& state, size_t size) {
  for (auto _ : state) gasnet_put_bulk(self, segment, PrivateBuffer(), size);
}

void CopyIn(State& state, size_t size) {
  for (auto _ : state) {
    memcpy(shared, PrivateBuffer(), size);
    CompilerBarrier();
  }
}

void LoopbackRoundTrip(State& state) {
  uint64_t sent = pongs;
  for (auto _ : state) {
    gasnet_AMRequestShort0(self, kPing);
    ++sent;
    GASNET_BLOCKUNTIL(pongs == sent);
  }
}

// The baseline of a round trip: two calls through pointers. The pointers are
// volatile, so the compiler cannot inline the calls.
void TwoCalls(State& state) {
  static void (*volatile answer)(gasnet_token_t) = Pong;
  static void (*volatile ping)(gasnet_token_t) = [](gasnet_token_t token) {
    answer(token);
  };
  for (auto _ : state) ping(nullptr);
}

void LoopbackMedium(State& state, size_t size) {
  uint64_t sent = pongs;
  for (auto _ : state) {
    gasnet_AMRequestMedium0(self, kPongMedium, PrivateBuffer(), size);
    ++sent;
    GASNET_BLOCKUNTIL(pongs == sent);
  }
}

void CopyAndCall(State& state, size_t size) {
  static void (*volatile handler)(gasnet_token_t, void*, size_t) = PongMedium;
  alignas(64) static char copy[kLargestMedium];
  for (auto _ : state) {
    memcpy(copy, PrivateBuffer(), size);
    handler(nullptr, copy, size);
  }
}

void Register(const std::string& name, void (*ours)(State&),
              void (*limit)(State&)) {
  ::benchmark::RegisterBenchmark((name + "/ours").c_str(), ours);
  ::benchmark::RegisterBenchmark((name + "/limit").c_str(), limit);
}

void RegisterAll() {
  Register("put to oneself, constant size/8", PutWord, StoreAndFence);
  Register("put to oneself, non-blocking, constant size/8", PutManyWords,
           StoreWord);
  Register("get from oneself, constant size/8", GetWord, LoadWord);
  for (const size_t size : {size_t{4096}, size_t{65536}, kMaxCopy}) {
    const std::string name = "put to oneself/" + std::to_string(size);
    ::benchmark::RegisterBenchmark((name + "/ours").c_str(), PutBulk, size);
    ::benchmark::RegisterBenchmark((name + "/limit").c_str(), CopyIn, size);
  }
  Register("Short to oneself and its reply/0", LoopbackRoundTrip, TwoCalls);
  for (const size_t size : {size_t{8}, size_t{512}, kLargestMedium}) {
    const std::string name = "Medium to oneself/" + std::to_string(size);
    ::benchmark::RegisterBenchmark((name + "/ours").c_str(), LoopbackMedium,
                                   size);
    ::benchmark::RegisterBenchmark((name + "/limit").c_str(), CopyAndCall,
                                   size);
  }
}

bool Start(int* argc, char*** argv) {
  gasnet_handlerentry_t handlers[] = {
      {kPing, reinterpret_cast<void (*)()>(Ping)},
      {kPong, reinterpret_cast<void (*)()>(Pong)},
      {kPongMedium, reinterpret_cast<void (*)()>(PongMedium)},
  };
  if (gasnet_init(argc, argv) != GASNET_OK) return false;
  if (gasnet_attach(handlers, 3, kSegment, 0) != GASNET_OK) return false;
  gasnet_seginfo_t info;
  gasnet_getSegmentInfo(&info, 1);
  self = gasnet_mynode();
  segment = info.addr;
  memset(segment, 0, kSegment);
  return true;
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  if (!Start(&argc, &argv)) {
    fprintf(stderr, "local: GASNet does not start\n");
    return 1;
  }
  const SharedBlock block(kSegment);
  shared = block.data();
  RegisterAll();
  ::benchmark::Initialize(&argc, argv);
  if (::benchmark::ReportUnrecognizedArguments(argc, argv)) gasnet_exit(2);
  ::benchmark::RunSpecifiedBenchmarks();
  ::benchmark::Shutdown();
  gasnet_exit(0);
}
