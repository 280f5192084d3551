#include "job/wire/handoff.h"

#include <sys/stat.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "absl/strings/str_cat.h"
#include "base/env_parse.h"
#include "job/wire/limits.h"

namespace gasnet::job {
namespace {

using Fields = std::map<std::string, std::string, std::less<>>;

// Parses "name=value,name=value". Returns nothing for any other text.
std::optional<Fields> ParseFields(std::string_view text) {
  Fields fields;
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find(','));
    const size_t equals = field.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    if (!fields.emplace(field.substr(0, equals), field.substr(equals + 1))
             .second) {
      return std::nullopt;
    }
    text.remove_prefix(std::min(text.size(), field.size() + 1));
  }
  return fields;
}

// Removes a number from the fields and stores it in `out`. Returns false if the
// number is missing or above `max`.
template <typename Number>
bool Take(Fields& fields, std::string_view name, int64_t max, Number& out) {
  const auto field = fields.find(name);
  if (field == fields.end()) return false;
  const std::optional<int64_t> value = ParseInt(field->second);
  fields.erase(field);
  out = static_cast<Number>(value.value_or(-1));
  return value && *value >= 0 && *value <= max;
}

// Removes an optional address from the fields and stores it in `out`. Returns
// false only if the address is present and invalid.
bool TakeAddress(Fields& fields, std::string_view name, std::string& out) {
  const auto field = fields.find(name);
  if (field == fields.end()) return true;
  out = std::move(field->second);
  fields.erase(field);
  return IsIpAddress(out);
}

bool Fill(Fields fields, Handoff& handoff) {
  constexpr int64_t kMaxFd = std::numeric_limits<int>::max();
  return Take(fields, "rank", kMaxNodes - 1, handoff.rank) &&
         Take(fields, "size", kMaxNodes, handoff.size) &&
         Take(fields, "control", kMaxFd, handoff.control) &&
         Take(fields, "secret", kMaxFd, handoff.secret) &&
         Take(fields, "memory", kMaxFd, handoff.memory) &&
         TakeAddress(fields, "reached_at", handoff.reached.at) &&
         TakeAddress(fields, "reached_from", handoff.reached.from) &&
         fields.empty() && handoff.rank < handoff.size;
}

absl::Status CheckDescriptor(int fd, const char* role, mode_t kind) {
  struct stat info;
  if (fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) == kind) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "descriptor ", fd, ", which ", Handoff::kVariable, " gives as the ", role,
      ", is not open or is something else; is the program started through "
      "another one that closes descriptors?"));
}

}  // namespace

std::string Handoff::ToText() const {
  std::string text =
      absl::StrCat("rank=", rank, ",size=", size, ",control=", control,
                   ",secret=", secret, ",memory=", memory);
  if (!reached.at.empty()) absl::StrAppend(&text, ",reached_at=", reached.at);
  if (!reached.from.empty()) {
    absl::StrAppend(&text, ",reached_from=", reached.from);
  }
  return text;
}

absl::StatusOr<Handoff> Handoff::FromText(std::string_view text) {
  Handoff handoff;
  const std::optional<Fields> fields = ParseFields(text);
  if (fields.has_value() && Fill(*fields, handoff)) return handoff;
  return absl::InvalidArgumentError(
      absl::StrCat(kVariable, " is set to '", std::string(text),
                   "', which no launcher wrote; unset it to start a job of one "
                   "node, or use gasnetrun"));
}

absl::Status CheckDescriptors(const Handoff& handoff) {
  absl::Status status =
      CheckDescriptor(handoff.control, "control channel", S_IFSOCK);
  status.Update(CheckDescriptor(handoff.secret, "job secret", S_IFREG));
  status.Update(CheckDescriptor(handoff.memory, "host memory", S_IFREG));
  return status;
}

}  // namespace gasnet::job
