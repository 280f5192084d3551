#include "core/datagram/socket_port.h"

#include <errno.h>
#include <linux/sock_diag.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "base/log.h"
#include "base/memory_limit.h"
#include "base/round_up.h"
#include "base/syscall.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {
namespace {

// Returns the length of each of the datagrams that the kernel has joined in a
// buffer.
size_t SegmentBytes(msghdr& header) {
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr;
       c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_UDP || c->cmsg_type != UDP_GRO) continue;
    int bytes;
    std::memcpy(&bytes, CMSG_DATA(c), sizeof bytes);
    return bytes > 0 ? static_cast<size_t>(bytes) : 0;
  }
  return 0;
}

// Makes system calls without the C library. The library's functions are
// cancellation points: a cancelled thread would end in the middle of a message.
// They also cost 60 ns each in a process with several threads.
int ReceiveMany(int fd, mmsghdr* headers, unsigned most) {
  return static_cast<int>(
      syscall(SYS_recvmmsg, fd, headers, most, MSG_DONTWAIT, nullptr));
}
ssize_t ReceiveMessage(int fd, msghdr& header) {
  return syscall(SYS_recvmsg, fd, &header, MSG_DONTWAIT);
}
int SendMany(int fd, mmsghdr* headers, unsigned count) {
  return static_cast<int>(syscall(SYS_sendmmsg, fd, headers, count, 0));
}
ssize_t SendMessage(int fd, const msghdr& header) {
  return syscall(SYS_sendmsg, fd, &header, 0);
}
ssize_t ReceiveOne(int fd, std::byte* buffer, size_t size) {
  return syscall(SYS_recvfrom, fd, buffer, size, MSG_DONTWAIT, nullptr,
                 nullptr);
}

// Returns true for temporary errors.
bool IsFull(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == ENOBUFS ||
         error == ENOMEM;
}

// Returns true for errors that mean that the kernel cannot split datagrams.
bool IsUnable(int error) {
  return error == EINVAL || error == EIO || error == EMSGSIZE ||
         error == EOPNOTSUPP || error == ENOPROTOOPT;
}

// Ends the job if a client has closed a descriptor that it did not open.
// Without this check the rank would wait forever.
void RequireOwnSocket(int fd, int error) {
  if (error != EBADF && error != ENOTSOCK) return;
  Fatal(
      "this program has closed descriptor %d, the UDP socket that GASNet had "
      "opened; it may close only descriptors that it has opened",
      fd);
}

// Sets if the kernel may fragment large datagrams. On loopback all datagrams
// fit. Without fragmentation the kernel then need not number them. Elsewhere,
// fragmentation is better than silent losses on a path with a smaller limit.
void SetPathDiscovery(int fd, bool loopback) {
  const int v4 = loopback ? IP_PMTUDISC_PROBE : IP_PMTUDISC_DONT;
  const int v6 = loopback ? IPV6_PMTUDISC_PROBE : IPV6_PMTUDISC_DONT;
  setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &v4, sizeof v4);
  setsockopt(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, &v6, sizeof v6);
}

}  // namespace

void ReceivedBatch::Free::operator()(std::byte* memory) const { free(memory); }

ReceivedBatch::ReceivedBatch()
    : memory_(static_cast<std::byte*>(aligned_alloc(64, kBuffers * kStride))) {
  if (memory_ == nullptr) {
    Fatal("cannot allocate %zu bytes for the packets that a thread receives%s",
          kBuffers * kStride, DescribeMemory().text);
  }
  datagrams_.reserve(kBuffers * kMaxSegments);
  for (size_t i = 0; i < kBuffers; ++i) {
    pieces_[i] = {&memory_[i * kStride], kBufferBytes};
    headers_[i] = {};
    headers_[i].msg_hdr.msg_iov = &pieces_[i];
    headers_[i].msg_hdr.msg_iovlen = 1;
    headers_[i].msg_hdr.msg_control = &control_[i * kControlBytes];
  }
}

void ReceivedBatch::Prepare(unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    headers_[i].msg_hdr.msg_controllen = kControlBytes;
  }
}

int ReceivedBatch::Fill(int fd, unsigned most, bool joined) {
  // The usual case if the kernel joins no datagrams, and the cheapest call.
  if (most == 1 && !joined) {
    const ssize_t got = ReceiveOne(fd, memory_.get(), kBufferBytes);
    if (got < 0) return -1;
    headers_[0].msg_len = static_cast<unsigned>(got);
    headers_[0].msg_hdr.msg_controllen = 0;
    return 1;
  }
  Prepare(most);
  if (most > 1) return ReceiveMany(fd, headers_.data(), most);
  const ssize_t got = ReceiveMessage(fd, headers_[0].msg_hdr);
  if (got < 0) return -1;
  headers_[0].msg_len = static_cast<unsigned>(got);
  return 1;
}

