// A port carries datagrams. It hands them to a network that may lose, repeat,
// reorder and damage them, and returns the datagrams that arrive. Called under
// the lock of the channels, by one thread at a time. The cost of virtual calls
// is negligible compared with a system call.
#ifndef CORE_DATAGRAM_PORT_H_
#define CORE_DATAGRAM_PORT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/rank.h"

namespace gasnet::datagram {

using ConstBytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

// A datagram to be sent, in two parts.
struct Outgoing {
  ConstBytes head;
  ConstBytes body = {};

  size_t size() const { return head.size() + body.size(); }
  // Copies the datagram to `size()` contiguous bytes.
  void CopyTo(std::byte* out) const {
    std::copy(head.begin(), head.end(), out);
    std::copy(body.begin(), body.end(), out + head.size());
  }
};

// Every received datagram begins at a multiple of this many bytes.
inline constexpr size_t kDatagramAlignment = 16;

// Datagrams that arrived together.
class Batch {
 public:
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  std::span<const MutableBytes> datagrams() const { return datagrams_; }

 protected:
  Batch() = default;
  // Only ports make and destroy batches.
  ~Batch() = default;

  std::vector<MutableBytes> datagrams_;
};

class Port {
 public:
  virtual ~Port() = default;

  // Returns the monotonic time in nanoseconds.
  virtual int64_t Now() const = 0;

  // Returns the size of the largest datagram in bytes. The size is constant.
  virtual size_t MaxDatagram() const = 0;

  // Hands over datagrams for one peer, in order, and returns how many the
  // network took. If it did not take all, it is full, and the caller tries
  // again later. The bytes are read before this returns. Normally all datagrams
  // but the last have the same length, so that the kernel or the hardware can
  // split one large send.
  virtual size_t Send(Rank peer, std::span<const Outgoing> datagrams) = 0;

  // Returns the datagrams that have arrived, or null if there are none. The
  // port owns the memory. The datagrams are aligned and writable, and belong to
  // the caller until Release(). Several batches may be in use at once, and may
  // be released in any order.
  virtual Batch* Receive() = 0;
  // Like Receive(), but uses preallocated memory, for one batch at a time.
  virtual Batch* ReceiveSpare() = 0;
  virtual void Release(Batch* batch) = 0;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PORT_H_
