// A port carries datagrams: its shape, on one page.
//
// A port hands datagrams to a network that may lose, repeat, reorder and damage
// them, and hands out what arrives. An endpoint calls it under its own lock,
// so one thread at a time.
#ifndef CORE_DATAGRAM_PORT_H_
#define CORE_DATAGRAM_PORT_H_

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

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

template <class P>
concept Port = requires(P& port, const P& constant, Rank peer,
                        std::span<const Outgoing> out, typename P::Batch* in) {
  // Nanoseconds, monotonic.
  { port.Now() } -> std::same_as<int64_t>;

  // The largest datagram in bytes, constant.
  { constant.MaxDatagram() } -> std::same_as<size_t>;

  // Hands over datagrams for one peer, in order; how many were taken. Fewer
  // than given: the network is full, try again later. The bytes are read before
  // it returns. Normally all but the last have the same length, so that a
  // socket can let the kernel or the hardware cut them.
  { port.Send(peer, out) } -> std::same_as<size_t>;

  // The datagrams that have arrived, or null. The memory is the port's; the
  // datagrams are aligned, writable and the caller's until Release. Several
  // batches may be out at once, and come back in any order.
  { port.Receive() } -> std::same_as<typename P::Batch*>;
  // The same from memory that was made beforehand; one at a time.
  { port.ReceiveSpare() } -> std::same_as<typename P::Batch*>;
  { port.Release(in) } -> std::same_as<void>;
  { in->datagrams() } -> std::convertible_to<std::span<const MutableBytes>>;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PORT_H_