void ReceivedBatch::Cut(unsigned count) {
  datagrams_.clear();
  for (unsigned i = 0; i < count; ++i) {
    CutOne(&memory_[i * kStride], headers_[i].msg_len,
           SegmentBytes(headers_[i].msg_hdr));
  }
}

// Moves the last datagram first, since each datagram moves to a higher address
// and could overwrite the next one.
void ReceivedBatch::CutOne(std::byte* bytes, size_t length, size_t segment) {
  const size_t segments = segment == 0 ? 1 : (length + segment - 1) / segment;
  if (segments <= 1 || segments > kMaxSegments) {
    datagrams_.emplace_back(bytes, length);
    return;
  }
  const size_t apart = RoundUp(segment, kAlignment);
  const size_t before = datagrams_.size();
  datagrams_.resize(before + segments);
  for (size_t i = segments; i-- > 0;) {
    const size_t size = std::min(segment, length - i * segment);
    std::byte* const at = bytes + i * apart;
    if (apart != segment) std::memmove(at, bytes + i * segment, size);
    datagrams_[before + i] = {at, size};
  }
}

uint64_t SocketPort::Lost() const {
  std::array<uint32_t, SK_MEMINFO_VARS> books{};
  socklen_t size = sizeof books;
  getsockopt(fd(), SOL_SOCKET, SO_MEMINFO, books.data(), &size);
  return books[SK_MEMINFO_DROPS];
}

SocketPort::SocketPort(UniqueFd socket, std::vector<ip::Address> peers,
                       const Options& options)
    : socket_(std::move(socket)), peers_(std::move(peers)), options_(options) {
  const int on = 1;
  SetPathDiscovery(fd(), options_.loopback);
  if (options_.offload) {
    // If this call fails, the kernel splits datagrams again before it delivers
    // them.
    joins_ = setsockopt(fd(), SOL_UDP, UDP_GRO, &on, sizeof on) == 0;
  }
}

// Returns how many of the first datagrams can go to the kernel as one large
// one.
size_t SocketPort::GroupOf(
    std::span<const datagram::Outgoing> datagrams) const {
  const size_t each = datagrams[0].size();
  if (!options_.offload || each == 0) return 1;
  size_t count = 1;
  size_t bytes = each;
  while (count < datagrams.size() && count < kMaxSegments &&
         bytes + datagrams[count].size() <= kMaxBytes &&
         datagrams[count].size() <= each) {
    bytes += datagrams[count].size();
    ++count;
    if (datagrams[count - 1].size() < each) break;
  }
  return count;
}

size_t SocketPort::SendOne(Rank peer, datagram::ConstBytes datagram) {
  const ip::Address& to = peers_[peer];
  const ssize_t sent = RetryOnEintr([&] {
    return syscall(SYS_sendto, fd(), datagram.data(), datagram.size(), 0,
                   to.get(), to.size());
  });
  if (sent >= 0) return 1;
  RequireOwnSocket(fd(), errno);
  return IsFull(errno) ? 0 : 1;
}

// One system call that sends groups of datagrams. The kernel splits a group
// into its datagrams.
class SocketPort::Call {
 public:
  explicit Call(const ip::Address& to) : to_(to) {}

  size_t datagrams() const { return used_; }
  // Returns the number of datagrams in the first group.
  size_t first() const { return sizes_[0]; }
  bool HasRoomFor(size_t size) const {
    return groups_ < kMaxGroups && used_ + size <= kMaxDatagrams;
  }

  void Add(std::span<const datagram::Outgoing> group) {
    msghdr& header = headers_[groups_].msg_hdr;
    header = {};
    header.msg_name = const_cast<sockaddr*>(to_.get());
    header.msg_namelen = to_.size();
    header.msg_iov = &pieces_[pieces_used_];
    if (group.size() > 1) AskToCut(header, group[0].size());
    for (const datagram::Outgoing& datagram : group) {
      AddPiece(datagram.head);
      if (!datagram.body.empty()) AddPiece(datagram.body);
    }
    header.msg_iovlen =
        static_cast<size_t>(&pieces_[pieces_used_] - header.msg_iov);
    used_ += group.size();
    sizes_[groups_++] = group.size();
  }

  // Makes the call, and returns the number of datagrams that the kernel took.
  // If that is 0, errno has the reason.
  size_t Make(int fd) {
    const int sent = groups_ == 1 ? MakeOne(fd) : MakeAll(fd);
    return sent > 0 ? std::accumulate(sizes_.begin(), sizes_.begin() + sent,
                                      size_t{0})
                    : 0;
  }

