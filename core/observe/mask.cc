#include "core/observe/mask.h"

#include <cstddef>

#include "absl/strings/ascii.h"

namespace gasnet::observe {

bool Mask::Parse(std::string_view text, Mask& mask) {
  const bool others = text.starts_with('^');
  if (others) text.remove_prefix(1);
  uint32_t bits = 0;
  for (const char letter : text) {
    const char group = absl::ascii_toupper(static_cast<unsigned char>(letter));
    if (kLetters.find(group) == std::string_view::npos) return false;
    bits |= Bit(group);
  }
  mask = Mask(others ? All().bits() & ~bits : bits);
  return true;
}

void Mask::Write(Text& text) const {
  size_t used = 0;
  for (const char letter : kLetters) {
    if (Has(letter)) text[used++] = letter;
  }
  text[used] = '\0';
}

}  // namespace gasnet::observe
