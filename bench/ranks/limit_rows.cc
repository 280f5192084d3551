#include "bench/ranks/limit_rows.h"

#include <gasnet.h>

#include "bench/limits/futex_barrier.h"
#include "bench/limits/futex_wake.h"
#include "bench/limits/line_bounce.h"
#include "bench/limits/memory_loops.h"
#include "bench/limits/udp_loop.h"
#include "bench/ranks/ranks.h"
#include "core/datagram/channel_options.h"

namespace gasnet::bench {

const Limit kLineBounce = {
    "B: a line there and back", [](size_t, uint64_t rounds) {
      const int cpu = ProcessorOf(1);
      return WhileOthersSleep([=] { return LineBounceNanos(rounds, cpu); });
    }};

const Limit kStoreLoop = {
    "a loop of stores", [](size_t, uint64_t rounds) {
      return WhileOthersWait([=] { return StoreLoopNanos(rounds); });
    }};

const Limit kFencedStores = {
    "a loop of stores and fences", [](size_t, uint64_t rounds) {
      return WhileOthersWait([=] { return FencedStoreLoopNanos(rounds); });
    }};

const Limit kLoadLoop = {
    "a loop of loads", [](size_t, uint64_t rounds) {
      return WhileOthersWait([=] { return LoadLoopNanos(rounds); });
    }};

const Limit kCopyIn = {
    "memcpy", [](size_t size, uint64_t rounds) {
      return WhileOthersWait([=] { return CopyInNanos(size, rounds); });
    }};

const Limit kCopyOut = {
    "memcpy", [](size_t size, uint64_t rounds) {
      return WhileOthersWait([=] { return CopyOutNanos(size, rounds); });
    }};

const Limit kTwoWakes = {
    "futex wakes there and back", [](size_t, uint64_t rounds) {
      const int cpu = ProcessorOf(1);
      return WhileOthersSleep([=] { return FutexWakeNanos(rounds, cpu); });
    }};

const Limit kFutexBarrier = {"futex barrier", [](size_t, uint64_t rounds) {
                               const int processes =
                                   static_cast<int>(gasnet_nodes());
                               return WhileOthersSleep([=] {
                                 return FutexBarrierNanos(rounds, processes);
                               });
                             }};

const Limit kUdpRoundTrip = {
    "U: a datagram there and back", [](size_t, uint64_t rounds) {
      const int cpu = ProcessorOf(1);
      return WhileOthersSleep(
          [=] { return UdpRoundTripNanos(16, rounds, cpu); });
    }};

const Limit kUdpTail = {
    "10 U and a time-out", [](size_t, uint64_t rounds) {
      // The time-out of `min_timeout` makes each round look long, so the
      // harness runs few rounds. Each round therefore makes kTrips round trips,
      // which U needs to be precise.
      constexpr uint64_t kTrips = 100;
      const int cpu = ProcessorOf(1);
      return WhileOthersSleep([=] {
        return 10 * UdpRoundTripNanos(16, kTrips * rounds, cpu) +
               static_cast<double>(datagram::Timing().min_timeout);
      });
    }};

const Limit kUdpLongTrip = {
    "datagrams there, 16 bytes back", [](size_t size, uint64_t rounds) {
      const int cpu = ProcessorOf(1);
      return WhileOthersSleep(
          [=] { return UdpRoundTripNanos(size, rounds, cpu); });
    }};

const Limit kUdpStream = {
    "datagrams one way", [](size_t size, uint64_t rounds) {
      const int cpu = ProcessorOf(1);
      return WhileOthersSleep(
          [=] { return UdpStreamNanos(size, rounds, cpu); });
    }};

}  // namespace gasnet::bench
