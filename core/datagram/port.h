// A port carries datagrams: it hands them to a network that may lose, repeat,
// reorder and damage them, and hands out what arrives. It is called under the
// lock of the channels, so by one thread at a time. The functions are virtual:
// beside a system call that costs nothing.
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

// A datagram to be sent, in two places.
struct Outgoing {
  ConstBytes head;
  ConstBytes body = {};

  size_t size() const { return head.size() + body.size(); }
  // To `size()` bytes, in one place.
  void CopyTo(std::byte* out) const {
    std::copy(head.begin(), head.end(), out);
    std::copy(body.begin(), body.end(), out + head.size());
  }
};

// Every received datagram begins at a multiple of this.
inline constexpr size_t kDatagramAlignment = 16;

// Datagrams that arrived together.
class Batch {
 public:
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  std::span<const MutableBytes> datagrams() const { return datagrams_; }

 protected:
  Batch() = default;
  // Ports make and destroy batches.
  ~Batch() = default;

  std::vector<MutableBytes> datagrams_;
};

class Port {
 public:
  virtual ~Port() = default;

  // Nanoseconds, monotonic.
  virtual int64_t Now() const = 0;

  // The largest datagram in bytes, constant.
  virtual size_t MaxDatagram() const = 0;

  // Hands over datagrams for one peer, in order; how many were taken. Fewer
  // than given: the network is full, try again later. The bytes are read before
  // it returns. Normally all but the last have the same length, so that a
  // socket can let the kernel or the hardware cut them.
  virtual size_t Send(Rank peer, std::span<const Outgoing> datagrams) = 0;

  // The datagrams that have arrived, or null. The memory is the port's; the
  // datagrams are aligned, writable and the caller's until Release. Several
  // batches may be out at once, and come back in any order.
  virtual Batch* Receive() = 0;
  // The same from memory that was made beforehand; one at a time.
  virtual Batch* ReceiveSpare() = 0;
  virtual void Release(Batch* batch) = 0;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PORT_H_
