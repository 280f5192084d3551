// Encodes pictures of up to 256 colours as PNG, which every browser opens. Uses
// only the C++ library, so the pixels are stored without compression.

#ifndef EXAMPLES_UTIL_PNG_H_
#define EXAMPLES_UTIL_PNG_H_

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace example {

struct Colour {
  uint8_t red;
  uint8_t green;
  uint8_t blue;
};

// Returns a whole PNG file. `pixels` are width * height indices into `palette`,
// in rows from the top.
std::string EncodePng(uint32_t width, uint32_t height,
                      const std::vector<Colour>& palette,
                      const std::vector<uint8_t>& pixels);

// Opens the file for a picture. Call it before the work begins, so that a wrong
// name ends the job at once.
std::FILE* OpenPicture(const std::string& name);

// Writes the picture to the file, prints a message about it, and closes the
// file.
void WritePicture(const std::string& png, const std::string& name,
                  std::FILE* file);

}  // namespace example

#endif  // EXAMPLES_UTIL_PNG_H_
