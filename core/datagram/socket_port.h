// The datagram port (core/datagram/port.h) over one UDP socket.
//
// Sends to a peer go out in as few system calls as the kernel lets them: equal
// datagrams as one large one that it cuts (UDP_SEGMENT), several of those by
// sendmmsg. Arriving datagrams are taken with one recvmsg while there are few,
// by recvmmsg while there are many, and may be several that the kernel put
// together (UDP_GRO). Where an offload is missing the port does without.
//
// A datagram that the network refuses at once is as good as lost: sending it
// again shows whether it was for good. Calls are made one at a time; the caller
// sees to that.
//
// A child that was forked has the socket too, the job's key, and a copy of the
// counter that makes nonces. In it the port is dead, whoever calls it: what is
// sent is lost, and nothing is taken from the socket.
#ifndef CORE_DATAGRAM_SOCKET_PORT_H_
#define CORE_DATAGRAM_SOCKET_PORT_H_

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/clock.h"
#include "base/forked.h"
#include "base/unique_fd.h"
#include "core/datagram/port.h"
#include "core/datagram/tuning.h"
#include "core/ip/address.h"
#include "core/rank.h"

namespace gasnet::datagram {

// Datagrams that arrived, in memory of their own, which is used again.
class ReceivedBatch final : public Batch {
 public:
  static constexpr size_t kBuffers = kBatchBuffers;
  // The largest datagram, and the most that the kernel puts together.
  static constexpr size_t kBufferBytes = 65536;
  static constexpr size_t kAlignment = datagram::kDatagramAlignment;
  // The most datagrams that it puts together.
  static constexpr size_t kMostSegments = 64;

  ReceivedBatch();

 private:
  friend class SocketPort;

  // Room for what the kernel says of a buffer: how it put it together.
  static constexpr size_t kControlBytes = 64;
  // Datagrams of odd lengths are moved apart.
  static constexpr size_t kStride = kBufferBytes + kMostSegments * kAlignment;

  // So large that a system call for each does not count, and that several would
  // drive each other out of the cache.
  bool StartsLarge() const { return headers_[0].msg_len >= kBufferBytes / 4; }
  // Fills the buffers from the socket, at most `most` of them; how many.
  // joined: whether the kernel may have put several together.
  int Fill(int fd, unsigned most, bool joined);
  // Cuts what the kernel put together, `count` buffers of it.
  void Cut(unsigned count);
  void CutOne(std::byte* bytes, size_t length, size_t segment);
  void Prepare(unsigned count);

  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte[], Free> memory_;
  std::array<iovec, kBuffers> pieces_;
  std::array<mmsghdr, kBuffers> headers_;
  alignas(cmsghdr) std::array<char, kControlBytes * kBuffers> control_;
};

class SocketPort final : public Port {
 public:
  // How the port does its work; constant.
  struct Options {
    size_t max_datagram = 1472;  // a multiple of 16
    bool offload = true;         // use segmentation and receive offload
    bool loopback = false;       // nothing leaves this host
  };

  // peers: by rank.
  SocketPort(UniqueFd socket, std::vector<ip::Address> peers,
             const Options& options);

  // core/datagram/port.h
  int64_t Now() const override { return NowNanos(); }
  size_t MaxDatagram() const override { return options_.max_datagram; }
  size_t Send(Rank peer,
              std::span<const datagram::Outgoing> datagrams) override;
  Batch* Receive() override;
  Batch* ReceiveSpare() override;
  void Release(Batch* batch) override;

  int fd() const { return socket_.get(); }

  // Datagrams that arrived and were lost, since the socket was full (or, hardly
  // ever, by a wrong checksum); the kernel counts them, modulo 2^32. In a
  // signal handler too.
  uint64_t Lost() const;

 private:
  // The most that the kernel cuts from one.
  static constexpr size_t kMostSegments = ReceivedBatch::kMostSegments;
  // Bytes of one, a limit of the kernel's: 65507 and 65487 by the headers of
  // IPv4 and IPv6, rounded down.
  static constexpr size_t kMostBytes = 65000;

  class Call;

  size_t GroupOf(std::span<const datagram::Outgoing> datagrams) const;
  size_t SendOne(Rank peer, datagram::ConstBytes datagram);
  size_t SendGroups(Rank peer, std::span<const datagram::Outgoing> datagrams);

  const UniqueFd socket_;
  const std::vector<ip::Address> peers_;
  Options options_;
  bool joins_ = false;  // the kernel puts together what arrives
  unsigned found_ = 0;  // receives in a row that found something
  bool busy_ = false;   // so much arrives that it pays to ask for several
  std::vector<std::unique_ptr<ReceivedBatch>> free_;
  ReceivedBatch spare_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_SOCKET_PORT_H_
