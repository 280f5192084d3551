#include "bench/harness/options.h"

#include <string_view>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace gasnet::bench {
namespace {

constexpr double kMaxRepetitions = 1000;
constexpr double kMaxMilliseconds = 60'000;

// Parses a number in 1..max. Returns false for any other text.
bool ParseNumber(std::string_view text, double max, double& number) {
  return absl::SimpleAtod(text, &number) && number >= 1 && number <= max;
}

bool ParseOption(std::string_view argument, Options& options) {
  double number = 0;
  if (absl::ConsumePrefix(&argument, "--repetitions=")) {
    const bool valid = ParseNumber(argument, kMaxRepetitions, number);
    options.repetitions = static_cast<int>(number);
    return valid;
  }
  if (absl::ConsumePrefix(&argument, "--milliseconds=")) {
    return ParseNumber(argument, kMaxMilliseconds, options.milliseconds);
  }
  if (!absl::ConsumePrefix(&argument, "--only=")) return false;
  options.only = argument;
  return true;
}

}  // namespace

std::string ParseOptions(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    if (!ParseOption(argv[i], options)) {
      return absl::StrCat(
          "bad argument '", argv[i],
          "'; accepted: --repetitions=1..1000, --milliseconds=1..60000, "
          "--only=TEXT");
    }
  }
  return "";
}

}  // namespace gasnet::bench
