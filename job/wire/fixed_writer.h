// Writes values of a control frame (wire.h) into memory that the caller
// provides. A signal handler may use it: it allocates nothing. Values that do
// not fit are left out.
#ifndef JOB_WIRE_FIXED_WRITER_H_
#define JOB_WIRE_FIXED_WRITER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "job/wire/wire.h"

namespace gasnet::job {

class FixedWriter {
 public:
  explicit FixedWriter(std::span<char> memory) : memory_(memory) {}

  void U32(uint32_t value) {
    std::array<char, 4> bytes;
    StoreLittleEndian(value, bytes.data(), bytes.size());
    Raw({bytes.data(), bytes.size()});
  }
  void U64(uint64_t value) {
    U32(static_cast<uint32_t>(value));
    U32(static_cast<uint32_t>(value >> 32));
  }
  void Text(std::string_view text) {
    U32(static_cast<uint32_t>(text.size()));
    Raw(text);
  }
  void Raw(std::string_view bytes) {
    if (bytes.size() > room()) return;
    std::memcpy(memory_.data() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  // Replaces the value at the offset `at`, where U32() has written one.
  void SetU32(size_t at, uint32_t value) {
    StoreLittleEndian(value, memory_.data() + at, sizeof value);
  }

  size_t size() const { return size_; }
  size_t room() const { return memory_.size() - size_; }
  std::string_view written() const { return {memory_.data(), size_}; }

 private:
  std::span<char> memory_;
  size_t size_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_WIRE_FIXED_WRITER_H_
