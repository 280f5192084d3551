#include "job/statistics/rank_statistics.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "job/statistics/statistics_writer.h"
#include "job/wire/limits.h"
#include "job/wire/wire.h"

namespace gasnet::job {
namespace {

bool IsName(std::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return absl::ascii_isalnum(c) || c == '_';
         });
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
  if (what >= kMaxWaits) in.Fail();
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

}  // namespace

std::string Encode(const RankStatistics& statistics) {
  StatisticsWriter out(statistics.peers.size());
  out.Begin(statistics.elapsed, statistics.handlers);
  out.BeginList();
  for (const CallStatistics& call : statistics.calls) {
    out.AddCall(call.name, call.calls, call.bytes, call.nanos, call.waiting);
  }
  out.BeginList();
  for (const WaitStatistics& wait : statistics.waits) out.AddWait(wait);
  out.BeginList();
  for (const NetworkStatistics& count : statistics.network) {
    out.AddNetworkCount(count.name, count.count);
  }
  for (const PeerStatistics& peer : statistics.peers) out.AddPeer(peer);
  return std::string(
      out.End(statistics.other_operations, statistics.other_bytes));
}

bool Decode(std::string_view bytes, RankStatistics& statistics) {
  if (bytes.size() > kMaxStatisticsBytes) return false;
  WireReader in(bytes);
  RankStatistics read;
  read.elapsed = ReadNanos(in);
  read.handlers = in.U64();
  read.calls = ReadList(in, kMaxCalls, ReadCall);
  read.waits = ReadList(in, kMaxWaits, ReadWait);
  read.network = ReadList(in, kMaxNetworkCounts, ReadNetworkCount);
  read.other_operations = in.U64();
  read.other_bytes = in.U64();
  read.peers = ReadList(in, kMaxNodes, ReadPeer);
  if (!in.Complete()) return false;
  statistics = std::move(read);
  return true;
}

}  // namespace gasnet::job
