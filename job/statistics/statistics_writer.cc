#include "job/statistics/statistics_writer.h"

#include <algorithm>
#include <tuple>

#include "job/statistics/saturating.h"
#include "job/wire/limits.h"

namespace gasnet::job {
namespace {

// The sizes in bytes of an encoded peer, of the number of peers, and of the
// traffic with other peers.
constexpr size_t kPeerBytes = 4 + 8 + 8;
constexpr size_t kCountBytes = 4;
constexpr size_t kOtherBytes = 2 * 8;

// Everything except peers takes less than half of the largest encoding. The
// rest is room for many peers.
constexpr size_t kMaxCallBytes = 4 + kMaxNameBytes + 4 * 8;
constexpr size_t kMaxCountBytes = 4 + kMaxNameBytes + 8;
static_assert(kMaxCalls * kMaxCallBytes + kMaxWaits * 20 +
                  kMaxNetworkCounts * kMaxCountBytes + 64 <
              kMaxStatisticsBytes / 2);

// Sorts the peers. The peer with the most bytes comes first.
void SortByTraffic(std::vector<PeerStatistics>& peers) {
  std::sort(peers.begin(), peers.end(),
            [](const PeerStatistics& a, const PeerStatistics& b) {
              return std::tie(b.bytes, b.operations, a.peer) <
                     std::tie(a.bytes, a.operations, b.peer);
            });
}

}  // namespace

StatisticsWriter::StatisticsWriter(size_t peers)
    : memory_(kMaxStatisticsBytes), out_(memory_) {
  peers_.reserve(peers);
}

void StatisticsWriter::Nanos(int64_t nanos) {
  out_.U64(static_cast<uint64_t>(std::max<int64_t>(0, nanos)));
}

void StatisticsWriter::Begin(int64_t elapsed, uint64_t handlers) {
  out_ = FixedWriter(memory_);
  peers_.clear();
  list_at_ = 0;
  Nanos(elapsed);
  out_.U64(handlers);
}

void StatisticsWriter::EndList() {
  if (list_at_ != 0) out_.SetU32(list_at_, elements_);
}

void StatisticsWriter::BeginList() {
  EndList();
  list_at_ = out_.size();
  elements_ = 0;
  out_.U32(0);
}

void StatisticsWriter::AddCall(std::string_view name, uint64_t calls,
                               uint64_t bytes, int64_t nanos, int64_t waiting) {
  ++elements_;
  out_.Text(name);
  out_.U64(calls);
  out_.U64(bytes);
  Nanos(nanos);
  Nanos(waiting);
}

void StatisticsWriter::AddWait(const WaitStatistics& wait) {
  ++elements_;
  out_.U32(static_cast<uint32_t>(wait.what));
  out_.U64(wait.count);
  Nanos(wait.nanos);
}

void StatisticsWriter::AddNetworkCount(std::string_view name, uint64_t count) {
  ++elements_;
  out_.Text(name);
  out_.U64(count);
}

void StatisticsWriter::AddPeer(const PeerStatistics& peer) {
  const bool is_idle = peer.operations == 0 && peer.bytes == 0;
  if (!is_idle && peers_.size() < peers_.capacity()) peers_.push_back(peer);
}

std::string_view StatisticsWriter::End(uint64_t other_operations,
                                       uint64_t other_bytes) {
  EndList();
  SortByTraffic(peers_);
  const size_t most = (out_.room() - kOtherBytes - kCountBytes) / kPeerBytes;
  for (; peers_.size() > most; peers_.pop_back()) {
    AddTo(other_operations, peers_.back().operations);
    AddTo(other_bytes, peers_.back().bytes);
  }
  out_.U64(other_operations);
  out_.U64(other_bytes);
  out_.U32(static_cast<uint32_t>(peers_.size()));
  for (const PeerStatistics& peer : peers_) {
    out_.U32(peer.peer);
    out_.U64(peer.operations);
    out_.U64(peer.bytes);
  }
  return out_.written();
}

}  // namespace gasnet::job
