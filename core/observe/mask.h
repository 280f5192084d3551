// Sets of groups of calls and events. GASNET_STATSMASK, GASNET_TRACEMASK and
// the masks of gasnet_tools.h name them by a letter for each group. A leading ^
// means all other groups.
#ifndef CORE_OBSERVE_MASK_H_
#define CORE_OBSERVE_MASK_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace gasnet::observe {

class Mask {
 public:
  // All letters, in the order in which they are printed.
  static constexpr std::string_view kLetters = "GPRSWBLAXIOCDNHU";

  static constexpr char kSyntax[] =
      "letters of GPRSWBLAXIOCDNHU, after a ^ all others";

  constexpr Mask() = default;
  static constexpr Mask All() { return Mask((uint32_t{1} << 26) - 1); }
  static constexpr Mask FromBits(uint32_t bits) { return Mask(bits); }

  // Reads letters in either case. Returns false and sets nothing if the text
  // contains any other character.
  static bool Parse(std::string_view text, Mask& mask);

  constexpr bool Has(char group) const { return (bits_ & Bit(group)) != 0; }
  constexpr uint32_t bits() const { return bits_; }
  // Writes the letters of the set.
  using Text = std::array<char, kLetters.size() + 1>;
  void Write(Text& text) const;

  static constexpr uint32_t Bit(char group) {
    return uint32_t{1} << (group - 'A');
  }

 private:
  constexpr explicit Mask(uint32_t bits) : bits_(bits) {}

  uint32_t bits_ = 0;
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_MASK_H_
