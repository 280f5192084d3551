// Writes pictures of up to 256 colours in a format that every browser opens,
// with nothing but the C++ library. The pixels are stored, not compressed.

#ifndef EXAMPLES_HEAT_PNG_H_
#define EXAMPLES_HEAT_PNG_H_

#include <cstdint>
#include <string>
#include <vector>

namespace heat {

struct Colour {
  uint8_t red;
  uint8_t green;
  uint8_t blue;
};

// A whole PNG file. `pixels` are indices into `palette`, in rows from the top,
// width * height of them.
std::string EncodePng(uint32_t width, uint32_t height,
                      const std::vector<Colour>& palette,
                      const std::vector<uint8_t>& pixels);

}  // namespace heat

#endif  // EXAMPLES_HEAT_PNG_H_
