#include "tools/gasnet_trace/rank_trace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/syscall.h"

namespace gasnet::trace {
namespace {

using observe::TraceHeader;
using observe::TraceOffset;

// The maximum number of bytes by which a ring may be longer than its events. A
// ring fills whole pages, and no system's pages are larger.
constexpr uint64_t kLargestPage = uint64_t{1} << 20;
// The largest accepted offset of a table. With this limit, no sum of offset and
// size overflows.
constexpr uint64_t kLastPlace = uint64_t{1} << 40;

template <class Value>
std::string Refusal(const char* what, Value value, std::string_view accepted) {
  return absl::StrCat("the ", what, " is ", value, "; accepted: ", accepted);
}

template <class Value>
std::string NotBetween(const char* what, Value value, uint64_t least,
                       uint64_t most) {
  return Refusal(what, value, absl::StrCat(least, " to ", most));
}

using Complaint = std::optional<std::string>;

Complaint CheckRank(const TraceHeader& header) {
  if (header.ranks == 0) {
    return Refusal("number of ranks", header.ranks, "1 or more");
  }
  if (header.rank >= header.ranks) {
    return NotBetween("rank", header.rank, 0, header.ranks - 1);
  }
  return std::nullopt;
}

Complaint CheckRings(const TraceHeader& header) {
  if (header.ring_limit < 1 || header.ring_limit > observe::kMaxTraceRings) {
    return NotBetween("limit of rings", header.ring_limit, 1,
                      observe::kMaxTraceRings);
  }
  if (header.rings > header.ring_limit) {
    return NotBetween("number of rings", header.rings, 0, header.ring_limit);
  }
  const uint64_t events = header.ring_events;
  if (!std::has_single_bit(events) || events < observe::kMinRingEvents ||
      events > observe::kMaxRingEvents) {
    return Refusal("number of events of a ring", events,
                   absl::StrCat("a power of two from ", observe::kMinRingEvents,
                                " to ", observe::kMaxRingEvents));
  }
  const uint64_t least = observe::RingBytes(events);
  if (header.ring_bytes < least || header.ring_bytes > least + kLargestPage) {
    return NotBetween("size of a ring", header.ring_bytes, least,
                      least + kLargestPage);
  }
  return std::nullopt;
}

Complaint CheckTables(const TraceHeader& header) {
  if (header.calls > observe::kMaxTraceCalls) {
    return NotBetween("number of calls", header.calls, 0,
                      observe::kMaxTraceCalls);
  }
  if (header.sources > observe::kTraceSources) {
    return NotBetween("number of sources", header.sources, 0,
                      observe::kTraceSources);
  }
  for (const auto& [what, place] :
       {std::pair{"place of calls", header.calls_at},
        std::pair{"place of sources", header.sources_at},
        std::pair{"place of handlers", header.handlers_at},
        std::pair{"place of rings", header.rings_at}}) {
    if (place < observe::kTraceHeaderBytes || place > kLastPlace) {
      return NotBetween(what, place, observe::kTraceHeaderBytes, kLastPlace);
    }
  }
  return std::nullopt;
}

bool IsTime(int64_t nanos) { return nanos >= 0 && nanos < kTimeLimit; }

Complaint CheckOffset(const char* what, const TraceOffset& offset) {
  if (offset.error_nanos == observe::kNoTraceOffset) return std::nullopt;
  if (!IsTime(offset.error_nanos)) {
    return NotBetween(what, absl::StrCat("uncertain by ", offset.error_nanos),
                      0, kTimeLimit - 1);
  }
  if (offset.nanos <= -kTimeLimit || offset.nanos >= kTimeLimit) {
    return Refusal(what, offset.nanos,
                   absl::StrCat("-", kTimeLimit - 1, " to ", kTimeLimit - 1));
  }
  if (!IsTime(offset.at_nanos)) {
    return NotBetween(what, absl::StrCat("that of ", offset.at_nanos), 0,
                      kTimeLimit - 1);
  }
  return std::nullopt;
}

Complaint CheckTimes(const TraceHeader& header) {
  if (!IsTime(header.start_nanos)) {
    return NotBetween("time of the start", header.start_nanos, 0,
                      kTimeLimit - 1);
  }
  if (header.start_wall_nanos < 0 || header.start_wall_nanos / 2 > kTimeLimit) {
    return NotBetween("date of the start", header.start_wall_nanos, 0,
                      2 * uint64_t{kTimeLimit});
  }
  if (const Complaint wrong = CheckOffset("first clock offset", header.start)) {
    return wrong;
  }
  return CheckOffset("last clock offset", header.end);
}

// Returns the minimum size in bytes of a file with this header.
uint64_t BytesOf(const TraceHeader& header) {
  return std::max(
      {header.calls_at + header.calls * sizeof(observe::TraceCall),
       header.sources_at + header.sources * sizeof(observe::TraceSource),
       header.handlers_at +
           observe::kTraceHandlers * sizeof(observe::TraceHandler),
       header.rings_at + header.rings * header.ring_bytes});
}

Complaint Check(const TraceHeader& header, uint64_t size) {
  if (header.magic != observe::kTraceMagic) {
    return "it is no trace of GASNet; accepted: a file that GASNET_TRACEFILE "
           "named";
  }
  if (header.version != observe::kTraceVersion) {
    return Refusal("version of the file", header.version,
                   absl::StrCat(observe::kTraceVersion));
  }
  for (const auto check : {CheckRank, CheckRings, CheckTables, CheckTimes}) {
    if (Complaint wrong = check(header)) return wrong;
  }
  const uint64_t needed = BytesOf(header);
  if (size >= needed) return std::nullopt;
  return Refusal("size", size,
                 absl::StrCat(needed, " or more; the file was cut"));
}

absl::Status Wrong(const std::string& path, std::string_view message) {
  return absl::DataLossError(absl::StrCat("'", path, "': ", message));
}

template <class Text>
std::string TextOf(const Text& text) {
  return {text.data(), strnlen(text.data(), text.size())};
}

// Reads `count` objects from offset `at` into `to`. Returns false if the file
// has fewer.
template <class Data>
bool ReadAt(int file, uint64_t at, Data* to, size_t count) {
  const size_t bytes = count * sizeof(Data);
  return PreadFull(file, to, bytes, static_cast<off_t>(at)) ==
         static_cast<ssize_t>(bytes);
}

}  // namespace

absl::StatusOr<RankTrace> RankTrace::Open(const std::string& path) {
  // O_NONBLOCK: if the path is a pipe, open must not wait for a writer.
  UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!file.valid() || fstat(file.get(), &status) != 0) {
    return absl::ErrnoToStatus(errno,
                               absl::StrCat("'", path, "' cannot be read"));
  }
  if (!S_ISREG(status.st_mode)) {
    return Wrong(path, "it is no regular file; accepted: a trace file");
  }
  RankTrace trace(path, std::move(file));
  absl::Status good = trace.ReadHeader(static_cast<uint64_t>(status.st_size));
  if (good.ok()) good = trace.ReadTables();
  if (!good.ok()) return good;
  return trace;
}

