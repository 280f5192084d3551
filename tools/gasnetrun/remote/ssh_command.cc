#include "tools/gasnetrun/remote/ssh_command.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "tools/gasnetrun/shell_quote.h"

namespace gasnet::gasnetrun {
namespace {

constexpr std::string_view kBlanks = " \t\n";

// The command puts this script in single quotes: every login shell understands
// them. So the script must contain no single quote.
constexpr char kFindAgent[] =
    "for f in \"$@\"; do [ -x \"$f\" ] && exec \"$f\" --agent; done; "
    "echo \"gasnetrun is not there: $*\" >&2; exit 127";

// Parses the quoted word that begins with the opening quote at `at`. Moves `at`
// past the word. Returns false if the quote is not closed.
bool TakeQuoted(std::string_view text, size_t& at, std::string& word) {
  const char quote = text[at++];
  for (; at < text.size() && text[at] != quote; ++at) {
    if (quote == '"' && text[at] == '\\' && at + 1 < text.size()) ++at;
    word += text[at];
  }
  return at++ < text.size();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  for (size_t at = 0;
       (at = text.find_first_not_of(kBlanks, at)) != std::string_view::npos;) {
    std::string word;
    while (at < text.size() && kBlanks.find(text[at]) == kBlanks.npos) {
      if (text[at] == '\'' || text[at] == '"') {
        if (!TakeQuoted(text, at, word)) {
          return absl::InvalidArgumentError("a quote is not closed");
        }
        continue;
      }
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      word += text[at++];
    }
    words.push_back(std::move(word));
  }
  return words;
}

std::vector<std::string> SshCommand(const SshSettings& settings,
                                    const std::string& host) {
  std::vector<std::string> words = settings.command;
  // ssh uses the first value given for an option. So the user's options come
  // first.
  words.insert(words.end(), settings.options.begin(), settings.options.end());
  const int64_t seconds =
      std::max<int64_t>(settings.silence_nanos / kNanosPerSecond, 1);
  for (const std::string& option :
       {std::string("BatchMode=yes"), absl::StrCat("ConnectTimeout=", seconds),
        std::string("ControlMaster=no"), std::string("ClearAllForwardings=yes"),
        std::string("EscapeChar=none")}) {
    words.insert(words.end(), {"-o", option});
  }
  words.insert(words.end(), {"-T", "-x", host});
  std::vector<std::string> remote = {"exec",     "sh",        "-c",
                                     kFindAgent, "gasnetrun", settings.agent};
  if (!settings.remote_path.empty()) {
    remote.push_back(absl::StrCat(settings.remote_path, "/gasnetrun"));
  }
  words.push_back(ShellQuoteAll(remote));
  return words;
}

}  // namespace gasnet::gasnetrun
