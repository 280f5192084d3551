#include "tools/gasnet_trace/summary.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/units.h"
#include "tools/gasnet_trace/losses.h"
#include "tools/gasnet_trace/nesting.h"
#include "tools/gasnet_trace/printable.h"
#include "tools/gasnet_trace/ring_cursor.h"
#include "tools/gasnet_trace/statistics.h"
#include "tools/gasnet_trace/transfers.h"
#include "tools/gasnet_trace/wait_names.h"

namespace gasnet::trace {
namespace {

using Kind = Slice::Kind;

// The maximum number of unfinished calls and handlers that the summary lists.
constexpr size_t kMaxOpen = 1000;

std::string Counted(size_t count, const char* noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// A call or handler that had not ended when its ring was read.
struct OpenSlice {
  std::string line;
  int64_t begin;  // on the time axis
};

// Reads all rings of a job, and sums their events up.
class Summary {
 public:
  explicit Summary(const JobTrace& job) : job_(job) {
    for (size_t place = 0; place < job.ranks().size(); ++place) {
      ReadRank(place);
    }
  }

  std::string Text() const {
    return absl::StrCat(Heading(), losses_, TableText("calls", calls_),
                        TableText("waits", waits_),
                        TableText("handlers", handlers_),
                        TableText("messages of the library", sent_),
                        TableText("native transfers", transfers_),
                        TableText("source lines", lines_), OpenText());
  }

 private:
  // The sums of one rank, keyed by numbers rather than names.
  struct Sums {
    // Calls that were refused have sums of their own.
    std::map<std::tuple<Kind, uint16_t, bool>, SliceStatistics> slices;
    std::map<std::pair<uint16_t, uint64_t>, SliceStatistics> lines;
    std::map<uint16_t, SliceStatistics> sent;
    std::map<uint16_t, SliceStatistics> transfers;
    Transfers matched;

    void AddTransfer(const TransferEnd* posted, const TransferEnd* completed) {
      const TransferEnd& known = posted == nullptr ? *completed : *posted;
      std::optional<int64_t> nanos;
      if (posted != nullptr && completed != nullptr) {
        nanos =
            std::max<int64_t>(0, completed->event.nanos - posted->event.nanos);
      }
      transfers[known.event.id].Add(known.event.bytes, nanos);
    }
  };

  void ReadRank(size_t place) {
    const RankTrace& rank = job_.ranks()[place];
    Sums sums;
    for (uint32_t ring = 0; ring < rank.header().rings; ++ring) {
      RingCursor cursor(rank, ring);
      ReadRing(place, ring, cursor, sums);
      losses_ += RingLosses(rank, cursor);
    }
    sums.matched.Finish(
        [&sums](const auto*... ends) { sums.AddTransfer(ends...); });
    losses_ += ThreadLosses(rank);
    for (const auto& [key, sum] : sums.slices) {
      const auto [kind, id, refused] = key;
      TableOf(kind)[absl::StrCat(NameOf(rank, kind, id),
                                 refused ? ", refused" : "")]
          .Add(sum);
    }
    for (const auto& [handler, sum] : sums.sent) {
      sent_[rank.HandlerName(handler)].Add(sum);
    }
    for (const auto& [kind, sum] : sums.transfers) {
      transfers_[NameOfTransfer(kind)].Add(sum);
    }
    for (const auto& [key, sum] : sums.lines) {
      lines_[absl::StrCat(rank.SourceName(key.first), ":", key.second)].Add(
          sum);
    }
  }

  void ReadRing(size_t place, uint32_t ring, RingCursor& cursor, Sums& sums) {
    Nesting nesting;
    const auto count = [&sums](const Slice& slice) {
      sums.slices[{slice.kind, slice.id, slice.refused}].Add(slice);
      if (slice.has_line && slice.kind == Kind::kCall && slice.depth == 0) {
        sums.lines[{slice.source, slice.line}].Add(slice);
      }
    };
    while (const observe::TraceEvent* const event = cursor.Next()) {
      end_ = std::max(end_, job_.OnAxis(place, event->nanos));
      ++events_;
      nesting.Take(*event, count);
      if (event->kind == static_cast<uint16_t>(observe::TraceKind::kSent)) {
        sums.sent[event->id].Add(event->bytes, std::nullopt);
      }
      sums.matched.Take(*event, ring, [&sums](const auto*... ends) {
        sums.AddTransfer(ends...);
      });
    }
    nesting.Finish([&](const Slice& slice) {
      count(slice);
      NoteOpen(place, cursor.thread(), slice);
    });
  }

  void NoteOpen(size_t place, int32_t thread, const Slice& slice) {
    if (open_.size() == kMaxOpen) return;
    const RankTrace& rank = job_.ranks()[place];
    std::string line =
        absl::StrCat("rank ", rank.rank(), ", thread ", thread, ": ",
                     slice.kind == Kind::kHandler ? "handler " : "",
                     NameOf(rank, slice.kind, slice.id));
    open_.push_back({std::move(line), job_.OnAxis(place, slice.begin)});
  }

  static std::string NameOf(const RankTrace& rank, Kind kind, uint16_t id) {
    switch (kind) {
      case Kind::kCall:
        return rank.CallName(id);
      case Kind::kWait:
        return NameOfWait(id);
      case Kind::kHandler:
        break;
    }
    return rank.HandlerName(id);
  }

  Table& TableOf(Kind kind) {
    return kind == Kind::kCall   ? calls_
           : kind == Kind::kWait ? waits_
                                 : handlers_;
  }

  std::string Heading() const {
    const RankTrace& first = job_.ranks().front();
    const std::string missing = job_.MissingRanks();
    std::string text = absl::StrCat(
        Counted(first.header().ranks, "rank"), " of ",
        Printable(first.Program()), " over ", Printable(first.Conduit()), ", ",
        Counted(job_.hosts(), "host"), ", from ",
        absl::FormatTime("%Y-%m-%d %H:%M:%S UTC",
                         absl::FromUnixNanos(first.header().start_wall_nanos),
                         absl::UTCTimeZone()),
        "\n", Grouped(events_), " events in ",
        FineTimeText(static_cast<double>(end_)), "\n");
    if (!missing.empty()) {
      absl::StrAppend(&text, "ranks without a trace: ", missing, "\n");
    }
    return text + Clocks();
  }

  // Returns a line about the largest error of the clocks, and a line that lists
  // the ranks whose clock offset is only guessed.
  std::string Clocks() const {
    std::optional<int64_t> largest;
    std::string unknown;
    for (size_t place = 0; place < job_.ranks().size(); ++place) {
      const std::optional<int64_t> error = job_.ErrorOf(place);
      if (error.has_value()) {
        largest = std::max(largest.value_or(0), *error);
      } else {
        absl::StrAppend(&unknown, unknown.empty() ? "" : ", ",
                        job_.ranks()[place].rank());
      }
    }
    std::string text;
    if (largest.value_or(0) > 0) {
      absl::StrAppend(&text, "times of different hosts are uncertain by ",
                      FineTimeText(static_cast<double>(*largest)), "\n");
    }
    if (!unknown.empty() && job_.hosts() > 1) {
      absl::StrAppend(&text, "the clock's offset is only guessed for ranks ",
                      unknown, "\n");
    }
    return text;
  }

  std::string OpenText() const {
    if (open_.empty()) return "";
    std::string text = "\nnot ended at the end of the trace\n";
    for (const OpenSlice& open : open_) {
      absl::StrAppend(&text, Printable(open.line), ", for ",
                      FineTimeText(static_cast<double>(end_ - open.begin)),
                      "\n");
    }
    return text;
  }

  const JobTrace& job_;
  Table calls_;
  Table waits_;
  Table handlers_;
  Table sent_;
  Table transfers_;
  Table lines_;
  std::string losses_;
  std::vector<OpenSlice> open_;
  uint64_t events_ = 0;
  int64_t end_ = 0;
};

}  // namespace

void WriteSummary(const JobTrace& job, TextWriter& out) {
  out.Write(Summary(job).Text());
}

}  // namespace gasnet::trace