RankTrace::RankTrace(std::string path, UniqueFd file)
    : path_(std::move(path)), file_(std::move(file)) {}

absl::Status RankTrace::ReadHeader(uint64_t size) {
  if (!ReadAt(file(), 0, &header_, 1)) {
    return Wrong(path_,
                 Refusal("size", size,
                         absl::StrCat(observe::kTraceHeaderBytes, " or more")));
  }
  const Complaint wrong = Check(header_, size);
  return wrong.has_value() ? Wrong(path_, *wrong) : absl::OkStatus();
}

absl::Status RankTrace::ReadTables() {
  calls_.resize(header_.calls);
  sources_.resize(header_.sources);
  handlers_.resize(observe::kTraceHandlers);
  if (ReadAt(file(), header_.calls_at, calls_.data(), calls_.size()) &&
      ReadAt(file(), header_.sources_at, sources_.data(), sources_.size()) &&
      ReadAt(file(), header_.handlers_at, handlers_.data(), handlers_.size())) {
    return absl::OkStatus();
  }
  return Wrong(path_, "the file was cut while it was read");
}

std::string RankTrace::HostName() const { return TextOf(header_.host_name); }
std::string RankTrace::Conduit() const { return TextOf(header_.conduit); }
std::string RankTrace::Program() const { return TextOf(header_.program); }

std::string RankTrace::CallName(uint16_t id) const {
  if (id >= calls_.size()) return absl::StrCat("call ", id);
  return TextOf(calls_[id].name);
}

std::string RankTrace::SourceName(uint16_t id) const {
  if (id >= sources_.size()) return "unknown source";
  return TextOf(sources_[id]);
}

std::string RankTrace::HandlerName(uint16_t index) const {
  const bool has_name = index < handlers_.size() && handlers_[index][0] != '\0';
  return has_name ? TextOf(handlers_[index]) : absl::StrCat(index);
}

bool RankTrace::IsMessage(uint16_t id) const {
  return id < calls_.size() && calls_[id].group == observe::kMessageGroup;
}

std::optional<int64_t> RankTrace::MessagesUntil() const {
  int64_t nanos = 0;
  ReadAt(file(), offsetof(TraceHeader, messages_until_nanos), &nanos, 1);
  if (nanos == 0) return std::nullopt;
  return IsTime(nanos) ? nanos : 0;
}

uint64_t RankTrace::RingAt(uint32_t ring) const {
  return header_.rings_at + ring * header_.ring_bytes;
}

}  // namespace gasnet::trace
