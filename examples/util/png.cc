#include "examples/util/png.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "examples/util/job.h"

namespace example {
namespace {

void AppendBigEndian32(uint32_t value, std::string* out) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out->push_back(static_cast<char>(value >> shift));
  }
}

void AppendLittleEndian16(uint32_t value, std::string* out) {
  out->push_back(static_cast<char>(value));
  out->push_back(static_cast<char>(value >> 8));
}

uint32_t Crc32(std::string_view bytes) {
  static const auto table = [] {
    std::array<uint32_t, 256> entries;
    for (uint32_t n = 0; n < 256; ++n) {
      uint32_t c = n;
      for (int bit = 0; bit < 8; ++bit) c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
      entries[n] = c;
    }
    return entries;
  }();
  uint32_t crc = ~0u;
  for (unsigned char byte : bytes) crc = table[(crc ^ byte) & 255] ^ crc >> 8;
  return ~crc;
}

uint32_t Adler32(std::string_view bytes) {
  uint32_t low = 1;
  uint32_t high = 0;
  for (unsigned char byte : bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return high << 16 | low;
}

// Appends a chunk: its length, its type, its data, and a checksum of type and
// data.
void AppendChunk(std::string_view type, std::string_view data,
                 std::string* out) {
  AppendBigEndian32(static_cast<uint32_t>(data.size()), out);
  const std::string body = std::string(type).append(data);
  out->append(body);
  AppendBigEndian32(Crc32(body), out);
}

// Returns a zlib stream of uncompressed ("stored") blocks, each with at most
// 65535 bytes.
std::string ZlibStored(std::string_view bytes) {
  constexpr size_t kMaxInBlock = 65535;
  std::string out = "\x78\x01";
  for (size_t start = 0; start < bytes.size(); start += kMaxInBlock) {
    const std::string_view block = bytes.substr(start, kMaxInBlock);
    const auto size = static_cast<uint32_t>(block.size());
    // 1 for the last block
    out.push_back(start + size == bytes.size() ? 1 : 0);
    AppendLittleEndian16(size, &out);
    AppendLittleEndian16(~size, &out);
    out.append(block);
  }
  AppendBigEndian32(Adler32(bytes), &out);
  return out;
}

}  // namespace

std::string EncodePng(uint32_t width, uint32_t height,
                      const std::vector<Colour>& palette,
                      const std::vector<uint8_t>& pixels) {
  std::string header;
  AppendBigEndian32(width, &header);
  AppendBigEndian32(height, &header);
  // 8 bits per pixel, and a palette (colour type 3). The zeros select PNG's
  // only methods of compression and filtering, and no interlacing.
  header.append({8, 3, 0, 0, 0});

  std::string colours;
  for (const Colour& c : palette) {
    for (uint8_t part : {c.red, c.green, c.blue}) {
      colours.push_back(static_cast<char>(part));
    }
  }

  std::string rows;
  for (size_t row = 0; row < height; ++row) {
    rows.push_back(0);  // not filtered
    const auto first = pixels.begin() + static_cast<ptrdiff_t>(row * width);
    rows.append(first, first + width);
  }

  std::string file = "\x89PNG\r\n\x1a\n";
  AppendChunk("IHDR", header, &file);
  AppendChunk("PLTE", colours, &file);
  AppendChunk("IDAT", ZlibStored(rows), &file);
  AppendChunk("IEND", "", &file);
  return file;
}

std::FILE* OpenPicture(const std::string& name) {
  std::FILE* const file = std::fopen(name.c_str(), "wb");
  if (file == nullptr) {
    Die("cannot write '%s': %s", name.c_str(), ErrnoText().c_str());
  }
  return file;
}

void WritePicture(const std::string& png, const std::string& name,
                  std::FILE* file) {
  const bool written =
      std::fwrite(png.data(), 1, png.size(), file) == png.size();
  if (std::fclose(file) != 0 || !written) {
    Die("cannot write '%s': %s", name.c_str(), ErrnoText().c_str());
  }
  std::printf("wrote %s\n", name.c_str());
}

}  // namespace example
