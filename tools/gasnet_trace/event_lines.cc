#include "tools/gasnet_trace/event_lines.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/clock.h"
#include "base/units.h"
#include "tools/gasnet_trace/losses.h"
#include "tools/gasnet_trace/nesting.h"
#include "tools/gasnet_trace/printable.h"
#include "tools/gasnet_trace/ring_cursor.h"
#include "tools/gasnet_trace/transfers.h"
#include "tools/gasnet_trace/wait_names.h"

namespace gasnet::trace {
namespace {

using observe::TraceEvent;
using observe::TraceKind;

// A ring that is being read, with its next event.
class RingStream {
 public:
  RingStream(const JobTrace& job, size_t place, uint32_t ring)
      : job_(job), place_(place), cursor_(job.ranks()[place], ring) {
    Advance();
  }

  bool HasEvent() const { return event_ != nullptr; }
  int64_t time() const { return time_; }
  const RingCursor& cursor() const { return cursor_; }
  const RankTrace& rank() const { return job_.ranks()[place_]; }

  void Advance() {
    event_ = cursor_.Next();
    if (event_ != nullptr) time_ = job_.OnAxis(place_, event_->nanos);
  }

  // Returns the line of the current event. May be called once for each event.
  std::string Line() {
    if (static_cast<TraceKind>(event_->kind) == TraceKind::kThread) {
      thread_ = static_cast<int64_t>(event_->argument);
    }
    return absl::StrCat(Time(), " rank ", rank().rank(), " thread ",
                        thread_ < 0 ? cursor_.thread() : thread_, "  ", Said(),
                        "\n");
  }

 private:
  // Returns the time in seconds. Times before the start of the first rank are
  // negative.
  std::string Time() const {
    const uint64_t nanos = time_ < 0 ? -static_cast<uint64_t>(time_)
                                     : static_cast<uint64_t>(time_);
    return absl::StrFormat("%16s",
                           absl::StrFormat("%s%d.%09d", time_ < 0 ? "-" : "",
                                           nanos / uint64_t{kNanosPerSecond},
                                           nanos % uint64_t{kNanosPerSecond}));
  }

  static std::string Peer(const char* before, uint32_t peer) {
    if (peer == observe::kNoTracePeer) return "";
    return absl::StrCat(before, peer);
  }

  std::string Handler(uint16_t index) const {
    return Printable(rank().HandlerName(index));
  }

  // Returns the duration of the slice that the event ends, or an empty string.
  std::string Took() {
    std::string took;
    nesting_.Take(*event_, [&](const Slice& slice) {
      took = slice.has_begin && slice.has_end
                 ? absl::StrCat(
                       ", ", FineTimeText(static_cast<double>(slice.Nanos())))
                 : "";
    });
    return took;
  }

  std::string Said() {
    const TraceEvent& event = *event_;
    const std::string took = Took();
    const std::string bytes =
        event.bytes == 0 ? "" : absl::StrCat(", ", event.bytes, " bytes");
    switch (static_cast<TraceKind>(event.kind)) {
      case TraceKind::kCallBegins:
        return absl::StrCat(Printable(rank().CallName(event.id)), " begins",
                            Peer(", rank ", event.peer), bytes,
                            rank().IsMessage(event.id)
                                ? absl::StrCat(", handler ", event.argument)
                                : "");
      case TraceKind::kCallEnds:
        return absl::StrCat(
            Printable(rank().CallName(event.id)), " ends",
            event.argument == observe::kTraceRefused ? ", refused" : "", took);
      case TraceKind::kHandlerBegins:
        return absl::StrCat("handler ", Handler(event.id), " begins",
                            Peer(", from rank ", event.peer), bytes);
      case TraceKind::kHandlerEnds:
        return absl::StrCat("handler ", Handler(event.id), " ends", took);
      case TraceKind::kWaited:
        return absl::StrCat("waited for ", NameOfWait(event.id),
                            Peer(", rank ", event.peer), ", ",
                            FineTimeText(static_cast<double>(event.argument)));
      case TraceKind::kText:
        return absl::StrCat("text: ", Printable(cursor_.text()));
      case TraceKind::kSourceLine:
        return absl::StrCat("at ", Printable(rank().SourceName(event.id)), ":",
                            event.argument);
      case TraceKind::kThread:
        return "thread begins";
      case TraceKind::kSent:
        return absl::StrCat("message ", Handler(event.id), " is sent",
                            Peer(", rank ", event.peer), bytes);
      case TraceKind::kPosted:
        return absl::StrCat("native ", NameOfTransfer(event.id), " ",
                            event.argument, " is posted",
                            Peer(", rank ", event.peer), bytes);
      case TraceKind::kCompleted:
        return absl::StrCat("native ", NameOfTransfer(event.id), " ",
                            event.argument, " is complete",
                            Peer(", rank ", event.peer), bytes);
      default:
        return "unknown event";
    }
  }

  const JobTrace& job_;
  const size_t place_;
  RingCursor cursor_;
  Nesting nesting_;
  const TraceEvent* event_ = nullptr;
  int64_t time_ = 0;
  int64_t thread_ = -1;
};

using Streams = std::vector<std::unique_ptr<RingStream>>;

Streams Open(const JobTrace& job) {
  Streams streams;
  for (size_t place = 0; place < job.ranks().size(); ++place) {
    const uint32_t rings = job.ranks()[place].header().rings;
    for (uint32_t ring = 0; ring < rings; ++ring) {
      streams.push_back(std::make_unique<RingStream>(job, place, ring));
    }
  }
  return streams;
}

void WriteLosses(const JobTrace& job, const Streams& streams, TextWriter& out) {
  std::string losses;
  for (const auto& stream : streams) {
    losses += RingLosses(stream->rank(), stream->cursor());
  }
  for (const RankTrace& rank : job.ranks()) losses += ThreadLosses(rank);
  for (const auto line : absl::StrSplit(losses, '\n', absl::SkipEmpty())) {
    out.Write(absl::StrCat("# ", line, "\n"));
  }
}

}  // namespace

void WriteEventLines(const JobTrace& job, TextWriter& out) {
  const Streams streams = Open(job);
  // The next event of each ring, ordered by time, then by rank and ring.
  using Key = std::pair<int64_t, size_t>;
  std::priority_queue<Key, std::vector<Key>, std::greater<>> next;
  for (size_t i = 0; i < streams.size(); ++i) {
    if (streams[i]->HasEvent()) next.emplace(streams[i]->time(), i);
  }
  while (!next.empty()) {
    const size_t i = next.top().second;
    next.pop();
    out.Write(streams[i]->Line());
    streams[i]->Advance();
    if (streams[i]->HasEvent()) next.emplace(streams[i]->time(), i);
  }
  WriteLosses(job, streams, out);
}

}  // namespace gasnet::trace
