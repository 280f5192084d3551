// Bare libfabric between two processes, each bound to a core. Measures the same
// operations as bench/ranks/fabric.cc. If BARE_FABRIC_DESCRIPTOR is set, the
// completion queue has a file descriptor to sleep on.
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "base/clock.h"
#include "bench/harness/operations.h"
#include "bench/harness/options.h"
#include "bench/harness/row.h"
#include "bench/harness/run_rows.h"
#include "bench/limits/child.h"
#include "bench/peers/bare_fabric.h"

namespace gasnet::bench {
namespace {

const char* const kDescriptor = getenv("BARE_FABRIC_DESCRIPTOR");
const char* const kBare =
    kDescriptor != nullptr ? "bare, descriptor" : "bare libfabric";
constexpr size_t kWord = 8;

BareFabric* fabric;
bool leads;

class Pair : public Team {
 public:
  explicit Pair(int socket) : socket_(socket) {}

  bool Leads() const override { return leads; }
  uint64_t Agree(uint64_t value) override {
    const bool done = leads ? write(socket_, &value, sizeof value) > 0
                            : read(socket_, &value, sizeof value) > 0;
    if (!done) _exit(1);
    return value;
  }

 private:
  const int socket_;
};

double Each(int64_t start, uint64_t rounds) {
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

// Runs the operation on the leader and returns nanoseconds per round. The other
// process makes progress until the leader's final message arrives.
template <class Operation>
double Lead(uint64_t rounds, Operation operation) {
  if (!leads) {
    fabric->AwaitMessage();
    return 0;
  }
  const int64_t start = NowNanos();
  operation();
  const double each = Each(start, rounds);
  fabric->Send(kWord);
  return each;
}

double PingPong(size_t size, uint64_t rounds) {
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) {
    if (leads) fabric->Send(size);
    fabric->AwaitMessage();
    if (!leads) fabric->Send(size);
  }
  return Each(start, rounds);
}
double WordPingPong(size_t, uint64_t rounds) { return PingPong(kWord, rounds); }

double SleepingPingPong(size_t, uint64_t rounds) {
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) {
    if (leads) fabric->Send(kWord);
    fabric->AwaitMessageAsleep();
    if (!leads) fabric->Send(kWord);
  }
  return Each(start, rounds);
}

// Returns nanoseconds per message of a flood. The flood ends when the leader
// gets the other process's confirmation that all messages have arrived.
double Flood(size_t size, uint64_t rounds) {
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) {
    if (leads) {
      fabric->PostSend(size);
    } else {
      fabric->AwaitMessage();
    }
  }
  if (leads) {
    fabric->AwaitMessage();
    fabric->AwaitAll();
  } else {
    fabric->Send(kWord);
  }
  return Each(start, rounds);
}
double WordFlood(size_t, uint64_t rounds) { return Flood(kWord, rounds); }

double Put(size_t size, uint64_t rounds) {
  return Lead(rounds, [=] {
    for (uint64_t i = 0; i < rounds; ++i) fabric->Put(size);
  });
}

double Get(size_t size, uint64_t rounds) {
  return Lead(rounds, [=] {
    for (uint64_t i = 0; i < rounds; ++i) fabric->Get(size);
  });
}

double PutMany(size_t size, uint64_t rounds) {
  return Lead(rounds, [=] {
    for (uint64_t i = 0; i < rounds; ++i) fabric->PostPut(size);
    fabric->AwaitAll();
  });
}

// Measures a put of the payload followed by a message. The provider keeps the
// put and the message in order.
double Long(size_t size, uint64_t rounds) {
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) {
    if (leads) {
      fabric->PostPut(size);
      fabric->Send(kWord);
    }
    fabric->AwaitMessage();
    if (!leads) fabric->Send(kWord);
  }
  fabric->AwaitAll();
  return Each(start, rounds);
}

double Barrier(size_t, uint64_t rounds) {
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) {
    fabric->Send(kWord);
    fabric->AwaitMessage();
  }
  return Each(start, rounds);
}

Row Bare(const char* operation, size_t size, Measure measure) {
  return {operation, size, measure, {}, 0, kBare};
}

const Row kRows[] = {
    Bare(kShortRoundTrip, 0, WordPingPong),
    Bare(kMediumRoundTrip, 512, PingPong),
    Bare(kPut, 8, Put),
    Bare(kGet, 8, Get),
    // Memsets are measured as puts, since the network has no memset.
    Bare(kMemset, 8, Put),
    Bare(kMemset, 512, Put),
    Bare(kMediumFlood, 8, Flood),
    Bare(kShortFlood, 0, WordFlood),
    Bare(kPutMany, 8, PutMany),
    Bare(kPut, size_t{64} << 10, Put),
    Bare(kGet, size_t{64} << 10, Get),
    Bare(kPut, size_t{4} << 20, Put),
    Bare(kGet, size_t{4} << 20, Get),
    Bare(kLongShortReply, size_t{64} << 10, Long),
    Bare(kBarrierOfTwo, 0, Barrier),
    Bare(kRoundTripAsleep, 0, SleepingPingPong),
};

// Returns the rows. The last row measures a wait that sleeps. It is left out if
// the queue has no descriptor.
std::span<const Row> Rows() {
  const std::span<const Row> all = kRows;
  return kDescriptor != nullptr ? all : all.first(all.size() - 1);
}

const char* Provider() {
  const char* const named = getenv("FI_PROVIDER");
  return named == nullptr ? "tcp;ofi_rxm" : named;
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  Options options;
  const std::string complaint = ParseOptions(argc, argv, options);
  int sockets[2];
  if (!complaint.empty() || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
    fprintf(stderr, "%s: %s\n", argv[0], complaint.c_str());
    return 2;
  }
  // libfabric does not survive a fork, so the process forks before it starts
  // libfabric.
  const pid_t child = fork();
  leads = child != 0;
  if (!leads) prctl(PR_SET_PDEATHSIG, SIGKILL);
  BindChild(leads ? 0 : 1, -1);
  const int socket = sockets[leads ? 0 : 1];
  BareFabric bare(Provider(), kDescriptor != nullptr, socket);
  fabric = &bare;
  Pair pair(socket);
  RunRows(Rows(), options, "", pair);
  if (!leads) _exit(0);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? 0 : 1;
}
