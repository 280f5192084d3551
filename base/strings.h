// Text put together and taken apart. Pure functions, in no locale but C's.
//
// The names are those of Abseil: see docs/STYLE.md, "Dependencies".
#ifndef BASE_STRINGS_H_
#define BASE_STRINGS_H_

#include <array>
#include <charconv>
#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasnet {
namespace internal {

// The text of an argument of StrCat. It refers to the argument, or has room for
// the digits of a number: it is good as long as both of them.
class Piece {
 public:
  explicit Piece(std::string_view text) : text_(text) {}

  // A character is no number here, and a single one is spelt as a string.
  template <std::integral Number>
  requires(!std::same_as<Number, char>) explicit Piece(Number number) {
    char* const begin = digits_.data();
    const auto end = std::to_chars(begin, begin + digits_.size(), +number);
    text_ = std::string_view(begin, end.ptr - begin);
  }

  // Six digits, as printf's %g.
  explicit Piece(double number);

  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::array<char, 24> digits_;
  std::string_view text_;
};

void Append(std::string& text, std::initializer_list<std::string_view> pieces);

}  // namespace internal

// Appends what the arguments say, one after the other: strings, integers in
// decimal (a bool is 0 or 1), and floating point numbers with six digits.
template <typename... Parts>
void StrAppend(std::string* text, const Parts&... parts) {
  internal::Append(*text, {internal::Piece(parts).text()...});
}

// The arguments as one string, as StrAppend writes them.
template <typename... Parts>
std::string StrCat(const Parts&... parts) {
  std::string text;
  StrAppend(&text, parts...);
  return text;
}

// The items, as StrCat says them, with `separator` between each two.
template <typename Items>
std::string StrJoin(const Items& items, std::string_view separator) {
  std::string text;
  std::string_view before;
  for (const auto& item : items) {
    StrAppend(&text, before, item);
    before = separator;
  }
  return text;
}

// The strings between the separators: always one more than there are of these.
std::vector<std::string> StrSplit(std::string_view text, char separator);

inline bool StrContains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

inline bool StrContains(std::string_view text, char part) {
  return text.find(part) != text.npos;
}

// Of ASCII, whatever the locale.
bool IsAsciiAlphanumeric(char c);

// Two lower-case digits for each byte.
std::string BytesToHexString(std::string_view bytes);

// The bytes, if the text is two hexadecimal digits for each and nothing else.
std::optional<std::string> HexStringToBytes(std::string_view text);

}  // namespace gasnet

#endif  // BASE_STRINGS_H_
