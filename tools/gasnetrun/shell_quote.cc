#include "tools/gasnetrun/shell_quote.h"

namespace gasnet::gasnetrun {
namespace {

constexpr std::string_view kHarmless =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

}  // namespace

std::string ShellQuote(std::string_view text) {
  if (!text.empty() &&
      text.find_first_not_of(kHarmless) == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string ShellQuoteAll(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += ShellQuote(word);
  }
  return line;
}

}  // namespace gasnet::gasnetrun
