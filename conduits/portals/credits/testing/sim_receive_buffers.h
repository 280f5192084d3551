// The receive buffers of a simulated rank. The buffers are filled in order. A
// buffer takes messages until less than a chunk is left, and is reused when all
// its messages have been handled.
#ifndef CONDUITS_PORTALS_CREDITS_TESTING_SIM_RECEIVE_BUFFERS_H_
#define CONDUITS_PORTALS_CREDITS_TESTING_SIM_RECEIVE_BUFFERS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace gasnet::portals_conduit::credits {

class SimReceiveBuffers {
 public:
  SimReceiveBuffers(uint32_t buffers, size_t buffer_bytes, size_t chunk)
      : buffer_bytes_(buffer_bytes), chunk_(chunk), buffers_(buffers) {
    for (uint32_t i = 0; i < buffers; ++i) linked_.push_back(i);
  }

  // Puts a message of `bytes` bytes in a buffer. Returns the index of the
  // buffer, or -1 if there is no room.
  int64_t Take(size_t bytes) {
    if (linked_.empty()) return -1;
    const uint32_t index = linked_.front();
    Buffer& buffer = buffers_[index];
    buffer.filled += bytes;
    ++buffer.messages;
    if (buffer_bytes_ - buffer.filled < chunk_) linked_.pop_front();
    return index;
  }

  // Records that a message in buffer `index` has been handled.
  void Handled(uint32_t index) {
    Buffer& buffer = buffers_[index];
    --buffer.messages;
    const bool is_full = buffer_bytes_ - buffer.filled < chunk_;
    if (!is_full || buffer.messages > 0) return;
    buffer.filled = 0;
    linked_.push_back(index);
  }

 private:
  struct Buffer {
    size_t filled = 0;
    uint32_t messages = 0;
  };

  size_t buffer_bytes_;
  size_t chunk_;
  std::vector<Buffer> buffers_;
  std::deque<uint32_t> linked_;
};

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_TESTING_SIM_RECEIVE_BUFFERS_H_
