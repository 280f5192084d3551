#include "tools/gasnet_trace/printable.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace gasnet::trace {
namespace {

constexpr unsigned char kDelete = 0x7f;

unsigned char ByteOf(char c) { return static_cast<unsigned char>(c); }

bool Continues(char c) { return (ByteOf(c) & 0xc0) == 0x80; }

// Returns the number of bytes of the UTF-8 character at the beginning of a
// non-empty text. Returns 0 if the text begins with no valid character.
size_t CharacterAt(std::string_view text) {
  struct Form {
    unsigned char mask;
    unsigned char lead;
    uint32_t least;  // smaller code points have a shorter form
  };
  constexpr std::array<Form, 4> kForms = {{{0x80, 0, 0},
                                           {0xe0, 0xc0, 0x80},
                                           {0xf0, 0xe0, 0x800},
                                           {0xf8, 0xf0, 0x10000}}};
  for (size_t i = 0; i < kForms.size(); ++i) {
    const Form& form = kForms[i];
    const unsigned char first = ByteOf(text[0]);
    if ((first & form.mask) != form.lead) continue;
    if (text.size() <= i) return 0;
    uint32_t character = first & ~static_cast<uint32_t>(form.mask);
    for (const char c : text.substr(1, i)) {
      if (!Continues(c)) return 0;
      character = character << 6 | (ByteOf(c) & 0x3f);
    }
    const bool is_surrogate = character >= 0xd800 && character < 0xe000;
    const bool is_control = character >= 0x80 && character < 0xa0;
    return character < form.least || character > 0x10ffff || is_surrogate ||
                   is_control
               ? 0
               : i + 1;
  }
  return 0;
}

bool IsControl(char c) { return ByteOf(c) < ' ' || ByteOf(c) == kDelete; }

// Appends the text. `escape` appends a replacement for each byte that is
// special or not UTF-8.
template <class IsSpecial, class Escape>
void Append(std::string_view text, IsSpecial is_special, Escape escape,
            std::string& out) {
  while (!text.empty()) {
    const size_t size = CharacterAt(text);
    if (size == 0 || (size == 1 && is_special(text[0]))) {
      escape(text[0], size == 1);
      text.remove_prefix(1);
    } else {
      absl::StrAppend(&out, text.substr(0, size));
      text.remove_prefix(size);
    }
  }
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string out;
  Append(
      text, IsControl,
      [&out](char c, bool) {
        absl::StrAppendFormat(&out, "\\x%02x", ByteOf(c));
      },
      out);
  return out;
}

std::string JsonString(std::string_view text) {
  std::string out = "\"";
  Append(
      text, [](char c) { return IsControl(c) || c == '"' || c == '\\'; },
      [&out](char c, bool is_ascii) {
        absl::StrAppendFormat(&out, "\\u%04x",
                              is_ascii ? unsigned{ByteOf(c)} : 0xfffdu);
      },
      out);
  return out + "\"";
}

std::string Grouped(uint64_t number) {
  const std::string digits = absl::StrCat(number);
  std::string grouped;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) grouped += ',';
    grouped += digits[i];
  }
  return grouped;
}

}  // namespace gasnet::trace
