#include "bench/harness/options.h"

#include <cstdlib>
#include <string_view>

namespace gasnet::bench {
namespace {

constexpr double kMaxRepetitions = 1000;
constexpr double kMaxMilliseconds = 60'000;

// A number in 1..max that is all there is of `text`.
bool ParseNumber(std::string_view text, double max, double& number) {
  const std::string digits(text);
  char* end = nullptr;
  number = strtod(digits.c_str(), &end);
  return !digits.empty() && *end == '\0' && number >= 1 && number <= max;
}

bool TakeOption(std::string_view argument, std::string_view name,
                std::string_view& value) {
  if (!argument.starts_with(name)) return false;
  value = argument.substr(name.size());
  return true;
}

bool ParseOption(std::string_view argument, Options& options) {
  std::string_view value;
  double number = 0;
  if (TakeOption(argument, "--repetitions=", value)) {
    const bool valid = ParseNumber(value, kMaxRepetitions, number);
    options.repetitions = static_cast<int>(number);
    return valid;
  }
  if (TakeOption(argument, "--milliseconds=", value)) {
    return ParseNumber(value, kMaxMilliseconds, options.milliseconds);
  }
  if (!TakeOption(argument, "--only=", value)) return false;
  options.only = value;
  return true;
}

}  // namespace

std::string ParseOptions(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    if (!ParseOption(argv[i], options)) {
      return std::string("bad argument '") + argv[i] +
             "'; accepted: --repetitions=1..1000, --milliseconds=1..60000, "
             "--only=TEXT";
    }
  }
  return "";
}

}  // namespace gasnet::bench
