#include "job/managed/pmi/pmi2_message.h"

#include "absl/strings/str_cat.h"
#include "base/env_parse.h"

namespace gasnet::job {
namespace {

void AppendEscaped(const std::string& value, std::string& out) {
  for (const char c : value) out.append(c == ';' ? 2 : 1, c);
}

// Removes a value and its final ';' from the text. Returns nothing if the text
// has no final ';'.
std::optional<std::string> TakeValue(std::string_view& text) {
  std::string value;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ';') {
      const bool is_doubled = at + 1 < text.size() && text[at + 1] == ';';
      if (!is_doubled) {
        text.remove_prefix(at + 1);
        return value;
      }
      ++at;
    }
    value += text[at];
  }
  return std::nullopt;
}

}  // namespace

std::string Pmi2Message::Encode() const {
  std::string body;
  for (const auto& [name, value] : pairs_) {
    absl::StrAppend(&body, name, "=");
    AppendEscaped(value, body);
    body += ';';
  }
  std::string length = absl::StrCat(body.size());
  length.resize(kLengthBytes, ' ');
  return length + body;
}

std::optional<size_t> Pmi2Message::ParseLength(std::string_view text) {
  if (text.size() != kLengthBytes) return std::nullopt;
  text = text.substr(0, text.find(' '));
  constexpr std::string_view kDigits = "0123456789";
  if (text.empty() || text.find_first_not_of(kDigits) != text.npos) {
    return std::nullopt;
  }
  size_t length = 0;
  for (const char digit : text) {
    length = 10 * length + static_cast<size_t>(digit - '0');
  }
  if (length == 0 || length > kMaxBodyBytes) return std::nullopt;
  return length;
}

std::optional<Pmi2Message> Pmi2Message::Parse(std::string_view body) {
  Pmi2Message message;
  while (!body.empty()) {
    const size_t equals = body.find('=');
    if (equals == 0 || equals == body.npos) return std::nullopt;
    const std::string name(body.substr(0, equals));
    if (name.find(';') != name.npos) return std::nullopt;
    body.remove_prefix(equals + 1);
    auto value = TakeValue(body);
    if (!value.has_value()) return std::nullopt;
    message.pairs_.emplace_back(name, *std::move(value));
  }
  if (message.pairs_.empty() || message.pairs_[0].first != "cmd") {
    return std::nullopt;
  }
  return message;
}

const std::string* Pmi2Message::Find(std::string_view name) const {
  for (const Pair& pair : pairs_) {
    if (pair.first == name) return &pair.second;
  }
  return nullptr;
}

std::optional<int64_t> Pmi2Message::FindInt(std::string_view name) const {
  const std::string* const value = Find(name);
  return value == nullptr ? std::nullopt : ParseInt(*value);
}

}  // namespace gasnet::job
