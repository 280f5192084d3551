#include "tools/gasnet_trace/ring_cursor.h"

#include <sys/types.h>

#include <algorithm>

#include "base/syscall.h"

namespace gasnet::trace {
namespace {

using observe::TraceEvent;
using observe::TraceKind;
using observe::TraceRingHeader;

// The maximum number of events that are read at once.
constexpr uint64_t kPart = 1024;

bool IsOf(const TraceEvent& event, TraceKind kind) {
  return event.kind == static_cast<uint16_t>(kind);
}

bool IsDamaged(const TraceEvent& event) {
  return event.nanos < 0 || event.nanos >= kTimeLimit ||
         IsOf(event, TraceKind::kNone) ||
         event.kind > static_cast<uint16_t>(TraceKind::kLast);
}

// Returns the number of the oldest whole event in a ring. The ring has room for
// `events` events, and `count` events were written. The cell that is written
// next may be torn.
uint64_t Oldest(uint64_t count, uint64_t events) {
  return count < events ? 0 : count - events + 1;
}

}  // namespace

RingCursor::RingCursor(const RankTrace& trace, uint32_t ring)
    : file_(trace.file()),
      at_(trace.RingAt(ring)),
      events_(trace.header().ring_events) {
  count_ = ReadCount();
  next_ = Oldest(count_, events_);
  lost_ = next_;
}

uint64_t RingCursor::ReadCount() {
  TraceRingHeader header{};
  PreadFull(file_, &header, sizeof header, static_cast<off_t>(at_));
  thread_ = header.thread;
  return header.count;
}

void RingCursor::Lose(uint64_t events) {
  lost_ += events;
  next_ += events;
}

void RingCursor::Load() {
  loaded_.clear();
  taken_ = 0;
  while (loaded_.empty() && next_ != count_) {
    const uint64_t cell = next_ & (events_ - 1);
    const uint64_t size = std::min({kPart, count_ - next_, events_ - cell});
    loaded_.resize(size);
    const ssize_t bytes =
        PreadFull(file_, loaded_.data(), size * sizeof(TraceEvent),
                  static_cast<off_t>(at_ + sizeof(TraceRingHeader) +
                                     cell * sizeof(TraceEvent)));
    if (bytes != static_cast<ssize_t>(size * sizeof(TraceEvent))) {
      loaded_.clear();
      Lose(count_ - next_);
      return;
    }
    // Leaves out events that newer events have replaced before or during the
    // read.
    const uint64_t oldest = Oldest(ReadCount(), events_);
    const uint64_t replaced =
        oldest > next_ ? std::min(oldest - next_, count_ - next_) : 0;
    const uint64_t of_these = std::min(replaced, size);
    loaded_.erase(loaded_.begin(),
                  loaded_.begin() + static_cast<ptrdiff_t>(of_these));
    Lose(replaced);
    next_ += loaded_.size();
  }
}

const TraceEvent* RingCursor::Peek() {
  if (taken_ == loaded_.size()) Load();
  return taken_ == loaded_.size() ? nullptr : &loaded_[taken_];
}

const TraceEvent* RingCursor::Next() {
  while (const TraceEvent* const event = Peek()) {
    current_ = *event;
    ++taken_;
    if (IsDamaged(current_)) {
      ++damaged_;
      continue;
    }
    // The kText event with the beginning of this text is lost.
    if (IsOf(current_, TraceKind::kTextMore)) continue;
    if (IsOf(current_, TraceKind::kText)) Assemble(current_);
    return &current_;
  }
  return nullptr;
}

void RingCursor::Assemble(const TraceEvent& first) {
  const size_t size = std::min<size_t>(first.id, observe::kMaxTraceText);
  const auto append = [this, size](const TraceEvent& cell) {
    text_.append(reinterpret_cast<const char*>(&cell) + observe::kTraceTextAt,
                 std::min(size - text_.size(), observe::kTraceTextBytes));
  };
  text_.clear();
  append(first);
  while (text_.size() < size) {
    const TraceEvent* const more = Peek();
    if (more == nullptr || !IsOf(*more, TraceKind::kTextMore) ||
        more->id != text_.size()) {
      text_ += "...";
      return;
    }
    append(*more);
    ++taken_;
  }
}

}  // namespace gasnet::trace
