#include "job/statistics/rank_statistics.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/ascii.h"
#include "job/statistics/saturating.h"
#include "job/wire/limits.h"
#include "job/wire/wire.h"

namespace gasnet::job {
namespace {

constexpr size_t kReasons = static_cast<size_t>(WaitFor::kLast) + 1;

// The sizes in bytes of an encoded peer and of the encoded number of peers.
constexpr size_t kPeerBytes = 4 + 8 + 8;
constexpr size_t kCountBytes = 4;

// Everything except peers takes less than half of the largest encoding. The
// rest is room for many peers.
constexpr size_t kMaxCallBytes = 4 + kMaxNameBytes + 4 * 8;
constexpr size_t kMaxCountBytes = 4 + kMaxNameBytes + 8;
static_assert(kMaxCalls * kMaxCallBytes + kReasons * 20 +
                  kMaxNetworkCounts * kMaxCountBytes + 64 <
              kMaxStatisticsBytes / 2);

bool IsName(std::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return absl::ascii_isalnum(c) || c == '_';
         });
}

void WriteNanos(WireWriter& out, int64_t nanos) {
  out.U64(static_cast<uint64_t>(std::max<int64_t>(0, nanos)));
}

int64_t ReadNanos(WireReader& in) {
  const auto nanos = static_cast<int64_t>(in.U64());
  if (nanos < 0) in.Fail();
  return in.ok() ? nanos : 0;
}

// Reads a number of elements. Fails if the number is above `most`.
uint32_t ReadCount(WireReader& in, size_t most) {
  const uint32_t count = in.U32();
  if (count > most) in.Fail();
  return in.ok() ? count : 0;
}

CallStatistics ReadCall(WireReader& in) {
  CallStatistics call;
  call.name = in.Text(kMaxNameBytes);
  if (!IsName(call.name)) in.Fail();
  call.calls = in.U64();
  call.bytes = in.U64();
  call.nanos = ReadNanos(in);
  call.waiting = ReadNanos(in);
  return call;
}

WaitStatistics ReadWait(WireReader& in) {
  WaitStatistics wait;
  const uint32_t what = in.U32();
  if (what >= kReasons) in.Fail();
  if (in.ok()) wait.what = static_cast<WaitFor>(what);
  wait.count = in.U64();
  wait.nanos = ReadNanos(in);
  return wait;
}

NetworkStatistics ReadNetworkCount(WireReader& in) {
  NetworkStatistics count;
  count.name = in.Text(kMaxNameBytes);
  if (!IsName(count.name)) in.Fail();
  count.count = in.U64();
  return count;
}

PeerStatistics ReadPeer(WireReader& in) {
  PeerStatistics peer;
  peer.peer = in.U32();
  peer.operations = in.U64();
  peer.bytes = in.U64();
  return peer;
}

// Reads a list of elements. Fails if the list has more than `most` elements.
template <typename Element>
std::vector<Element> ReadList(WireReader& in, size_t most,
                              Element (*read)(WireReader&)) {
  std::vector<Element> list;
  for (uint32_t left = ReadCount(in, most); left > 0 && in.ok(); --left) {
    list.push_back(read(in));
  }
  return list;
}

// Returns the peers with traffic. The peer with the most bytes comes first.
std::vector<PeerStatistics> BusiestFirst(std::vector<PeerStatistics> peers) {
  std::erase_if(peers, [](const PeerStatistics& peer) {
    return peer.operations == 0 && peer.bytes == 0;
  });
  std::sort(peers.begin(), peers.end(),
            [](const PeerStatistics& a, const PeerStatistics& b) {
              return std::tie(b.bytes, b.operations, a.peer) <
                     std::tie(a.bytes, a.operations, b.peer);
            });
  return peers;
}

void WriteTimes(WireWriter& out, const RankStatistics& statistics) {
  WriteNanos(out, statistics.elapsed);
  out.U64(statistics.handlers);
  out.U32(static_cast<uint32_t>(statistics.calls.size()));
  for (const CallStatistics& call : statistics.calls) {
    out.Text(call.name);
    out.U64(call.calls);
    out.U64(call.bytes);
    WriteNanos(out, call.nanos);
    WriteNanos(out, call.waiting);
  }
  out.U32(static_cast<uint32_t>(statistics.waits.size()));
  for (const WaitStatistics& wait : statistics.waits) {
    out.U32(static_cast<uint32_t>(wait.what));
    out.U64(wait.count);
    WriteNanos(out, wait.nanos);
  }
}

void WriteNetwork(WireWriter& out, const RankStatistics& statistics) {
  out.U32(static_cast<uint32_t>(statistics.network.size()));
  for (const NetworkStatistics& count : statistics.network) {
    out.Text(count.name);
    out.U64(count.count);
  }
}

}  // namespace

std::string Encode(const RankStatistics& statistics) {
  WireWriter times;
  WriteTimes(times, statistics);
  WriteNetwork(times, statistics);
  std::string bytes = times.Take();
  std::vector<PeerStatistics> peers = BusiestFirst(statistics.peers);
  const size_t others = 2 * sizeof(uint64_t);
  const size_t room =
      (kMaxStatisticsBytes - bytes.size() - others - kCountBytes) / kPeerBytes;
  uint64_t operations = statistics.other_operations;
  uint64_t other_bytes = statistics.other_bytes;
  for (; peers.size() > room; peers.pop_back()) {
    AddTo(operations, peers.back().operations);
    AddTo(other_bytes, peers.back().bytes);
  }
  WireWriter traffic;
  traffic.U64(operations);
  traffic.U64(other_bytes);
  traffic.U32(static_cast<uint32_t>(peers.size()));
  for (const PeerStatistics& peer : peers) {
    traffic.U32(peer.peer);
    traffic.U64(peer.operations);
    traffic.U64(peer.bytes);
  }
  return bytes + traffic.Take();
}

bool Decode(std::string_view bytes, RankStatistics& statistics) {
  if (bytes.size() > kMaxStatisticsBytes) return false;
  WireReader in(bytes);
  RankStatistics read;
  read.elapsed = ReadNanos(in);
  read.handlers = in.U64();
  read.calls = ReadList(in, kMaxCalls, ReadCall);
  read.waits = ReadList(in, kReasons, ReadWait);
  read.network = ReadList(in, kMaxNetworkCounts, ReadNetworkCount);
  read.other_operations = in.U64();
  read.other_bytes = in.U64();
  read.peers = ReadList(in, kMaxNodes, ReadPeer);
  if (!in.Complete()) return false;
  statistics = std::move(read);
  return true;
}

}  // namespace gasnet::job
