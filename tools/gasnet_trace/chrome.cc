#include "tools/gasnet_trace/chrome.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "tools/gasnet_trace/arrows.h"
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
using Kind = Slice::Kind;

// Returns a time in nanoseconds as the exact text in microseconds.
std::string Micros(int64_t nanos) {
  constexpr uint64_t kPerMicro = 1000;
  const bool is_negative = nanos < 0;
  const uint64_t size = is_negative ? -static_cast<uint64_t>(nanos)
                                    : static_cast<uint64_t>(nanos);
  return absl::StrFormat("%s%d.%03d", is_negative ? "-" : "", size / kPerMicro,
                         size % kPerMicro);
}

// Returns the beginning of an event: its type, its process and its thread.
// Process and thread numbers begin with 1: viewers take number 0 for an idle
// system.
std::string Event(const char* type, uint32_t rank, uint32_t ring) {
  return absl::StrCat("{\"ph\":\"", type, "\",\"pid\":", uint64_t{rank} + 1,
                      ",\"tid\":", ring + 1);
}

class Chrome {
 public:
  Chrome(const JobTrace& job, TextWriter& out) : job_(job), out_(out) {}

  void Write() {
    out_.Write("{\"displayTimeUnit\":\"ns\",\n\"traceEvents\":[");
    for (size_t place = 0; place < job_.ranks().size(); ++place) {
      WriteRank(place);
    }
    WriteArrows();
    out_.Write("\n],\n\"otherData\":{");
    WriteNotes();
    out_.Write("\n}}\n");
  }

 private:
  // A ring that is being read.
  struct Reading {
    size_t place;
    uint32_t ring;
    std::vector<Slice> slices;  // complete slices that are not written yet
  };

  const RankTrace& RankAt(size_t place) const { return job_.ranks()[place]; }

  void Add(std::string_view event) {
    out_.Write(absl::StrCat(is_first_ ? "\n" : ",\n", event));
    is_first_ = false;
  }

  void Name(const char* what, const RankTrace& rank, uint32_t ring,
            const std::string& name) {
    Add(absl::StrCat(Event("M", rank.rank(), ring), ",\"name\":\"", what,
                     "\",\"args\":{\"name\":", JsonString(name), "}}"));
  }

  void WriteRank(size_t place) {
    const RankTrace& rank = RankAt(place);
    Name("process_name", rank, 0,
         absl::StrCat("rank ", rank.rank(), " on ", rank.HostName(),
                      ", process ", rank.header().process));
    Add(absl::StrCat(Event("M", rank.rank(), 0),
                     ",\"name\":\"process_sort_index\","
                     "\"args\":{\"sort_index\":",
                     rank.rank(), "}}"));
    bool is_complete = rank.header().threads_without_ring == 0;
    Transfers transfers;
    for (uint32_t ring = 0; ring < rank.header().rings; ++ring) {
      is_complete &= WriteRing(place, ring, transfers);
    }
    transfers.Finish(
        [&](const auto*... ends) { WriteTransfer(place, ends...); });
    losses_ += ThreadLosses(rank);
    complete_.push_back(is_complete);
  }

  // Writes a ring. Returns true if no event of the ring was lost.
  bool WriteRing(size_t place, uint32_t ring, Transfers& transfers) {
    RingCursor cursor(RankAt(place), ring);
    Name("thread_name", RankAt(place), ring,
         absl::StrCat("thread ", cursor.thread()));
    Reading reading{place, ring, {}};
    Nesting nesting;
    const auto keep = [&reading](const Slice& slice) {
      reading.slices.push_back(slice);
    };
    while (const TraceEvent* const event = cursor.Next()) {
      nesting.Take(*event, keep);
      transfers.Take(*event, ring, [&](const auto*... ends) {
        WriteTransfer(place, ends...);
      });
      if (event->kind == static_cast<uint16_t>(TraceKind::kText)) {
        WriteText(reading, event->nanos, cursor.text());
      }
      if (event->kind == static_cast<uint16_t>(TraceKind::kSent)) {
        WriteSent(reading, *event);
      }
      if (nesting.depth() == 0) WriteSlices(reading);
    }
    nesting.Finish(keep);
    WriteSlices(reading);
    losses_ += RingLosses(RankAt(place), cursor);
    return cursor.lost() == 0 && cursor.damaged() == 0;
  }

  void WriteText(const Reading& reading, int64_t nanos,
                 const std::string& text) {
    Add(absl::StrCat(Event("i", RankAt(reading.place).rank(), reading.ring),
                     ",\"s\":\"t\",\"cat\":\"text\",\"ts\":",
                     Micros(job_.OnAxis(reading.place, nanos)),
                     ",\"name\":", JsonString(text), "}"));
  }

