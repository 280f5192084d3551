#include "coll/settings.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/env.h"

namespace gasnet::coll {
namespace {

struct NamedSize {
  const char* name;
  size_t CollSettings::*field;
  bool is_eager;
};
constexpr NamedSize kNamed[] = {
    {"eager_near", &CollSettings::eager_near, true},
    {"eager_far", &CollSettings::eager_far, true},
    {"push_from", &CollSettings::push_from, false},
    {"push_to", &CollSettings::push_to, false},
    {"flat_reduce", &CollSettings::flat_reduce, false},
    {"flat_far", &CollSettings::flat_far, false},
    {"flat_near", &CollSettings::flat_near, false},
    {"chain_from", &CollSettings::chain_from, false},
    {"central_from", &CollSettings::central_from, false},
    {"segment", &CollSettings::segment, false},
    {"ring_from", &CollSettings::ring_from, false},
    {"rounds_gather", &CollSettings::rounds_gather, false},
    {"rounds_exchange", &CollSettings::rounds_exchange, false},
    {"leaders", &CollSettings::leaders, false},
};

}  // namespace

CollSettings SettingsFromEnvironment(size_t max_medium) {
  CollSettings settings;
  const auto eager = [max_medium](size_t def) {
    return static_cast<size_t>(
        std::min<uint64_t>(EnvSize("GASNET_COLL_EAGER", def), max_medium));
  };
  settings.eager_near = eager(settings.eager_near);
  settings.eager_far = eager(settings.eager_far);
  if (!EnvBool("GASNET_COLL_OPT", true)) {
    settings.flat_reduce = settings.flat_far = settings.flat_near = SIZE_MAX;
    settings.segment = settings.leaders = 0;
    settings.chain_from = settings.ring_from = SIZE_MAX;
    settings.central_from = SIZE_MAX;
  }
  return settings;
}

std::string DescribeSettings(const CollSettings& settings) {
  std::string text;
  for (const NamedSize& named : kNamed) {
    text += absl::StrCat(named.name, " ", settings.*named.field, "\n");
  }
  return text;
}

std::string ReadSetting(std::string_view line, size_t max_medium,
                        CollSettings& settings) {
  line = absl::StripAsciiWhitespace(line.substr(0, line.find('#')));
  if (line.empty()) return "";
  const size_t blank = std::min(line.find(' '), line.size());
  const std::string_view name = line.substr(0, blank);
  const std::string_view digits =
      absl::StripAsciiWhitespace(line.substr(blank));
  size_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return absl::StrCat("'", digits, "' is no number");
  }
  for (const NamedSize& named : kNamed) {
    if (name != named.name) continue;
    if (named.is_eager && value > max_medium) {
      return absl::StrCat(name, " is ", value, "; messages carry at most ",
                          max_medium, " bytes");
    }
    settings.*named.field = value;
    return "";
  }
  return absl::StrCat("there is no '", name, "'");
}

}  // namespace gasnet::coll
