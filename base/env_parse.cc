#include "base/env_parse.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include "absl/strings/match.h"

namespace gasnet {
namespace {

// Parses all of `text` as a number. `how` holds further arguments of
// std::from_chars.
template <typename Number, typename... How>
std::optional<Number> ParseAll(std::string_view text, How... how) {
  Number value;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, how...);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

// Removes a leading plus sign, since std::from_chars accepts none.
std::string_view WithoutPlus(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return text;
}

// Removes the unit from the end of `text`. Returns its factor, or zero if the
// unit is unknown.
double TakeUnit(std::string_view& text) {
  const size_t digits = text.find_last_of("0123456789.");
  if (digits == std::string_view::npos) return 0;
  const std::string_view unit = text.substr(digits + 1);
  text = text.substr(0, digits + 1);
  if (unit.empty() || absl::EqualsIgnoreCase(unit, "B")) return 1;
  double scale = 1024;
  for (const char letter : {'K', 'M', 'G', 'T'}) {
    const char names[] = {letter, 'i', 'B'};
    const bool is_plain = absl::EqualsIgnoreCase(unit, {names, 1});
    const bool is_ib = absl::EqualsIgnoreCase(unit, {names, 3});
    const char b[] = {letter, 'B'};
    if (is_plain || is_ib || absl::EqualsIgnoreCase(unit, {b, 2})) return scale;
    scale *= 1024;
  }
  return 0;
}

}  // namespace

std::optional<int64_t> ParseInt(std::string_view text) {
  text = WithoutPlus(text);
  if (absl::EqualsIgnoreCase(text.substr(0, 2), "0x")) {
    const auto bits = ParseAll<int64_t>(text.substr(2), 16);
    return bits.has_value() && *bits >= 0 ? bits : std::nullopt;
  }
  return ParseAll<int64_t>(text, 10);
}

std::optional<double> ParseDouble(std::string_view text) {
  text = WithoutPlus(text);
  const auto value = ParseAll<double>(text);
  return value.has_value() && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<bool> ParseBool(std::string_view text) {
  for (const char* yes : {"1", "yes", "y", "true", "on"}) {
    if (absl::EqualsIgnoreCase(text, yes)) return true;
  }
  for (const char* no : {"0", "no", "n", "false", "off"}) {
    if (absl::EqualsIgnoreCase(text, no)) return false;
  }
  return std::nullopt;
}

std::optional<uint64_t> ParseSize(std::string_view text) {
  if (const auto bytes = ParseAll<uint64_t>(text, 10)) return bytes;
  const double scale = TakeUnit(text);
  const auto count = ParseAll<double>(text, std::chars_format::fixed);
  if (scale == 0 || !count.has_value() || *count < 0) return std::nullopt;
  const double bytes = *count * scale;
  if (bytes >= std::ldexp(1.0, 64)) return std::nullopt;
  return static_cast<uint64_t>(bytes);
}

std::optional<std::string> ParseHexBytes(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (; !text.empty(); text.remove_prefix(2)) {
    const auto byte = ParseAll<uint8_t>(text.substr(0, 2), 16);
    if (!byte.has_value()) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

}  // namespace gasnet