  // Writes a message of the library as an instant. It has no arrow: collectives
  // take some of these messages out of the network without a handler, so no
  // order matches them with handlers.
  void WriteSent(const Reading& reading, const TraceEvent& event) {
    const RankTrace& rank = RankAt(reading.place);
    Add(absl::StrCat(
        Event("i", rank.rank(), reading.ring),
        ",\"s\":\"t\",\"cat\":\"message\",\"ts\":",
        Micros(job_.OnAxis(reading.place, event.nanos)), ",\"name\":",
        JsonString(absl::StrCat("send ", rank.HandlerName(event.id))),
        ",\"args\":{\"peer\":", event.peer, ",\"bytes\":", event.bytes, "}}"));
  }

  // Writes a transfer as an asynchronous event, which may overlap with others
  // and need not end in the thread in which it began. A viewer cannot show a
  // completion whose post is lost.
  void WriteTransfer(size_t place, const TransferEnd* posted,
                     const TransferEnd* completed) {
    if (posted == nullptr) {
      ++without_post_;
      return;
    }
    WriteTransferEnd("b", place, *posted);
    if (completed != nullptr) WriteTransferEnd("e", place, *completed);
  }

  void WriteTransferEnd(const char* type, size_t place,
                        const TransferEnd& end) {
    const TraceEvent& event = end.event;
    Add(absl::StrCat(Event(type, RankAt(place).rank(), end.ring),
                     ",\"ts\":", Micros(job_.OnAxis(place, event.nanos)),
                     ",\"cat\":\"transfer\",\"name\":\"native ",
                     NameOfTransfer(event.id), "\",\"id2\":{\"local\":\"",
                     event.argument, "\"},\"args\":{\"peer\":", event.peer,
                     ",\"bytes\":", event.bytes, "}}"));
  }

  // Writes slices in the order of their beginnings, and outer slices before
  // inner ones. Viewers need that order for nesting.
  void WriteSlices(Reading& reading) {
    std::stable_sort(reading.slices.begin(), reading.slices.end(),
                     [](const Slice& a, const Slice& b) {
                       return std::tuple(a.begin, -a.end, a.depth) <
                              std::tuple(b.begin, -b.end, b.depth);
                     });
    for (const Slice& slice : reading.slices) {
      if (slice.has_begin) {
        WriteSlice(reading, slice);
        NoteMessage(reading, slice);
      } else {
        ++without_begin_;
      }
    }
    reading.slices.clear();
  }

  void WriteSlice(const Reading& reading, const Slice& slice) {
    const RankTrace& rank = RankAt(reading.place);
    Add(absl::StrCat(Event("X", rank.rank(), reading.ring), ",\"ts\":",
                     Micros(job_.OnAxis(reading.place, slice.begin)),
                     ",\"dur\":", Micros(slice.Nanos()), Title(rank, slice),
                     ",\"args\":{", Arguments(rank, slice), "}}"));
  }

  static std::string Title(const RankTrace& rank, const Slice& slice) {
    switch (slice.kind) {
      case Kind::kCall:
        return absl::StrCat(",\"cat\":\"call\",\"name\":",
                            JsonString(rank.CallName(slice.id)));
      case Kind::kHandler:
        return absl::StrCat(
            ",\"cat\":\"handler\",\"name\":",
            JsonString(absl::StrCat("handler ", rank.HandlerName(slice.id))));
      case Kind::kWait:
        break;
    }
    return absl::StrCat(
        ",\"cat\":\"wait\",\"name\":\"wait: ", NameOfWait(slice.id),
        "\",\"cname\":\"", ColourOfWait(slice.id), "\"");
  }

  static std::string Arguments(const RankTrace& rank, const Slice& slice) {
    std::vector<std::string> all;
    if (slice.peer != observe::kNoTracePeer) {
      all.push_back(
          absl::StrCat(slice.kind == Kind::kHandler ? "\"from\":" : "\"peer\":",
                       slice.peer));
    }
    all.push_back(slice.kind == Kind::kWait
                      ? absl::StrCat("\"number\":", slice.argument)
                      : absl::StrCat("\"bytes\":", slice.bytes));
    if (slice.kind == Kind::kCall && rank.IsMessage(slice.id)) {
      all.push_back(absl::StrCat("\"handler\":", slice.argument));
    }
    if (slice.has_line) {
      all.push_back(absl::StrCat(
          "\"line\":", JsonString(absl::StrCat(rank.SourceName(slice.source),
                                               ":", slice.line))));
    }
    if (slice.refused) all.push_back("\"refused\":true");
    if (!slice.has_end) all.push_back("\"not ended\":true");
    return absl::StrJoin(all, ",");
  }

