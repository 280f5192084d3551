#include "bench/limits/busy_loop.h"

#include <poll.h>
#include <sched.h>
#include <sys/socket.h>

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/futex.h"
#include "bench/limits/child.h"
#include "bench/limits/socket_pair.h"

namespace gasnet::bench {
namespace {

// Durations in nanoseconds.
constexpr int64_t kSpinFor = 20'000;
constexpr int64_t kLookFor = 10'000'000;
constexpr int64_t kOthersCompute = 500'000;
constexpr int64_t kBusyMemory = 100'000'000;
constexpr int64_t kMinStay = 200'000;  // least time from one move to the next
constexpr int kLooksPerClock = 8;

// The words of one process. The other process adds to `word` to notify this
// process, and reads the other members.
struct Side {
  alignas(64) std::atomic<uint32_t> word;  // number of messages to this process
  alignas(64) std::atomic<bool> asleep;
  alignas(64) std::atomic<int> cpu_and_one;  // 1 + its CPU; 0: it sleeps
};
struct Shared {
  Side sides[2];
  alignas(64) std::atomic<bool> over;
};

class Flags {
 public:
  Flags(Shared& shared, int me)
      : mine_(shared.sides[me]), theirs_(shared.sides[1 - me]) {}

  void Send() {
    theirs_.word.fetch_add(1, std::memory_order_seq_cst);
    if (!theirs_.asleep.load(std::memory_order_seq_cst)) return;
    theirs_.asleep.store(false, std::memory_order_relaxed);
    FutexWake(theirs_.word, 1);
  }
  bool Receive() {
    const uint32_t seen = mine_.word.load(std::memory_order_acquire);
    if (seen == received_) return false;
    received_ = seen;
    return true;
  }
  void Sleep() {
    mine_.asleep.store(true, std::memory_order_seq_cst);
    if (mine_.word.load(std::memory_order_seq_cst) == received_) {
      FutexWait(mine_.word, received_);
    }
    mine_.asleep.store(false, std::memory_order_relaxed);
  }

 private:
  Side& mine_;
  Side& theirs_;
  uint32_t received_ = 0;
};

class Sockets {
 public:
  explicit Sockets(int fd) : fd_(fd) {}

  void Send() {
    while (send(fd_, buffer_, sizeof buffer_, 0) < 0) {
    }
  }
  bool Receive() { return recv(fd_, buffer_, sizeof buffer_, 0) > 0; }
  void Sleep() {
    pollfd watched = {fd_, POLLIN, 0};
    poll(&watched, 1, -1);
  }

 private:
  const int fd_;
  char buffer_[16] = {};
};

template <class Channel>
class Talker {
 public:
  Talker(Channel channel, Shared& shared, int me, BusyWay way)
      : channel_(channel),
        mine_(shared.sides[me]),
        theirs_(shared.sides[1 - me]),
        way_(way) {}

  void Send() { channel_.Send(); }

  void Await() {
    if (way_ == BusyWay::kParting) ReportHere();
    int64_t began = 0;
    for (unsigned looks = 0; !channel_.Receive(); ++looks) {
      if (way_ == BusyWay::kAsleep) {
        channel_.Sleep();
      } else if (looks % kLooksPerClock != kLooksPerClock - 1) {
        CpuRelax();
      } else {
        const int64_t now = NowNanos();
        if (began == 0) began = now;
        if (now - began >= kSpinFor) {
          Part(now);
          GiveWay(now, began);
        }
      }
    }
  }

 private:
  void ReportHere() {
    const int here = CurrentCpu() + 1;
    if (mine_.cpu_and_one.load(std::memory_order_relaxed) != here) {
      mine_.cpu_and_one.store(here, std::memory_order_relaxed);
    }
  }

  void Part(int64_t now) {
    ReportHere();
    const int theirs = theirs_.cpu_and_one.load(std::memory_order_relaxed);
    if (theirs != mine_.cpu_and_one.load(std::memory_order_relaxed) ||
        now < next_move_) {
      return;
    }
    CpuSet avoided;
    avoided.Add(theirs - 1);
    LeaveCpus(avoided);
    ReportHere();
    next_move_ = now + kMinStay;
  }

  // Yields the processor. Sleeps instead, and restarts the polling time, if
  // another process computes here or if no message has arrived for kLookFor.
  void GiveWay(int64_t now, int64_t& began) {
    if (now - began < kLookFor && now >= busy_until_) {
      sched_yield();
      const int64_t back = NowNanos();
      if (back - now > kOthersCompute) busy_until_ = back + kBusyMemory;
      return;
    }
    mine_.cpu_and_one.store(0, std::memory_order_relaxed);
    channel_.Sleep();
    Part(NowNanos());
    began = 0;
  }

  Channel channel_;
  Side& mine_;
  Side& theirs_;
  const BusyWay way_;
  int64_t next_move_ = 0;
  int64_t busy_until_ = 0;
};

template <class MakeChannel>
double RoundTripNanos(MakeChannel channel_of, Shared& shared, BusyWay way,
                      double milliseconds) {
  const Children child(1, [&](int) {
    Talker talker(channel_of(1), shared, 1, way);
    for (;;) {
      talker.Await();
      if (shared.over.load(std::memory_order_acquire)) break;
      talker.Send();
    }
  });
  Talker talker(channel_of(0), shared, 0, way);
  const int64_t start = NowNanos();
  const int64_t end =
      start + static_cast<int64_t>(milliseconds * kNanosPerMilli);
  uint64_t trips = 0;
  int64_t now;
  do {
    for (int i = 0; i < kLooksPerClock; ++i, ++trips) {
      talker.Send();
      talker.Await();
    }
    now = NowNanos();
  } while (now < end);
  shared.over.store(true, std::memory_order_release);
  talker.Send();
  return static_cast<double>(now - start) / static_cast<double>(trips);
}

}  // namespace

double BusyFlagsNanos(BusyWay way, double milliseconds) {
  const SharedBlock block(sizeof(Shared));
  Shared& shared = *new (block.data()) Shared{};
  return RoundTripNanos([&](int me) { return Flags(shared, me); }, shared, way,
                        milliseconds);
}

double BusySocketsNanos(BusyWay way, double milliseconds) {
  const SharedBlock block(sizeof(Shared));
  Shared& shared = *new (block.data()) Shared{};
  const SocketPair pair;
  return RoundTripNanos([&](int me) { return Sockets(pair[me]); }, shared, way,
                        milliseconds);
}

}  // namespace gasnet::bench
