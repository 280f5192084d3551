// Reads the events of one ring, the oldest first, a part at a time.
//
// The cursor ends at the event that was the newest when the cursor was made. A
// rank that still writes may replace events before they are read. These events
// count as lost. So do events that are missing because the file was cut while
// it was read. Events that no rank would write are left out, and counted as
// damaged.
#ifndef TOOLS_GASNET_TRACE_RING_CURSOR_H_
#define TOOLS_GASNET_TRACE_RING_CURSOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/observe/trace_format.h"
#include "tools/gasnet_trace/rank_trace.h"

namespace gasnet::trace {

class RingCursor {
 public:
  // The trace must outlive the cursor.
  RingCursor(const RankTrace& trace, uint32_t ring);

  // Returns the next event, or null at the end. The event is valid until the
  // next call. Never returns a kTextMore: it is a part of a kText's text.
  const observe::TraceEvent* Next();

  // Returns the text of the last kText that Next returned. If the rest of the
  // text is missing, the returned text ends with "...".
  const std::string& text() const { return text_; }

  int32_t thread() const { return thread_; }
  // count returns the number of all events that were written. lost and damaged
  // return the numbers of lost and damaged events. These two are final when the
  // cursor is at its end.
  uint64_t count() const { return count_; }
  uint64_t lost() const { return lost_; }
  uint64_t damaged() const { return damaged_; }

 private:
  const observe::TraceEvent* Peek();
  void Load();
  uint64_t ReadCount();
  void Lose(uint64_t events);
  void Assemble(const observe::TraceEvent& first);

  int file_;
  uint64_t at_;
  uint64_t events_;
  int32_t thread_ = 0;
  uint64_t count_ = 0;
  uint64_t next_ = 0;  // number of the event after the last loaded one
  uint64_t lost_ = 0;
  uint64_t damaged_ = 0;
  std::vector<observe::TraceEvent> loaded_;
  size_t taken_ = 0;  // number of loaded events that were taken
  observe::TraceEvent current_{};
  std::string text_;
};

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_RING_CURSOR_H_
