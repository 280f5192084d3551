// Flow control by credit. A window bounds the bytes of one kind in flight to
// the other side of a stream. So it also bounds how long other traffic waits
// behind these bytes. The two sides have different accounts:
//
//   - CreditWindow: the sender's. Its room is the number of bytes that may
//   still be
//     sent. The room grows with returned credit.
//   - Owed: the receiver's. It counts bytes that were passed on and whose
//     credit has not been returned.
//
// Used by one thread.
#ifndef TOOLS_GASNETRUN_REMOTE_WINDOW_H_
#define TOOLS_GASNETRUN_REMOTE_WINDOW_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "tools/gasnetrun/remote/tuning.h"

namespace gasnet::gasnetrun {

class CreditWindow {
 public:
  explicit CreditWindow(uint32_t size) : size_(size) {}

  size_t room() const { return on_the_way_ < size_ ? size_ - on_the_way_ : 0; }

  // Counts bytes sent. Only bytes that cannot wait may exceed the room.
  void Send(size_t bytes) { on_the_way_ += bytes; }

  // Takes returned credit. Returns false if the credit is more than the bytes
  // in flight.
  [[nodiscard]] bool TakeCredit(uint32_t bytes) {
    if (bytes > on_the_way_) return false;
    on_the_way_ -= bytes;
    return true;
  }

 private:
  const uint32_t size_;
  size_t on_the_way_ = 0;
};

class Owed {
 public:
  // Counts bytes passed on. Returns the credit to return now, or 0.
  [[nodiscard]] uint32_t PassedOn(size_t bytes) {
    owed_ += static_cast<uint32_t>(bytes);
    return owed_ < kWindowPiece ? 0 : std::exchange(owed_, 0);
  }

 private:
  uint32_t owed_ = 0;
};

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_WINDOW_H_
