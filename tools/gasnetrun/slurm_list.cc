// Parses Slurm's lists of hosts and of their slots.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/env_parse.h"
#include "job/wire/limits.h"
#include "tools/gasnetrun/host_list.h"

namespace gasnet::gasnetrun {
namespace {

using Names = std::vector<std::string>;

absl::Status Refuse(std::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("'", std::string(what), "' is not a list in Slurm's form"));
}

// Splits a list at the commas that are outside of brackets.
std::vector<std::string_view> SplitOutside(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '[') ++depth;
    if (i < text.size() && text[i] == ']') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    if (i > begin) parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

std::optional<int64_t> ParseDigits(std::string_view text) {
  int64_t number = 0;
  if (text.size() > 9 ||
      !std::all_of(text.begin(), text.end(), absl::ascii_isdigit) ||
      !absl::SimpleAtoi(text, &number)) {
    return std::nullopt;
  }
  return number;
}

// Expands "07" or "01-03" to numbers. All numbers get as many digits as the
// first one.
bool ExpandRange(std::string_view range, Names& numbers) {
  const size_t dash = range.find('-');
  const std::string_view low = range.substr(0, dash);
  const auto first = ParseDigits(low);
  const auto last =
      dash == range.npos ? first : ParseDigits(range.substr(dash + 1));
  if (!first || !last || *last < *first || *last - *first >= job::kMaxNodes) {
    return false;
  }
  for (int64_t i = *first; i <= *last; ++i) {
    numbers.push_back(absl::StrFormat("%0*d", static_cast<int>(low.size()), i));
  }
  return true;
}

// Expands all brackets of a name in turn: "r[1-2]n[1-2]" becomes four hosts.
bool ExpandName(std::string_view text, Names& names) {
  Names begun = {""};
  while (!text.empty()) {
    const size_t open = text.find('[');
    for (std::string& name : begun) name += text.substr(0, open);
    if (open == text.npos) break;
    const size_t close = text.find(']', open);
    if (close == text.npos) return false;
    Names numbers;
    for (const std::string_view range :
         SplitOutside(text.substr(open + 1, close - open - 1))) {
      if (!ExpandRange(range, numbers)) return false;
    }
    if (numbers.empty() || begun.size() * numbers.size() > job::kMaxNodes) {
      return false;
    }
    Names longer;
    for (const std::string& name : begun) {
      for (const std::string& number : numbers) longer.push_back(name + number);
    }
    begun = std::move(longer);
    text.remove_prefix(close + 1);
  }
  names.insert(names.end(), begun.begin(), begun.end());
  return names.size() <= job::kMaxNodes;
}

// Expands "2(x3)" to 2, 2, 2, or "2" to 2.
bool ExpandSlots(std::string_view text, std::vector<uint32_t>& slots) {
  const size_t open = text.find("(x");
  const auto number = ParseDigits(text.substr(0, open));
  std::optional<int64_t> times = 1;
  if (open != text.npos) {
    if (!text.ends_with(')')) return false;
    times = ParseDigits(text.substr(open + 2, text.size() - open - 3));
  }
  if (!number || !times || *number < 1 || *number > job::kMaxNodes ||
      *times > job::kMaxNodes) {
    return false;
  }
  slots.insert(slots.end(), static_cast<size_t>(*times),
               static_cast<uint32_t>(*number));
  return slots.size() <= job::kMaxNodes;
}

}  // namespace

absl::StatusOr<HostList> ParseSlurm(std::string_view names,
                                    std::string_view slots) {
  Names expanded;
  for (const std::string_view part : SplitOutside(names)) {
    if (!ExpandName(part, expanded)) return Refuse(names);
  }
  std::vector<uint32_t> numbers;
  for (const std::string_view part : SplitOutside(slots)) {
    if (!ExpandSlots(part, numbers)) return Refuse(slots);
  }
  if (!numbers.empty() && numbers.size() < expanded.size()) {
    return Refuse(slots);
  }
  std::string text;
  for (size_t i = 0; i < expanded.size(); ++i) {
    absl::StrAppend(&text, expanded[i]);
    if (!numbers.empty()) absl::StrAppend(&text, ":", numbers[i]);
    text += ',';
  }
  return ParseHostList(text);
}

}  // namespace gasnet::gasnetrun
