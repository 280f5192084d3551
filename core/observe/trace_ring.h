// The ring of events of one thread, in a trace file (trace_format.h).
//
// One thread at a time adds events. To add an event, it reads the clock and
// writes one cache line of the mapped file, without a lock, system call or
// allocation. A signal handler may add events, even if it interrupts its own
// thread while that thread adds one. One of the two events is then lost.
#ifndef CORE_OBSERVE_TRACE_RING_H_
#define CORE_OBSERVE_TRACE_RING_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/clock.h"
#include "core/observe/trace_format.h"

namespace gasnet::observe {

class alignas(64) TraceRing {
 public:
  // events: the number of cells behind the header, a power of two.
  TraceRing(TraceRingHeader* header, uint64_t events)
      : cells_(reinterpret_cast<TraceEvent*>(header + 1)),
        header_(header),
        mask_(events - 1),
        count_(header->count) {}
  TraceRing(const TraceRing&) = delete;
  TraceRing& operator=(const TraceRing&) = delete;

  // Adds an event with the current time. TraceKind explains the arguments of
  // each kind.
  void Add(TraceKind kind, uint16_t id, uint32_t peer = kNoTracePeer,
           uint64_t bytes = 0, uint64_t argument = 0) {
    Store({NowNanos(), static_cast<uint16_t>(kind), id, peer, bytes, argument});
  }

  // Adds a wait that ends now. since: NowNanos() at the start of the wait.
  // reason: a job::WaitFor. number: the wait's first number (job::Waiting).
  void AddWait(uint16_t reason, uint32_t peer, uint64_t number, int64_t since) {
    const int64_t now = NowNanos();
    Store({now, static_cast<uint16_t>(TraceKind::kWaited), reason, peer, number,
           static_cast<uint64_t>(std::max<int64_t>(now - since, 0))});
  }

  // Adds a line of text from the client. Keeps at most kMaxTraceText bytes.
  void AddText(std::string_view text) {
    text = text.substr(0, kMaxTraceText);
    const int64_t now = NowNanos();
    Store(TextCell(now, TraceKind::kText, text.size(), text));
    for (size_t at = kTraceTextBytes; at < text.size(); at += kTraceTextBytes) {
      Store(TextCell(now, TraceKind::kTextMore, at, text.substr(at)));
    }
  }

  // Adds an event unchanged. Also used by tests.
  void Store(const TraceEvent& event) {
    cells_[count_ & mask_] = event;
    ++count_;
    // A reader that sees this count also sees the event. The reader uses pread,
    // so it reads the page through another mapping.
    std::atomic_ref(header_->count).store(count_, std::memory_order_release);
  }

  // Returns the number of events ever added.
  uint64_t count() const { return count_; }

 private:
  friend class TraceFile;

  static TraceEvent TextCell(int64_t now, TraceKind kind, size_t id,
                             std::string_view text) {
    TraceEvent cell{
        now, static_cast<uint16_t>(kind), static_cast<uint16_t>(id), 0, 0, 0};
    // Writes beyond `peer`: the text occupies several adjacent members.
    std::memcpy(reinterpret_cast<char*>(&cell) + kTraceTextAt, text.data(),
                std::min(text.size(), kTraceTextBytes));
    return cell;
  }

  TraceEvent* cells_;
  TraceRingHeader* header_;
  uint64_t mask_;
  uint64_t count_;
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_TRACE_RING_H_
