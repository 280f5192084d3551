#include "core/observe/for_launcher.h"

#include <cstddef>
#include <cstdint>

#include "core/observe/call.h"
#include "core/observe/network_counts.h"
#include "core/observe/transfer_kind.h"
#include "job/statistics/rank_statistics.h"

namespace gasnet::observe {
namespace {

constexpr size_t Index(TransferKind kind) { return static_cast<size_t>(kind); }

int64_t Nanos(uint64_t nanos) { return static_cast<int64_t>(nanos); }

uint64_t HandlersIn(const Totals& totals) {
  uint64_t runs = 0;
  for (const HandlerTotal& handler : totals.handlers) runs += handler.runs;
  return runs;
}

void AddCalls(const Totals& totals, job::StatisticsWriter& out) {
  for (size_t i = 0; i <= kCalls; ++i) {
    const CallTotal& total = totals.calls[i];
    if (total.calls == 0 && total.waits == 0) continue;
    const auto call = static_cast<Call>(i);
    out.AddCall(call == Call::kNone ? "other_calls" : NameOf(call), total.calls,
                total.bytes, Nanos(total.times.sum), Nanos(total.waiting));
  }
}

void AddWaits(const Totals& totals, job::StatisticsWriter& out) {
  for (size_t i = 0; i < totals.waits.size(); ++i) {
    const TotalTimes& total = totals.waits[i];
    if (total.timed == 0) continue;
    out.AddWait({.what = static_cast<WaitFor>(i),
                 .count = total.timed,
                 .nanos = Nanos(total.sum)});
  }
}

// Adds the counts of events that are no calls: the library's own messages, and
// what the network has done.
void AddNetworkCounts(const Totals& totals, job::StatisticsWriter& out) {
  size_t counts = 0;
  const auto add = [&](const char* name, uint64_t count) {
    if (++counts <= job::kMaxNetworkCounts) out.AddNetworkCount(name, count);
  };
  HandlerTotal all;
  for (const HandlerTotal& handler : totals.handlers) {
    all.sent += handler.sent;
    all.sent_bytes += handler.sent_bytes;
  }
  add("library_messages", all.sent);
  add("library_message_bytes", all.sent_bytes);
  const TransferTotal& puts = totals.transfers[Index(TransferKind::kPut)];
  add("native_puts", puts.posted);
  add("native_put_bytes", puts.bytes);
  const TransferTotal& gets = totals.transfers[Index(TransferKind::kGet)];
  add("native_gets", gets.posted);
  add("native_get_bytes", gets.bytes);
  NetworkCounts::Visit(add);
}

void AddPeers(const Totals& totals, job::StatisticsWriter& out) {
  for (size_t peer = 0; peer < totals.peers.size(); ++peer) {
    out.AddPeer({.peer = static_cast<uint32_t>(peer),
                 .operations = totals.peers[peer].operations,
                 .bytes = totals.peers[peer].bytes});
  }
}

}  // namespace

void ForLauncher::Write(const Totals& totals, int64_t elapsed) {
  writer_.Begin(elapsed, HandlersIn(totals));
  writer_.BeginList();
  AddCalls(totals, writer_);
  writer_.BeginList();
  AddWaits(totals, writer_);
  writer_.BeginList();
  AddNetworkCounts(totals, writer_);
  AddPeers(totals, writer_);
}

void ForLauncher::Encode(Observer& observer,
                         absl::FunctionRef<void(std::string_view)> send) {
  Statistics& statistics = observer.statistics();
  const Totals* const totals = statistics.Collect(observer.newest());
  if (totals == nullptr) return;
  Write(*totals, statistics.elapsed());
  send(writer_.End(/*other_operations=*/0, /*other_bytes=*/0));
  statistics.EndCollect();
}

}  // namespace gasnet::observe
