// The cost of the software Portals between two processes of a host, compared
// with a round trip of a cache line (B), memcpy, and process_vm_writev. If the
// first argument is `datagrams`, the program measures the transport between
// hosts instead. Both processes then use loopback, and the baseline is a round
// trip of a datagram (U). The rows of the bare Portals are the baseline for the
// conduit over Portals (bench/ranks/fabric.cc).
#include <portals4.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/futex.h"
#include "base/unique_fd.h"
#include "bench/harness/operations.h"
#include "bench/harness/options.h"
#include "bench/harness/run_rows.h"
#include "bench/limits/child.h"
#include "bench/limits/line_bounce.h"
#include "bench/limits/memory_loops.h"
#include "bench/limits/udp_loop.h"
#include "bench/portals/peer.h"
#include "core/datagram/seal.h"
#include "core/ip/address.h"
#include "core/ip/socket.h"
#include "portals/job/hand_over.h"

namespace gasnet::bench {
namespace {

Shared* shared;
char* mapped;  // mapped by both processes
pid_t peer_pid;
int peer_cpu = -1;

ptl_handle_ni_t ni;
ptl_handle_ct_t acknowledged;
ptl_handle_ct_t chain_end;
ptl_handle_eq_t pongs;
ptl_handle_md_t counted_md;
ptl_handle_md_t quiet_md;
ptl_size_t acknowledgements = 0;

// Sends the peer a command. Returns when the peer has begun the command.
void Send(Command command) {
  const uint32_t number = shared->issued.load(std::memory_order_relaxed) + 1;
  shared->command.store(static_cast<uint32_t>(command),
                        std::memory_order_relaxed);
  shared->issued.store(number, std::memory_order_release);
  FutexWake(shared->issued, 1);
  while (shared->begun.load(std::memory_order_acquire) != number) sched_yield();
}

template <typename Body>
double Each(uint64_t rounds, const Body& body) {
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) body();
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

// Returns nanoseconds per round while the peer executes the command.
template <typename Body>
double EachDuring(Command command, uint64_t rounds, const Body& body) {
  Send(command);
  const double result = Each(rounds, body);
  Send(Command::kSleep);
  return result;
}

void PutAndWait(ptl_pt_index_t pt, size_t size) {
  PTL_CHECK(PtlPut(counted_md, 0, size, PTL_CT_ACK_REQ, shared->peer, pt, 0, 0,
                   nullptr, 0));
  ptl_ct_event_t value;
  PTL_CHECK(PtlCTWait(acknowledged, ++acknowledgements, &value));
}

double PutComputing(size_t size, uint64_t rounds) {
  return EachDuring(Command::kCompute, rounds,
                    [size] { PutAndWait(kCounted, size); });
}

double PutMapped(size_t size, uint64_t rounds) {
  return Each(rounds, [size] { PutAndWait(kMapped, size); });
}

double PutPrivate(size_t size, uint64_t rounds) {
  return Each(rounds, [size] { PutAndWait(kPrivate, size); });
}

double PingPong(size_t size, uint64_t rounds) {
  return EachDuring(Command::kAnswer, rounds, [size] {
    PTL_CHECK(PtlPut(quiet_md, 0, size, PTL_NO_ACK_REQ, shared->peer, kPong, 0,
                     0, nullptr, 0));
    ptl_event_t event;
    while (PtlEQGet(pongs, &event) != PTL_OK) continue;
  });
}

// Floods the peer. This process pauses while half of the peer's event queue is
// full, so the queue never overflows.
double Flood(size_t size, uint64_t rounds) {
  Send(Command::kTake);
  const uint64_t before = shared->taken.load(std::memory_order_acquire);
  uint64_t sent = 0;
  const auto outstanding = [&] {
    return before + sent - shared->taken.load(std::memory_order_acquire);
  };
  const int64_t start = NowNanos();
  while (sent < rounds) {
    PTL_CHECK(PtlPut(quiet_md, 0, size, PTL_NO_ACK_REQ, shared->peer, kFlood, 0,
                     0, nullptr, 0));
    ++sent;
    if (sent % 1024 == 0) {
      while (outstanding() > kPeerEvents / 2) continue;
    }
  }
  while (outstanding() > 0) continue;
  const int64_t end = NowNanos();
  Send(Command::kSleep);
  return static_cast<double>(end - start) / static_cast<double>(rounds);
}

// Returns nanoseconds per put by datagrams. During the puts the peer waits for
// an event that they do not cause.
double PutWaiting(size_t size, uint64_t rounds) {
  return EachDuring(Command::kAnswer, rounds,
                    [size] { PutAndWait(kCounted, size); });
}

// Like PutWaiting, but puts to kMapped, the list entry that has room for large
// transfers.
double BarePut(size_t size, uint64_t rounds) {
  return EachDuring(Command::kAnswer, rounds,
                    [size] { PutAndWait(kMapped, size); });
}

double BareGet(size_t size, uint64_t rounds) {
  return EachDuring(Command::kAnswer, rounds, [size] {
    PTL_CHECK(
        PtlGet(counted_md, 0, size, shared->peer, kMapped, 0, 0, nullptr));
    ptl_ct_event_t value;
    PTL_CHECK(PtlCTWait(acknowledged, ++acknowledgements, &value));
  });
}

double RoundTrip(size_t, uint64_t rounds) {
  return UdpRoundTripNanos(16, rounds, peer_cpu);
}

double EmptyQueue(size_t, uint64_t rounds) {
  ptl_event_t event;
  return Each(rounds, [&] { PtlEQGet(pongs, &event); });
}

// Returns nanoseconds per round of the chain. The rounds run in portions of
// kArmed. The peer arms the triggered puts of a portion and then sleeps.
double Chain(size_t size, uint64_t rounds) {
  int64_t nanos = 0;
  ptl_ct_event_t value;
  for (uint64_t done = 0; done < rounds; done += kArmed) {
    Send(Command::kArm);
    const uint32_t number = shared->issued.load(std::memory_order_relaxed);
    while (shared->done.load(std::memory_order_acquire) != number)
      sched_yield();
    Send(Command::kSleep);
    const int64_t start = NowNanos();
    for (ptl_size_t i = 0; i < kArmed; ++i) {
      PTL_CHECK(PtlPut(quiet_md, 0, size, PTL_NO_ACK_REQ, shared->peer,
                       kChained, 0, 0, nullptr, 0));
      PTL_CHECK(PtlCTWait(chain_end, shared->chain_from + i + 1, &value));
    }
    nanos += NowNanos() - start;
    shared->chain_from += kArmed;
  }
  const uint64_t portions = (rounds + kArmed - 1) / kArmed;
  return static_cast<double>(nanos) / static_cast<double>(portions * kArmed);
}

double Bounce(size_t, uint64_t rounds) {
  return LineBounceNanos(rounds, peer_cpu);
}

double WriteToPeer(size_t size, uint64_t rounds) {
  const iovec from = {mapped, size};
  const iovec to = {shared->private_memory, size};
  return Each(rounds, [&] {
    if (process_vm_writev(peer_pid, &from, 1, &to, 1, 0) !=
        static_cast<ssize_t>(size)) {
      perror("process_vm_writev");
      _exit(1);
    }
  });
}

// Returns nanoseconds of eight puts plus 2 us. This is the maximum acceptable
// time of the chain: 2 us may be spent on triggering its puts.
double EightPuts(size_t size, uint64_t rounds) {
  constexpr double kMayCost = 2000;
  return kChain * PutMapped(size, rounds) + kMayCost;
}

constexpr Limit kBounce = {"a line there and back", Bounce};
constexpr Limit kCopy = {"memcpy", CopyInNanos};
constexpr Limit kWritev = {"process_vm_writev", WriteToPeer};
constexpr Limit kEight = {"8 puts and 2 us", EightPuts};

const Row kRows[] = {
    {"put, counted, target computes", 8, PutComputing, kBounce, 0.6},
    {"put, counted, target computes, alone", 8, PutComputing, {}, 60},
    {"ping-pong of puts with events", 8, PingPong, kBounce, 3},
    {"flood of puts with events", 8, Flood, kBounce, 0.4},
    {"put, mapped memory", size_t{64} << 10, PutMapped, kCopy, 1.1},
    {"put, mapped memory", size_t{4} << 20, PutMapped, kCopy, 1.1},
    {"put, private memory", 8, PutPrivate, kWritev, 1.15},
    {"put, private memory", size_t{64} << 10, PutPrivate, kWritev, 1.15},
    {"put, private memory", size_t{4} << 20, PutPrivate, kWritev, 1.15},
    {"look into an empty queue", 0, EmptyQueue, {}, 5},
    {"chain of 8 triggered puts, owner asleep", 8, Chain, kEight, 1},
};

constexpr Limit kDatagrams = {"a datagram there and back", RoundTrip};

const Row kApartRows[] = {
    {"put, counted, over datagrams", 8, PutWaiting, kDatagrams, 1.15},
    {"put, counted, over datagrams, target computes",
     8,
     PutComputing,
     {},
     30'000},
};

// The rows of the bare Portals, in memory or by datagrams. Each row has the
// name of the conduit's operation. So the table can show the bare Portals and
// the conduit side by side.
constexpr char kBare[] = "bare Portals";

std::vector<Row> BareRows() {
  constexpr size_t kHalfway = size_t{64} << 10;
  return {
      {kShortRoundTrip, 0, PingPong, {}, 0, kBare},
      {kPut, 8, BarePut, {}, 0, kBare},
      {kGet, 8, BareGet, {}, 0, kBare},
      {kMediumFlood, 8, Flood, {}, 0, kBare},
      {kPut, kHalfway, BarePut, {}, 0, kBare},
      {kGet, kHalfway, BareGet, {}, 0, kBare},
      {kPut, kLargestTransfer, BarePut, {}, 0, kBare},
      {kGet, kLargestTransfer, BareGet, {}, 0, kBare},
  };
}

class Alone : public Team {
 public:
  bool Leads() const override { return true; }
  uint64_t Agree(uint64_t value) override { return value; }
};

void OpenInitiator() {
  ni = OpenInterface(&shared->initiator);
  PTL_CHECK(PtlCTAlloc(ni, &acknowledged));
  PTL_CHECK(PtlCTAlloc(ni, &chain_end));
  PTL_CHECK(PtlEQAlloc(ni, 64, &pongs));
  const ptl_md_t counted = {mapped, kMappedBytes,
                            PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_CT_REPLY,
                            PTL_EQ_NONE, acknowledged};
  PTL_CHECK(PtlMDBind(ni, &counted, &counted_md));
  const ptl_md_t quiet = {mapped, kMappedBytes, 0, PTL_EQ_NONE, PTL_CT_NONE};
  PTL_CHECK(PtlMDBind(ni, &quiet, &quiet_md));
  ptl_pt_index_t pt;
  PTL_CHECK(PtlPTAlloc(ni, 0, pongs, kPongBack, &pt));
  AppendEntry(ni, kPongBack, mapped, 4096, 0, PTL_CT_NONE);
  PTL_CHECK(PtlPTAlloc(ni, 0, PTL_EQ_NONE, kChainEnd, &pt));
  AppendEntry(ni, kChainEnd, mapped, 4096, PTL_ME_EVENT_CT_COMM, chain_end);
}

// Maps a file. The library can let peers map a file.
char* MapFile() {
  const int file = memfd_create("bench", 0);
  void* const memory = file >= 0 && ftruncate(file, kMappedBytes) == 0
                           ? mmap(nullptr, kMappedBytes, PROT_READ | PROT_WRITE,
                                  MAP_SHARED, file, 0)
                           : MAP_FAILED;
  if (memory == MAP_FAILED) {
    perror("memory of a file");
    exit(1);
  }
  memset(memory, 1, kMappedBytes);
  return static_cast<char*>(memory);
}

// The UDP sockets of both processes. HandOver gives a process its socket, its
// rank and all addresses.
class Pair {
 public:
  Pair() {
    setenv("PORTALS4_TRANSPORT", "datagram", 1);
    for (UniqueFd& socket : sockets_) {
      addresses_.push_back(*ip::Address::Parse("127.0.0.1"));
      absl::StatusOr<UniqueFd> opened = ip::OpenUdpSocket(addresses_.back());
      if (!opened.ok()) {
        fprintf(stderr, "no UDP socket on loopback\n");
        exit(1);
      }
      socket = *std::move(opened);
    }
  }
  void HandOver(uint32_t rank) {
    portals4::PortalsMembership membership;
    membership.rank = rank;
    membership.host_of = {0, 0};
    membership.socket.socket = std::move(sockets_[rank]);
    membership.socket.peers = addresses_;
    membership.socket.loopback = true;
    membership.socket.max_datagram = 64000;
    membership.socket.cipher = datagram::Seal::Best();
    portals4::HandOver(std::move(membership));
  }

 private:
  std::vector<ip::Address> addresses_;
  UniqueFd sockets_[2];
};

int Main(int argc, char** argv) {
  const auto is_first = [&](const char* word) {
    const bool is = argc > 1 && strcmp(argv[1], word) == 0;
    argc -= is;
    argv += is;
    return is;
  };
  const bool apart = is_first("datagrams");
  const bool bare = is_first("bare");
  Options options;
  const std::string wrong = ParseOptions(argc, argv, options);
  if (!wrong.empty()) {
    fprintf(stderr, "%s\n", wrong.c_str());
    return 2;
  }
  const SharedBlock block(4096);
  shared = new (block.data()) Shared();
  mapped = MapFile();
  char* const peers = MapFile();
  std::optional<Pair> pair;
  if (apart) pair.emplace();
  const int mine = sched_getcpu();
  peer_pid = fork();
  if (peer_pid == 0) {
    BindChild(-1, mine);
    if (apart) pair->HandOver(1);
    RunPeer(*shared, peers);
  }
  BindChild(mine, mine);
  if (apart) pair->HandOver(0);
  OpenInitiator();
  while (shared->ready.load(std::memory_order_acquire) == 0) sched_yield();
  Send(Command::kSleep);
  Alone team;
  if (bare) {
    RunRows(BareRows(), options, "", team);
  } else if (apart) {
    RunRows(kApartRows, options, "", team);
  } else {
    RunRows(kRows, options, "", team);
  }
  shared->command.store(static_cast<uint32_t>(Command::kEnd),
                        std::memory_order_relaxed);
  shared->issued.fetch_add(1, std::memory_order_release);
  FutexWake(shared->issued, 1);
  return 0;
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) { return gasnet::bench::Main(argc, argv); }
