#include "base/strings.h"

#include <cstddef>
#include <cstdint>

namespace gasnet {
namespace internal {

Piece::Piece(double number) {
  constexpr int kDigits = 6;
  char* const begin = digits_.data();
  const auto end = std::to_chars(begin, begin + digits_.size(), number,
                                 std::chars_format::general, kDigits);
  text_ = std::string_view(begin, end.ptr - begin);
}

void Append(std::string& text, std::initializer_list<std::string_view> pieces) {
  size_t size = text.size();
  for (const std::string_view piece : pieces) size += piece.size();
  text.reserve(size);
  for (const std::string_view piece : pieces) text += piece;
}

}  // namespace internal

std::vector<std::string> StrSplit(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (;;) {
    const size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == text.npos) return parts;
    begin = end + 1;
  }
}

bool IsAsciiAlphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
         (c >= 'a' && c <= 'z');
}

std::string BytesToHexString(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::optional<std::string> HexStringToBytes(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (size_t i = 0; i < text.size(); i += 2) {
    const char* const end = text.data() + i + 2;
    uint8_t byte;
    const auto read = std::from_chars(text.data() + i, end, byte, 16);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

}  // namespace gasnet
