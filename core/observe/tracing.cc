#include "core/observe/tracing.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/observe/output.h"

namespace gasnet::observe {
namespace {

std::string HostName() {
  std::array<char, 256> name = {};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string PathFor(std::string_view path, const TracedProcess& process) {
  std::string name = Output::PathFor(path, process.rank);
  if (name == path) absl::StrAppend(&name, ".", process.rank);
  if (process.life > 0) absl::StrAppend(&name, ".", process.life);
  return name;
}

uint64_t EventsIn(uint64_t bytes) {
  const uint64_t events = std::bit_ceil(bytes / sizeof(TraceEvent));
  return std::clamp(events, kMinRingEvents, kMaxRingEvents);
}

}  // namespace

absl::Status Tracing::Open(std::string_view path, uint64_t bytes,
                           const TracedProcess& process) {
  if (path == "stdout" || path == "stderr" || path == "-") {
    return absl::InvalidArgumentError(absl::StrCat(
        "it is '", path,
        "'; accepted: a file, since a trace is data for gasnet_trace"));
  }
  TraceFile::Description description;
  description.rank = process.rank;
  description.ranks = process.ranks;
  description.host = process.host;
  description.host_name = HostName();
  description.conduit = process.conduit;
  description.program = program_invocation_name;
  description.ring_events = EventsIn(bytes);
  description.ring_limit = kMaxTraceRings;
  for (size_t i = 0; i < kCalls; ++i) {
    const auto call = static_cast<Call>(i);
    description.calls.push_back({NameOf(call), GroupOf(call)});
  }
  absl::StatusOr<std::unique_ptr<TraceFile>> made =
      TraceFile::Create(PathFor(path, process), description);
  if (!made.ok()) return made.status();
  file_ = *std::move(made);
  if (!mask().Has(kMessageGroup)) file_->EndMessages();
  return absl::OkStatus();
}

void Tracing::SetMask(Mask mask) {
  if (file_ != nullptr && !mask.Has(kMessageGroup)) file_->EndMessages();
  mask_.store(mask.bits(), std::memory_order_relaxed);
  mask.Write(text_);
}

}  // namespace gasnet::observe