  void NoteMessage(const Reading& reading, const Slice& slice) {
    const RankTrace& rank = RankAt(reading.place);
    const int64_t nanos = job_.OnAxis(reading.place, slice.begin);
    const int64_t error =
        std::min(job_.ErrorOf(reading.place).value_or(Arrows::kNoBound),
                 Arrows::kNoBound);
    if (slice.kind == Kind::kHandler) {
      arrows_.AddRun({slice.peer, rank.rank(), slice.id, slice.bytes,
                      reading.ring, nanos, error});
    } else if (slice.kind == Kind::kCall && rank.IsMessage(slice.id) &&
               !slice.refused) {
      arrows_.AddSent({rank.rank(), slice.peer,
                       static_cast<uint16_t>(slice.argument), slice.bytes,
                       reading.ring, nanos, error, slice.has_end});
    }
  }

  // Returns the time on the axis from which on messages of the rank may be
  // missing. Called once all rings are read.
  int64_t LimitOf(uint32_t rank) const {
    const std::optional<size_t> place = job_.PlaceOf(rank);
    if (!place.has_value() || !complete_[*place]) return Arrows::kNothing;
    const std::optional<int64_t> until = RankAt(*place).MessagesUntil();
    return until.has_value() ? job_.OnAxis(*place, *until) : Arrows::kNoLimit;
  }

  void WriteArrows() {
    const auto limit_of = [this](uint32_t rank) { return LimitOf(rank); };
    const auto draw = [this](const ArrowEnd& sent, const ArrowEnd& run) {
      const uint64_t number = ++drawn_;
      Add(absl::StrCat(Event("s", sent.from, sent.ring), Flow(number, sent)));
      Add(absl::StrCat(Event("f", run.to, run.ring), ",\"bp\":\"e\"",
                       Flow(number, run)));
    };
    arrows_.Match(limit_of, draw);
  }

  static std::string Flow(uint64_t number, const ArrowEnd& end) {
    return absl::StrCat(",\"id\":", number, ",\"ts\":", Micros(end.nanos),
                        ",\"cat\":\"message\",\"name\":\"message\"}");
  }

  void Note(const char* name, std::string_view value) {
    out_.Write(
        absl::StrCat(is_first_note_ ? "\n" : ",\n", "\"", name, "\":", value));
    is_first_note_ = false;
  }

  void WriteNotes() {
    const RankTrace& first = job_.ranks().front();
    Note("program", JsonString(first.Program()));
    Note("conduit", JsonString(first.Conduit()));
    Note("ranks", absl::StrCat(first.header().ranks));
    Note("start", JsonString(absl::FormatTime(
                      absl::FromUnixNanos(first.header().start_wall_nanos),
                      absl::UTCTimeZone())));
    Note("clock_error_nanos", ClockErrors());
    Note("ranks_without_trace", JsonString(job_.MissingRanks()));
    Note("ranks_without_arrows", RanksWithoutArrows());
    Note("messages_without_arrow", absl::StrCat(arrows_.sent() - drawn_));
    Note("slices_without_beginning", absl::StrCat(without_begin_));
    Note("transfers_without_post", absl::StrCat(without_post_));
    Note("lost", JsonString(losses_));
  }

  // Returns the clock error of each rank; null if a rank has no estimate.
  std::string ClockErrors() const {
    std::vector<std::string> errors;
    for (size_t place = 0; place < job_.ranks().size(); ++place) {
      const std::optional<int64_t> error = job_.ErrorOf(place);
      errors.push_back(absl::StrCat(
          "\"", RankAt(place).rank(),
          "\":", error.has_value() ? absl::StrCat(*error) : "null"));
    }
    return absl::StrCat("{", absl::StrJoin(errors, ","), "}");
  }

  std::string RanksWithoutArrows() const {
    std::vector<uint32_t> ranks;
    for (size_t place = 0; place < complete_.size(); ++place) {
      if (!complete_[place]) ranks.push_back(RankAt(place).rank());
    }
    return absl::StrCat("[", absl::StrJoin(ranks, ","), "]");
  }

  const JobTrace& job_;
  TextWriter& out_;
  Arrows arrows_;
  uint64_t drawn_ = 0;          // the number of arrows
  std::vector<bool> complete_;  // indexed by place
  std::string losses_;
  uint64_t without_begin_ = 0;
  uint64_t without_post_ = 0;
  bool is_first_ = true;
  bool is_first_note_ = true;
};

}  // namespace

void WriteChrome(const JobTrace& job, TextWriter& out) {
  Chrome(job, out).Write();
}

}  // namespace gasnet::trace