 private:
  struct alignas(cmsghdr) Control {
    char bytes[CMSG_SPACE(sizeof(uint16_t))];
  };

  static constexpr size_t kMaxDatagrams = kMaxSegments * 2;

  void AddPiece(datagram::ConstBytes bytes) {
    pieces_[pieces_used_++] = {const_cast<std::byte*>(bytes.data()),
                               bytes.size()};
  }

  void AskToCut(msghdr& header, size_t each) {
    header.msg_control = controls_[groups_].bytes;
    header.msg_controllen = sizeof controls_[groups_].bytes;
    cmsghdr* const c = CMSG_FIRSTHDR(&header);
    c->cmsg_level = SOL_UDP;
    c->cmsg_type = UDP_SEGMENT;
    c->cmsg_len = CMSG_LEN(sizeof(uint16_t));
    const auto bytes = static_cast<uint16_t>(each);
    std::memcpy(CMSG_DATA(c), &bytes, sizeof bytes);
  }

  int MakeOne(int fd) {
    const ssize_t sent =
        RetryOnEintr([&] { return SendMessage(fd, headers_[0].msg_hdr); });
    return sent < 0 ? -1 : 1;
  }
  int MakeAll(int fd) {
    return RetryOnEintr([&] {
      return SendMany(fd, headers_.data(), static_cast<unsigned>(groups_));
    });
  }

  const ip::Address& to_;
  std::array<iovec, kMaxDatagrams * 2 + 1> pieces_;
  std::array<mmsghdr, kMaxGroups> headers_;
  std::array<Control, kMaxGroups> controls_;
  std::array<size_t, kMaxGroups> sizes_;
  size_t groups_ = 0;
  size_t used_ = 0;  // number of datagrams
  size_t pieces_used_ = 0;
};

size_t SocketPort::SendGroups(Rank peer,
                              std::span<const datagram::Outgoing> datagrams) {
  Call call(peers_[peer]);
  while (call.datagrams() < datagrams.size()) {
    const auto rest = datagrams.subspan(call.datagrams());
    const size_t size = GroupOf(rest);
    if (!call.HasRoomFor(size)) break;
    call.Add(rest.first(size));
  }
  if (const size_t taken = call.Make(fd()); taken > 0) return taken;
  if (IsFull(errno)) return 0;
  RequireOwnSocket(fd(), errno);
  if (call.first() > 1 && IsUnable(errno)) {
    options_.offload = false;  // this kernel or device cannot split datagrams
    return SendGroups(peer, datagrams.first(1));
  }
  return call.first();
}

size_t SocketPort::Send(Rank peer,
                        std::span<const datagram::Outgoing> datagrams) {
  if (IsForkedChild()) [[unlikely]]
    return datagrams.size();
  size_t taken = 0;
  if (datagrams.size() == 1 && datagrams[0].body.empty()) {
    return SendOne(peer, datagrams[0].head);
  }
  while (taken < datagrams.size()) {
    const size_t some = SendGroups(peer, datagrams.subspan(taken));
    if (some == 0) break;
    taken += some;
  }
  return taken;
}

Batch* SocketPort::Receive() {
  if (IsForkedChild()) [[unlikely]]
    return nullptr;
  if (free_.empty()) free_.push_back(std::make_unique<ReceivedBatch>());
  ReceivedBatch& batch = *free_.back();
  const int count = batch.Fill(
      fd(), busy_ ? static_cast<unsigned>(ReceivedBatch::kBuffers) : 1, joins_);
  if (count <= 0) {
    if (errno != EAGAIN) [[unlikely]]
      RequireOwnSocket(fd(), errno);
    busy_ = false;
    found_ = 0;
    return nullptr;
  }
  batch.Cut(static_cast<unsigned>(count));
  const bool was_alone = busy_ && count == 1;
  found_ = was_alone ? 0 : found_ + 1;
  busy_ = found_ >= kBusyAfter && !batch.StartsLarge();
  free_.back().release();
  free_.pop_back();
  return &batch;
}

Batch* SocketPort::ReceiveSpare() {
  if (IsForkedChild()) [[unlikely]]
    return nullptr;
  const int count = spare_.Fill(fd(), 1, joins_);
  if (count < 0) RequireOwnSocket(fd(), errno);
  if (count <= 0) return nullptr;
  spare_.Cut(static_cast<unsigned>(count));
  return &spare_;
}

void SocketPort::Release(Batch* batch) {
  if (batch == &spare_) return;
  free_.emplace_back(static_cast<ReceivedBatch*>(batch));
}

}  // namespace gasnet::datagram
