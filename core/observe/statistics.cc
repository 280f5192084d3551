#include "core/observe/statistics.h"

#include <sched.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "core/observe/network_counts.h"
#include "core/observe/transfer_kind.h"

namespace gasnet::observe {
namespace {

// The longest time that a thread waits while another thread uses the
// statistics.
constexpr int64_t kPatience = kNanosPerSecond / 10;

constexpr size_t kWaitNames = ThreadLog::kReasons;
constexpr const char* kWaitFor[kWaitNames] = {
    "unknown",     "GASNET_BLOCKUNTIL", "room_to_send", "gasnet_barrier",
    "collectives", "puts_and_gets",     "all_ranks",
};

constexpr std::array<const char*, kTransferKinds> kTransferNames = {"put",
                                                                    "get"};

// Writes the counts of the network. They count from the start of the network,
// whatever was reset.
void PrintNetwork(Output& output) {
  bool is_first = true;
  NetworkCounts::Visit([&](const char* name, uint64_t count) {
    if (std::exchange(is_first, false)) {
      output.Print("   %-32s %12s\n", "network", "count");
    }
    output.Print("%c  %-32s %12" PRIu64 "\n", kConduitGroup, name, count);
  });
}

double Micros(uint64_t nanos) { return static_cast<double>(nanos) / 1e3; }

double Mean(uint64_t nanos, uint64_t number) {
  return number == 0 ? 0 : Micros(nanos) / static_cast<double>(number);
}

}  // namespace

Statistics::Statistics(Rank rank, Rank ranks, std::string_view conduit)
    : rank_(rank),
      conduit_(conduit),
      since_(NowNanos()),
      totals_(ranks),
      before_(ranks) {}

int64_t Statistics::elapsed() const { return NowNanos() - since_; }

bool Statistics::Begin() {
  const int64_t deadline = NowNanos() + kPatience;
  while (busy_.exchange(true, std::memory_order_acquire)) {
    if (NowNanos() > deadline) return false;
    sched_yield();
  }
  return true;
}

const Totals* Statistics::Collect(const ThreadLog* newest) {
  if (!Begin()) return nullptr;
  totals_.Collect(newest);
  totals_.Subtract(before_);
  return &totals_;
}

void Statistics::Write(const ThreadLog* newest, Mask mask, const char* when,
                       bool reset) {
  if (Collect(newest) == nullptr) {
    Warn("statistics %s are not written: another thread writes some", when);
    return;
  }
  if (output_.IsOpen()) {
    PrintHead(mask, when);
    PrintCalls();
    PrintHandlers();
    PrintSent();
    PrintWaits();
    PrintTransfers();
    PrintPeers();
    if (mask.Has(kConduitGroup)) PrintNetwork(output_);
    output_.Flush();
  }
  if (reset) {
    before_.Collect(newest);
    since_ = NowNanos();
  }
  EndCollect();
}

void Statistics::PrintLine(const char* format, va_list args) {
  if (!output_.IsOpen()) return;
  if (!Begin()) {
    Warn(
        "a line of GASNETT_STATS_PRINTF is not written: another thread writes "
        "statistics");
    return;
  }
  output_.Print("H  ");
  output_.PrintV(format, args);
  output_.Print("\n");
  output_.Flush();
  EndCollect();
}

void Statistics::PrintHead(Mask mask, const char* when) {
  Mask::Text letters;
  mask.Write(letters);
  char identity[256];
  FormatLogIdentity(identity, sizeof identity);
  output_.Print(
      "GASNet statistics %s: %s, %s, %.6f s, %u threads, mask %s\n"
      "times in microseconds; total and mean are exact for waits, and "
      "estimated from the timed calls otherwise\n",
      when, identity, conduit_.c_str(), Micros(elapsed()) / 1e6,
      totals_.threads, letters.data());
}

void Statistics::PrintCalls() {
  output_.Print("   %-32s %12s %14s %10s %10s %10s %10s %14s %14s %10s %12s\n",
                "call", "calls", "bytes", "timed", "least", "mean", "most",
                "total", "waiting", "waits", "refused");
  for (size_t i = 0; i <= kCalls; ++i) {
    const CallTotal& total = totals_.calls[i];
    if (total.calls == 0 && total.waits == 0) continue;
    const auto call = static_cast<Call>(i);
    const bool inside = call != Call::kNone;
    output_.Print("%c  %-32s %12" PRIu64 " %14" PRIu64 " %10" PRIu64
                  " %10.3f %10.3f %10.3f %14.3f %14.3f %10" PRIu64 " %12" PRIu64
                  "\n",
                  GroupOf(call), inside ? NameOf(call) : "other_calls",
                  total.calls, total.bytes, total.times.timed,
                  Micros(total.times.least), Mean(total.time(), total.calls),
                  Micros(total.times.most), Micros(total.time()),
                  Micros(total.waiting), total.waits, total.refused);
  }
}

void Statistics::PrintHandlers() {
  output_.Print("   %-32s %12s %14s %10s %10s %10s %10s %14s\n", "handler",
                "runs", "bytes", "timed", "least", "mean", "most", "total");
  for (size_t i = 0; i < totals_.handlers.size(); ++i) {
    const HandlerTotal& total = totals_.handlers[i];
    if (total.runs == 0) continue;
    HandlerDigits digits;
    output_.Print("%c  %-32s %12" PRIu64 " %14" PRIu64 " %10" PRIu64
                  " %10.3f %10.3f %10.3f %14.3f\n",
                  ThreadLog::kHandlerRuns, HandlerName(i, digits), total.runs,
                  total.bytes, total.times.timed, Micros(total.times.least),
                  Mean(total.times.sum, total.runs), Micros(total.times.most),
                  Micros(total.times.sum));
  }
}

// Prints the messages that the library has sent for itself, by their handlers.
// Messages of the client are calls.
void Statistics::PrintSent() {
  bool is_first = true;
  for (size_t i = 0; i < totals_.handlers.size(); ++i) {
    const HandlerTotal& total = totals_.handlers[i];
    if (total.sent == 0) continue;
    if (std::exchange(is_first, false)) {
      output_.Print("   %-32s %12s %14s\n", "library_message", "sent", "bytes");
    }
    HandlerDigits digits;
    output_.Print("%c  %-32s %12" PRIu64 " %14" PRIu64 "\n",
                  ThreadLog::kHandlerRuns, HandlerName(i, digits), total.sent,
                  total.sent_bytes);
  }
}

// Returns the name of a handler, or its index if it has no name. Writes the
// index to `digits`.
const char* Statistics::HandlerName(size_t index, HandlerDigits& digits) const {
  const HandlerNames* const names =
      handler_names_.load(std::memory_order_acquire);
  if (names != nullptr && index < names->size() && (*names)[index] != nullptr) {
    return (*names)[index];
  }
  std::snprintf(digits.data(), digits.size(), "%zu", index);
  return digits.data();
}

void Statistics::PrintWaits() {
  output_.Print("   %-32s %12s %10s %10s %10s %14s\n", "wait", "waits", "least",
                "mean", "most", "total");
  for (size_t i = 0; i < totals_.waits.size(); ++i) {
    const TotalTimes& total = totals_.waits[i];
    if (total.timed == 0) continue;
    output_.Print("%c  %-32s %12" PRIu64 " %10.3f %10.3f %10.3f %14.3f\n",
                  ThreadLog::kWaits, kWaitFor[i], total.timed,
                  Micros(total.least), Mean(total.sum, total.timed),
                  Micros(total.most), Micros(total.sum));
  }
}

void Statistics::PrintTransfers() {
  bool is_first = true;
  for (size_t i = 0; i < totals_.transfers.size(); ++i) {
    const TransferTotal& total = totals_.transfers[i];
    if (total.posted == 0 && total.completed == 0) continue;
    if (std::exchange(is_first, false)) {
      output_.Print("   %-32s %12s %14s %12s %10s %10s %10s %10s\n",
                    "native_transfer", "posted", "bytes", "completed", "timed",
                    "least", "mean", "most");
    }
    output_.Print("%c  %-32s %12" PRIu64 " %14" PRIu64 " %12" PRIu64
                  " %10" PRIu64 " %10.3f %10.3f %10.3f\n",
                  kConduitGroup, kTransferNames[i], total.posted, total.bytes,
                  total.completed, total.times.timed, Micros(total.times.least),
                  Mean(total.times.sum, total.stood_for),
                  Micros(total.times.most));
  }
}

void Statistics::PrintPeers() {
  output_.Print("   %-32s %12s %14s\n", "peer", "operations", "bytes");
  for (size_t peer = 0; peer < totals_.peers.size(); ++peer) {
    const PeerTotal& total = totals_.peers[peer];
    if (total.operations == 0) continue;
    output_.Print("C  %-32zu %12" PRIu64 " %14" PRIu64 "\n", peer,
                  total.operations, total.bytes);
  }
}

}  // namespace gasnet::observe
