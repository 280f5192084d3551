#include "tools/gasnetrun/host_list.h"

#include <algorithm>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/env_parse.h"
#include "job/wire/limits.h"

namespace gasnet::gasnetrun {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kBetween = ", \t\r\n";
constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:%@";

absl::Status Refuse(std::string_view what, std::string_view accepted) {
  return absl::InvalidArgumentError(
      absl::StrCat("'", std::string(what),
                   "' in a list of hosts; accepted: ", std::string(accepted)));
}

std::vector<std::string_view> Split(std::string_view text,
                                    std::string_view separators) {
  std::vector<std::string_view> words;
  for (size_t at = 0;
       (at = text.find_first_not_of(separators, at)) != text.npos;) {
    const size_t end =
        std::min(text.find_first_of(separators, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// Returns true for a valid name of a host. Rejects words that ssh could read as
// an option, or a shell as a command.
bool IsHostName(std::string_view name) {
  return !name.empty() && name.size() <= 255 && name[0] != '-' &&
         name.find_first_not_of(kNameCharacters) == name.npos;
}

absl::StatusOr<uint32_t> ParseSlots(std::string_view text) {
  const std::optional<int64_t> slots = ParseInt(text);
  if (slots.has_value() && *slots >= 1 && *slots <= job::kMaxNodes) {
    return static_cast<uint32_t>(*slots);
  }
  return Refuse(text,
                absl::StrCat("a number of slots from 1 to ", job::kMaxNodes));
}

absl::StatusOr<HostSlots> MakeHost(std::string_view name,
                                   std::string_view slots) {
  if (!IsHostName(name)) {
    return Refuse(name, "the name or address of a host, which ssh knows");
  }
  HostSlots host = {.name = std::string(name)};
  if (slots.empty()) return host;
  const auto number = ParseSlots(slots);
  if (!number.ok()) return number.status();
  host.slots = *number;
  return host;
}

// Parses "name", "name:8", "[address]", "[address]:8". An address with several
// colons and no brackets is an IPv6 address without a number of slots.
absl::StatusOr<HostSlots> ParseHost(std::string_view text) {
  const size_t bracket = text.starts_with('[') ? text.find(']') : text.npos;
  if (bracket != text.npos) {
    const std::string_view rest = text.substr(bracket + 1);
    if (!rest.empty() && (rest[0] != ':' || rest.size() == 1)) {
      return Refuse(text, "[address] or [address]:SLOTS");
    }
    return MakeHost(text.substr(1, bracket - 1),
                    rest.empty() ? rest : rest.substr(1));
  }
  const size_t colon = text.find(':');
  if (colon == text.npos || text.find(':', colon + 1) != text.npos) {
    return MakeHost(text, "");
  }
  if (colon + 1 == text.size()) return Refuse(text, "NAME or NAME:SLOTS");
  return MakeHost(text.substr(0, colon), text.substr(colon + 1));
}

absl::Status Add(absl::StatusOr<HostSlots> host, HostList& hosts) {
  if (!host.ok()) return host.status();
  const auto known = std::find_if(
      hosts.begin(), hosts.end(),
      [&](const HostSlots& each) { return each.name == host->name; });
  if (known == hosts.end()) {
    hosts.push_back(*std::move(host));
  } else {
    known->slots = std::max(known->slots, 1u) + std::max(host->slots, 1u);
  }
  return absl::OkStatus();
}

absl::StatusOr<HostList> Complete(HostList hosts) {
  if (!hosts.empty()) return hosts;
  return absl::InvalidArgumentError("the list of hosts is empty");
}

// Finds the number of slots among the words of a line. The number is "slots=8"
// anywhere after the name, or a bare number right after the name. Ignores words
// with other properties of the host.
std::optional<std::string_view> FindSlots(
    const std::vector<std::string_view>& words) {
  constexpr std::string_view kSlots = "slots=";
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with(kSlots)) return words[i].substr(kSlots.size());
  }
  if (words.size() > 1 &&
      words[1].find_first_not_of("0123456789") == std::string_view::npos) {
    return words[1];
  }
  return std::nullopt;
}

absl::StatusOr<HostSlots> ParseHostLine(std::string_view line) {
  const auto words = Split(line, kBlanks);
  auto host = ParseHost(words[0]);
  const auto slots = FindSlots(words);
  if (!host.ok() || !slots) return host;
  const auto number = ParseSlots(*slots);
  if (!number.ok()) return number.status();
  host->slots = *number;
  return host;
}

}  // namespace

absl::StatusOr<HostList> ParseHostList(std::string_view text) {
  HostList hosts;
  for (const std::string_view word : Split(text, kBetween)) {
    const absl::Status added = Add(ParseHost(word), hosts);
    if (!added.ok()) return added;
  }
  return Complete(std::move(hosts));
}

absl::StatusOr<HostList> ParseHostFile(std::string_view text) {
  HostList hosts;
  for (std::string_view line : Split(text, "\n")) {
    line = line.substr(0, line.find('#'));
    if (Split(line, kBlanks).empty()) continue;
    const absl::Status added = Add(ParseHostLine(line), hosts);
    if (!added.ok()) return added;
  }
  return Complete(std::move(hosts));
}

absl::StatusOr<HostList> ParseNamesAndSlots(std::string_view text) {
  HostList hosts;
  const auto words = Split(text, kBetween);
  for (size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) return Refuse(text, "NAME SLOTS NAME SLOTS ...");
    const absl::Status added = Add(MakeHost(words[i], words[i + 1]), hosts);
    if (!added.ok()) return added;
  }
  return Complete(std::move(hosts));
}

HostList WithOneSlotEach(HostList hosts) {
  for (HostSlots& host : hosts) host.slots = std::max(host.slots, 1u);
  return hosts;
}

}  // namespace gasnet::gasnetrun
