#include "tools/gasnet_trace/transfers.h"

#include "absl/strings/str_cat.h"
#include "core/observe/transfer_kind.h"

namespace gasnet::trace {
namespace {

using observe::TraceEvent;
using observe::TraceKind;
using observe::TransferKind;

bool IsPost(const TraceEvent& event) {
  return event.kind == static_cast<uint16_t>(TraceKind::kPosted);
}
bool IsCompletion(const TraceEvent& event) {
  return event.kind == static_cast<uint16_t>(TraceKind::kCompleted);
}

void PassAlone(const TransferEnd& end, Transfers::Sink sink) {
  if (IsPost(end.event)) {
    sink(&end, nullptr);
  } else {
    sink(nullptr, &end);
  }
}

}  // namespace

void Transfers::Take(const TraceEvent& event, uint32_t ring, Sink sink) {
  if (!IsPost(event) && !IsCompletion(event)) return;
  const TransferEnd end = {event, ring};
  const auto [other, is_first] = alone_.try_emplace(event.argument, end);
  if (is_first) return;
  if (other->second.event.kind == event.kind) {
    // Only a damaged file has two equal events of one transfer.
    PassAlone(end, sink);
    return;
  }
  if (IsPost(event)) {
    sink(&end, &other->second);
  } else {
    sink(&other->second, &end);
  }
  alone_.erase(other);
}

void Transfers::Finish(Sink sink) {
  for (const auto& [number, end] : alone_) PassAlone(end, sink);
  alone_.clear();
}

std::string NameOfTransfer(uint16_t kind) {
  switch (static_cast<TransferKind>(kind)) {
    case TransferKind::kPut:
      return "put";
    case TransferKind::kGet:
      return "get";
  }
  return absl::StrCat("transfer of kind ", kind);
}

}  // namespace gasnet::trace
