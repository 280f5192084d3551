// The datagram port (core/datagram/port.h) over one UDP socket.
//
// Datagrams to a peer are sent in as few system calls as the kernel permits.
// Datagrams of equal size go to the kernel as one large datagram, which the
// kernel splits (UDP_SEGMENT). One sendmmsg sends several large datagrams. The
// port receives with recvmsg while few datagrams arrive, and with recvmmsg
// while many do. The kernel may have joined several datagrams (UDP_GRO). If an
// offload is missing, the port does without it.
//
// A datagram that the network refuses at once counts as lost: its repetition
// shows if the refusal is permanent. The caller ensures that calls are made one
// at a time.
//
// A forked child also has the socket, the job's key, and a copy of the counter
// that makes nonces. In the child the port is dead for all callers: datagrams
// that are sent are lost, and none are taken from the socket.
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

// Datagrams that arrived, in a reusable buffer.
class ReceivedBatch final : public Batch {
 public:
  static constexpr size_t kBuffers = kBatchBuffers;
  // The size of a buffer in bytes: at least the largest datagram, and the most
  // that the kernel joins.
  static constexpr size_t kBufferBytes = 65536;
  static constexpr size_t kAlignment = datagram::kDatagramAlignment;
  // The maximum number of datagrams that the kernel joins.
  static constexpr size_t kMaxSegments = 64;

  ReceivedBatch();

 private:
  friend class SocketPort;

  // The room for the kernel's report on how it joined the datagrams of a
  // buffer.
  static constexpr size_t kControlBytes = 64;
  // The distance between the starts of buffers. The extra bytes let datagrams
  // of odd lengths be moved apart, to align them.
  static constexpr size_t kStride = kBufferBytes + kMaxSegments * kAlignment;

  // Returns true if the first datagram is large. One system call for each large
  // datagram costs little, and several received at once would evict each other
  // from the cache.
  bool StartsLarge() const { return headers_[0].msg_len >= kBufferBytes / 4; }
  // Fills at most `most` buffers from the socket, and returns their number.
  // `joined` says that the kernel may have joined datagrams.
  int Fill(int fd, unsigned most, bool joined);
  // Splits `count` buffers into the datagrams that the kernel joined.
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
  // The options of the port. They are constant.
  struct Options {
    size_t max_datagram = 1472;  // a multiple of 16
    bool offload = true;         // use the kernel's splitting and joining
    bool loopback = false;       // all ranks are on this host
  };

  // Creates the port. `peers` lists the addresses by rank.
  SocketPort(UniqueFd socket, std::vector<ip::Address> peers,
             const Options& options);

  // The functions of Port (core/datagram/port.h).
  int64_t Now() const override { return NowNanos(); }
  size_t MaxDatagram() const override { return options_.max_datagram; }
  size_t Send(Rank peer,
              std::span<const datagram::Outgoing> datagrams) override;
  Batch* Receive() override;
  Batch* ReceiveSpare() override;
  void Release(Batch* batch) override;

  int fd() const { return socket_.get(); }

  // Returns the number of datagrams that arrived but were lost because the
  // socket was full (or, rarely, because of a wrong checksum). The kernel
  // counts them, modulo 2^32. May be called in a signal handler.
  uint64_t Lost() const;

 private:
  // The maximum number of datagrams into which the kernel splits one large one.
  static constexpr size_t kMaxSegments = ReceivedBatch::kMaxSegments;
  // The kernel's limit on the bytes of one datagram that it splits: 65507 for
  // IPv4 and 65487 for IPv6, rounded down.
  static constexpr size_t kMaxBytes = 65000;

  class Call;

  size_t GroupOf(std::span<const datagram::Outgoing> datagrams) const;
  size_t SendOne(Rank peer, datagram::ConstBytes datagram);
  size_t SendGroups(Rank peer, std::span<const datagram::Outgoing> datagrams);

  const UniqueFd socket_;
  const std::vector<ip::Address> peers_;
  Options options_;
  bool joins_ = false;  // the kernel joins incoming datagrams
  unsigned found_ = 0;  // receives in a row that found datagrams
  bool busy_ = false;   // much arrives, so several are received at once
  std::vector<std::unique_ptr<ReceivedBatch>> free_;
  ReceivedBatch spare_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_SOCKET_PORT_H_
