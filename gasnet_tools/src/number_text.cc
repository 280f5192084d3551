#include "gasnet_tools/src/number_text.h"

#include <charconv>
#include <limits>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "base/env_parse.h"

namespace gasnet::tools {
namespace {

// Wide enough for every product here.
__extension__ using Wide = unsigned __int128;

constexpr std::string_view kUnits = "BKMGTPE";
constexpr size_t kMaxFractionDigits = 18;

bool TakeSign(std::string_view& text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  return is_negative;
}

std::optional<uint64_t> TakeDigits(std::string_view& text, int base) {
  uint64_t value = 0;
  const auto [rest, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(rest - text.data());
  return value;
}

std::optional<uint64_t> TakeWhole(std::string_view& text) {
  if (absl::EqualsIgnoreCase(text.substr(0, 2), "0x")) {
    text.remove_prefix(2);
    return TakeDigits(text, 16);
  }
  return TakeDigits(text, 10);
}

// A decimal fraction. Its value is digits / scale.
struct Fraction {
  uint64_t digits = 0;
  uint64_t scale = 1;
};

std::optional<Fraction> TakeFraction(std::string_view& text) {
  Fraction fraction;
  if (!text.starts_with('.')) return fraction;
  text.remove_prefix(1);
  size_t count = 0;
  for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; ++count) {
    if (count < kMaxFractionDigits) {
      fraction.digits = fraction.digits * 10 + (text[0] - '0');
      fraction.scale *= 10;
    }
    text.remove_prefix(1);
  }
  return count > 0 ? std::optional(fraction) : std::nullopt;
}

// Returns the number of bytes of a unit, or `multiplier` if the unit is empty.
std::optional<uint64_t> UnitBytes(std::string_view unit, uint64_t multiplier) {
  unit = absl::StripAsciiWhitespace(unit);
  if (unit.empty()) return multiplier;
  for (size_t i = 0; i < kUnits.size(); ++i) {
    if (!absl::EqualsIgnoreCase(unit.substr(0, 1), kUnits.substr(i, 1)))
      continue;
    const std::string_view rest = unit.substr(1);
    const bool is_known =
        rest.empty() || (i > 0 && (absl::EqualsIgnoreCase(rest, "B") ||
                                   absl::EqualsIgnoreCase(rest, "iB")));
    if (is_known) return uint64_t{1} << (10 * i);
  }
  return std::nullopt;
}

std::optional<int64_t> Signed(Wide magnitude, bool is_negative) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  if (magnitude > Wide{kMax} + (is_negative ? 1 : 0)) return std::nullopt;
  const auto bits = static_cast<uint64_t>(magnitude);
  return static_cast<int64_t>(is_negative ? 0 - bits : bits);
}

std::optional<int64_t> ParseBytes(std::string_view text, uint64_t whole,
                                  uint64_t multiplier, bool is_negative) {
  const std::optional<Fraction> fraction = TakeFraction(text);
  const std::optional<uint64_t> unit = UnitBytes(text, multiplier);
  if (!fraction.has_value() || !unit.has_value()) return std::nullopt;
  const Wide bytes =
      Wide{whole} * *unit + Wide{fraction->digits} * *unit / fraction->scale;
  return Signed(bytes, is_negative);
}

}  // namespace

std::string FormatNumber(int64_t value, bool is_mem_size) {
  if (!is_mem_size) return std::to_string(value);
  size_t unit = 0;
  while (value != 0 && unit + 1 < kUnits.size() && value % 1024 == 0) {
    value /= 1024;
    ++unit;
  }
  std::string text = std::to_string(value) + ' ' + kUnits[unit];
  if (unit > 0) text += 'B';
  return text;
}

std::optional<int64_t> ParseNumber(std::string_view text,
                                   uint64_t mem_size_multiplier) {
  text = absl::StripAsciiWhitespace(text);
  const bool is_negative = TakeSign(text);
  const std::optional<uint64_t> whole = TakeWhole(text);
  if (!whole.has_value()) return std::nullopt;
  if (mem_size_multiplier != 0) {
    return ParseBytes(text, *whole, mem_size_multiplier, is_negative);
  }
  return text.empty() ? Signed(*whole, is_negative) : std::nullopt;
}

const char* AcceptedNumbers(uint64_t mem_size_multiplier) {
  return mem_size_multiplier == 0
             ? "a whole number of at most 63 bits"
             : "a number of bytes below 2^63, with B, K, M, G, T, P or E";
}

}  // namespace gasnet::tools
