// The rails of a rank (rail.h), and the rail that each thread uses.
//
// A thread keeps to one rail, its own: it sends its requests there and polls
// there. A reply goes back on the rail of its request, since a thread that
// polls another rail works on that rail until its handlers have returned.
// Packets go between rails of the same number. A rank with one thread uses the
// first rail.
//
// No message stays unserved. After some polls, or some microseconds, a thread
// looks at the rails that have not been polled since it last looked: their
// threads compute, have ended, or never existed. While it finds messages there,
// it looks with each poll. It also looks with each poll at rails that hold
// messages for a poll, since no descriptor tells of these. A sleeping thread
// waits for the sockets of all rails. The sets of rails of two ranks are
// equally large, but their threads need not be.
#ifndef CONDUITS_UDP_RAILS_H_
#define CONDUITS_UDP_RAILS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "base/unique_fd.h"
#include "conduits/udp/rail.h"
#include "conduits/udp/tuning.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/datagram/job_socket.h"
#include "core/datagram/statistics.h"
#include "core/network/network.h"
#include "core/rank.h"
#include "core/segment.h"

namespace gasnet::udp {

class UdpRails {
 public:
  explicit UdpRails(std::vector<std::unique_ptr<UdpRail>> all);
  UdpRails(const UdpRails&) = delete;
  UdpRails& operator=(const UdpRails&) = delete;

  // Returns the number of rails that the client's threads can use: 1 unless
  // they call concurrently, and `setting` otherwise.
  static unsigned Useful(unsigned setting);

  // Opens the descriptor for AttendedFd(). Called once, before it.
  absl::Status StartAttending();

  // Returns the rail that the calling thread works on.
  UdpRail& Current() const {
    return all_.size() == 1 ? *all_[0] : *all_[CurrentIndex()];
  }
  UdpRail& at(size_t index) const { return *all_[index]; }

  // Polls the rail that the calling thread works on, and other rails if it is
  // time.
  struct Result {
    network::Polled polled;
    bool has_deadline;  // of a rail that was polled
  };
  Result Poll(am::Lanes lanes, am::Dispatcher& dispatcher, bool again);

  // Returns the sockets.
  std::span<const int> fds() const { return fds_; }
  // Returns the first deadline of all rails. Any thread.
  int64_t NextDeadline() const;
  // Returns the time by which a thread of the client that is about to sleep
  // must look again.
  int64_t SleepUntil() const;
  // Makes the calling thread's next poll look at all rails. Called after a
  // sleep on fds().
  static void LookAtAllNext();
  void Maintain();
  void SetSegment(EndpointIndex endpoint, const Segment& segment);

  // The service of a rank that computes, for all rails (DatagramEndpoint).
  using Attendance = datagram::DatagramEndpoint::Attendance;
  // Returns a descriptor that is readable if a socket of any rail is.
  int AttendedFd() const { return sockets_.valid() ? sockets_.get() : fds_[0]; }
  bool MayAttend() const;
  bool OwesReplies() const;
  Attendance Attend(am::Dispatcher& dispatcher);
  uint32_t polls() const;

  // Drains all rails, and calls wait() meanwhile. Returns if everything has
  // arrived, or if the clock reaches `deadline`. kStuck: no rail that has
  // something left can make a step, since the end of the process has
  // interrupted a call.
  enum class Drained : uint8_t { kAll, kNotYet, kStuck };
  Drained Drain(int64_t deadline, absl::FunctionRef<void()> wait);

  // Returns the longest silence on any rail.
  std::optional<datagram::DatagramEndpoint::Silence> LongestSilence() const;
  // Returns true if anything has ever arrived from the peer on any rail.
  bool HasHeard(Rank peer) const;

  // Return the sums over all rails.
  datagram::DatagramStatistics statistics() const;
  uint64_t Lost() const;

 private:
  size_t CurrentIndex() const;
  bool IsTimeToLook(am::Lanes lanes, bool again) const;
  // Returns the rails that hold messages for a poll of these lanes, but for the
  // calling thread's, one bit each.
  uint32_t Holding(am::Lanes lanes) const;
  void Look(am::Lanes lanes, am::Dispatcher& dispatcher, Result& result);
  // Returns the rails that a look polls if they have something, one bit each.
  uint32_t ToLookAt(am::Lanes lanes) const;
  // Returns the rails that have not been polled since the calling thread last
  // looked, one bit each.
  uint32_t Neglected() const;
  // Returns those of the rails whose sockets are readable.
  uint32_t Readable(uint32_t rails) const;

  const std::vector<std::unique_ptr<UdpRail>> all_;
  std::vector<int> fds_;
  // An epoll instance for the service of a rank that computes; invalid if there
  // is one rail. A thread that polls or sleeps asks the sockets themselves,
  // since a socket in an epoll instance makes each datagram dearer (by a tenth
  // of a round trip).
  UniqueFd sockets_;
  // The time from which the next poll looks at other rails.
  std::atomic<int64_t> next_look_{0};
  std::atomic<int64_t> look_interval_{kMinLookInterval};
};

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_RAILS_H_
