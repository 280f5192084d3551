// The layout of values in a control frame. Integers are little-endian, with a
// fixed width. Text and bytes are a 32-bit length followed by the bytes.
//
// The reader checks its input. A read fails if a length exceeds the remaining
// bytes or the caller's limit. After a failure the reader returns only zeros.
#ifndef JOB_WIRE_WIRE_H_
#define JOB_WIRE_WIRE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gasnet::job {

inline void StoreLittleEndian(uint32_t value, char* out, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out[i] = static_cast<char>(value >> 8 * i);
}

class WireWriter {
 public:
  void U32(uint32_t value) {
    char bytes[4];
    StoreLittleEndian(value, bytes, sizeof bytes);
    out_.append(bytes, sizeof bytes);
  }
  void U64(uint64_t value) {
    U32(static_cast<uint32_t>(value));
    U32(static_cast<uint32_t>(value >> 32));
  }
  void Raw(std::string_view bytes) { out_ += bytes; }
  void Text(std::string_view text) {
    U32(text.size());
    out_ += text;
  }

  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

class WireReader {
 public:
  explicit WireReader(std::string_view in) : in_(in) {}

  uint16_t U16() { return Integer(2); }
  uint32_t U32() { return Integer(4); }
  uint64_t U64() {
    const uint64_t low = U32();
    return low | uint64_t{U32()} << 32;
  }
  // Returns the next `size` bytes, as a view into the input.
  std::string_view Raw(size_t size);
  // Reads a length, and returns this number of bytes. Fails if the length
  // exceeds `limit`.
  std::string_view Text(size_t limit);

  size_t remaining() const { return in_.size(); }
  // Returns true if nothing failed and no bytes are left.
  bool Complete() const { return ok_ && in_.empty(); }
  bool ok() const { return ok_; }
  void Fail();

 private:
  uint32_t Integer(size_t bytes);

  std::string_view in_;
  bool ok_ = true;
};

}  // namespace gasnet::job

#endif  // JOB_WIRE_WIRE_H_
