#include "tools/gasnet_trace/nesting.h"

#include <algorithm>

namespace gasnet::trace {
namespace {

using observe::TraceEvent;
using observe::TraceKind;

// The maximum number of open slices. No client nests deeper. If a file does,
// its open slices count as unfinished.
constexpr size_t kDeepest = 1000;

}  // namespace

void Nesting::Take(const TraceEvent& event, Sink sink) {
  // The clock of a thread never goes back, but the times of a damaged file may.
  now_ = std::max(now_, event.nanos);
  switch (static_cast<TraceKind>(event.kind)) {
    case TraceKind::kCallBegins:
      if (open_.size() == kDeepest) Finish(sink);
      Begin(event, Slice::Kind::kCall);
      break;
    case TraceKind::kHandlerBegins:
      if (open_.size() == kDeepest) Finish(sink);
      Begin(event, Slice::Kind::kHandler);
      break;
    case TraceKind::kCallEnds:
      End(event, Slice::Kind::kCall, sink);
      break;
    case TraceKind::kHandlerEnds:
      End(event, Slice::Kind::kHandler, sink);
      break;
    case TraceKind::kWaited:
      Wait(event, sink);
      break;
    case TraceKind::kSourceLine:
      has_line_ = true;
      source_ = event.id;
      line_ = event.argument;
      break;
    case TraceKind::kThread:
      Finish(sink);
      has_line_ = false;
      break;
    default:
      break;
  }
}

void Nesting::Begin(const TraceEvent& event, Slice::Kind kind) {
  open_.push_back({.kind = kind,
                   .id = event.id,
                   .peer = event.peer,
                   .bytes = event.bytes,
                   .argument = event.argument,
                   .begin = now_,
                   .depth = open_.size(),
                   .has_line = has_line_,
                   .source = source_,
                   .line = line_});
}

void Nesting::Close(bool has_end, Sink sink) {
  Slice& slice = open_.back();
  slice.end = now_;
  slice.has_end = has_end;
  sink(slice);
  open_.pop_back();
}

void Nesting::End(const TraceEvent& event, Slice::Kind kind, Sink sink) {
  const auto begun =
      std::find_if(open_.rbegin(), open_.rend(), [&](const Slice& slice) {
        return slice.kind == kind && slice.id == event.id;
      });
  if (begun == open_.rend()) {
    sink({.kind = kind,
          .id = event.id,
          .begin = now_,
          .end = now_,
          .has_begin = false,
          .depth = open_.size()});
    return;
  }
  // The slices within the one that ends now have no end event of their own.
  for (auto inside = begun - open_.rbegin(); inside > 0; --inside) {
    Close(/*has_end=*/false, sink);
  }
  open_.back().refused =
      kind == Slice::Kind::kCall && event.argument == observe::kTraceRefused;
  Close(/*has_end=*/true, sink);
}

// A wait belongs to the slice that is open when the wait ends.
void Nesting::Wait(const TraceEvent& event, Sink sink) {
  const int64_t earliest = open_.empty() ? 0 : open_.back().begin;
  const auto nanos =
      std::min(event.argument, static_cast<uint64_t>(now_ - earliest));
  sink({.kind = Slice::Kind::kWait,
        .id = event.id,
        .peer = event.peer,
        .argument = event.bytes,
        .begin = now_ - static_cast<int64_t>(nanos),
        .end = now_,
        .depth = open_.size(),
        .has_line = has_line_,
        .source = source_,
        .line = line_});
}

void Nesting::Finish(Sink sink) {
  while (!open_.empty()) Close(/*has_end=*/false, sink);
}

}  // namespace gasnet::trace
