// Writes the payload of a message to memory that a link sends from.
#ifndef CORE_AM_PAYLOAD_H_
#define CORE_AM_PAYLOAD_H_

#include <cstddef>
#include <memory>

#include "core/am/copy.h"
#include "core/am/message.h"

namespace gasnet::am {

// Writes the whole payload.
[[gnu::always_inline]] inline void WritePayload(void* to,
                                                const Message& message) {
  if (message.gather != nullptr) [[unlikely]] {
    message.gather->GatherTo(static_cast<std::byte*>(to));
  } else {
    CopyPayload(to, message.payload, message.nbytes);
  }
}

// Makes a payload contiguous. If the payload lies in many places, it is
// gathered in memory of this object.
class Gathered {
 public:
  explicit Gathered(const Message& message) : message_(message) {
    if (message.gather == nullptr) return;
    memory_ = std::make_unique_for_overwrite<std::byte[]>(message.nbytes);
    message.gather->GatherTo(memory_.get());
    message_.payload = memory_.get();
    message_.gather = nullptr;
  }

  const Message& message() const { return message_; }

 private:
  Message message_;
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace gasnet::am

#endif  // CORE_AM_PAYLOAD_H_
