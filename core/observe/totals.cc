#include "core/observe/totals.h"

#include <algorithm>

namespace gasnet::observe {
namespace {

// Only some calls are timed, and each timed call represents several. Returns
// the ratio of all calls to the calls that are represented.
double ScaleOf(uint64_t number) {
  const uint64_t stood_for = StoodFor(number);
  return stood_for == 0
             ? 0
             : static_cast<double>(number) / static_cast<double>(stood_for);
}

void Take(uint64_t& from, uint64_t less) { from -= std::min(from, less); }

void Take(TotalTimes& from, const TotalTimes& less) {
  Take(from.timed, less.timed);
  Take(from.sum, less.sum);
}

}  // namespace

void TotalTimes::Add(const Durations& more, double scale) {
  timed += more.timed.Get();
  sum += static_cast<uint64_t>(static_cast<double>(more.sum.Get()) * scale);
  const uint64_t its_least = more.least.Get();
  if (its_least != 0 && (least == 0 || its_least < least)) least = its_least;
  most = std::max(most, more.most.Get());
}

void TransferTotal::Add(const TransferCounts& more) {
  posted += more.posted.Get();
  bytes += more.bytes.Get();
  completed += more.completed.Get();
  times.Add(more.times, 1);
  stood_for += more.stood_for.Get();
}

void TransferTotal::Subtract(const TransferTotal& before) {
  Take(posted, before.posted);
  Take(bytes, before.bytes);
  Take(completed, before.completed);
  Take(times, before.times);
  Take(stood_for, before.stood_for);
}

void Totals::Collect(const ThreadLog* newest) {
  calls = {};
  handlers = {};
  waits = {};
  transfers = {};
  std::fill(peers.begin(), peers.end(), PeerTotal{});
  threads = 0;
  for (const ThreadLog* log = newest; log != nullptr; log = log->older) {
    ++threads;
    for (size_t i = 0; i < calls.size(); ++i) {
      const CallCounts& more = log->Of(static_cast<Call>(i));
      const uint64_t number = more.calls.Get();
      calls[i].calls += number;
      calls[i].bytes += more.bytes.Get();
      calls[i].times.Add(more.times, ScaleOf(number));
      calls[i].waits += more.waits.Get();
      calls[i].waiting += more.waiting.Get();
      calls[i].refused += more.refused.Get();
    }
    for (size_t i = 0; i < handlers.size(); ++i) {
      const HandlerCounts& more = log->OfHandler(static_cast<uint8_t>(i));
      const uint64_t number = more.runs.Get();
      handlers[i].sent += more.sent.Get();
      handlers[i].sent_bytes += more.sent_bytes.Get();
      handlers[i].runs += number;
      handlers[i].bytes += more.bytes.Get();
      handlers[i].times.Add(more.times, ScaleOf(number));
    }
    for (size_t i = 0; i < waits.size(); ++i) {
      waits[i].Add(log->OfWait(static_cast<WaitFor>(i)), 1);
    }
    for (size_t i = 0; i < transfers.size(); ++i) {
      transfers[i].Add(log->OfTransfers(static_cast<TransferKind>(i)));
    }
    for (Rank peer = 0; peer < peers.size(); ++peer) {
      const PeerCounts* const more = log->OfPeer(peer);
      if (more == nullptr) continue;
      peers[peer].operations += more->operations.Get();
      peers[peer].bytes += more->bytes.Get();
    }
  }
}

void Totals::Subtract(const Totals& before) {
  for (size_t i = 0; i < calls.size(); ++i) {
    Take(calls[i].calls, before.calls[i].calls);
    Take(calls[i].bytes, before.calls[i].bytes);
    Take(calls[i].times, before.calls[i].times);
    Take(calls[i].waits, before.calls[i].waits);
    Take(calls[i].waiting, before.calls[i].waiting);
    Take(calls[i].refused, before.calls[i].refused);
  }
  for (size_t i = 0; i < handlers.size(); ++i) {
    Take(handlers[i].sent, before.handlers[i].sent);
    Take(handlers[i].sent_bytes, before.handlers[i].sent_bytes);
    Take(handlers[i].runs, before.handlers[i].runs);
    Take(handlers[i].bytes, before.handlers[i].bytes);
    Take(handlers[i].times, before.handlers[i].times);
  }
  for (size_t i = 0; i < waits.size(); ++i) Take(waits[i], before.waits[i]);
  for (size_t i = 0; i < transfers.size(); ++i) {
    transfers[i].Subtract(before.transfers[i]);
  }
  for (size_t i = 0; i < peers.size(); ++i) {
    Take(peers[i].operations, before.peers[i].operations);
    Take(peers[i].bytes, before.peers[i].bytes);
  }
}

}  // namespace gasnet::observe
