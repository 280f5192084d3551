#include "conduits/udp/rails.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/clock.h"
#include "conduits/udp/tuning.h"
#include "core/network/readable.h"
#include "core/thread/mode.h"
#include "core/thread/thread_state.h"

namespace gasnet::udp {

static_assert(kMaxRails <= datagram::kMaxSockets &&
              kMaxRails <= network::kMaxDescriptors);

namespace {

// A thread's use of the rails, in any life of the job.
struct ThreadsUse {
  // The rail that the thread polls for others, from 1; 0 if it works on its
  // own.
  unsigned serves = 0;
  // The number of this thread's polls since it last looked at other rails.
  unsigned polls = 0;
  // The number of polls that will look at other rails, whatever they find.
  unsigned looks_left = 0;
  // The next poll looks at all rails.
  bool looks_at_all = false;
  // The polls of each rail when this thread last looked.
  std::array<uint32_t, kMaxRails> polls_seen{};
};

constexpr auto kRelaxed = std::memory_order_relaxed;

constinit thread_local ThreadsUse rails_of_thread;

}  // namespace

unsigned UdpRails::Useful(unsigned setting) {
  return thread::kConcurrent ? setting : 1;
}

UdpRails::UdpRails(std::vector<std::unique_ptr<UdpRail>> all)
    : all_(std::move(all)) {
  for (const auto& rail : all_) fds_.push_back(rail->port.fd());
}

absl::Status UdpRails::StartAttending() {
  if (all_.size() == 1) return absl::OkStatus();
  sockets_ = UniqueFd(epoll_create1(EPOLL_CLOEXEC));
  if (!sockets_.valid())
    return absl::ErrnoToStatus(errno, "making an epoll instance");
  for (size_t index = 0; index < all_.size(); ++index) {
    epoll_event event = {.events = EPOLLIN,
                         .data = {.u32 = static_cast<uint32_t>(index)}};
    if (epoll_ctl(sockets_.get(), EPOLL_CTL_ADD, fds_[index], &event) != 0) {
      return absl::ErrnoToStatus(errno, "watching a UDP socket");
    }
  }
  return absl::OkStatus();
}

size_t UdpRails::CurrentIndex() const {
  const unsigned serves = rails_of_thread.serves;
  return serves > 0 ? serves - 1 : thread::Self().index % all_.size();
}

UdpRails::Result UdpRails::Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                                bool again) {
  datagram::DatagramEndpoint& endpoint = Current().endpoint;
  const uint32_t before = endpoint.receipts();
  const unsigned handled = endpoint.Poll(lanes, dispatcher, again);
  Result result = {
      {.handled = handled, .took_in = endpoint.receipts() != before},
      endpoint.NextDeadline() != kNever};
  if (all_.size() > 1 && IsTimeToLook(lanes, again)) {
    Look(lanes, dispatcher, result);
  }
  return result;
}

bool UdpRails::IsTimeToLook(am::Lanes lanes, bool again) const {
  ThreadsUse& use = rails_of_thread;
  if (use.looks_left > 0 || ++use.polls >= kPollsPerLook) return true;
  if (use.looks_at_all) return true;
  if (Holding(lanes) != 0) [[unlikely]]
    return true;
  return !again && NowNanos() >= next_look_.load(kRelaxed);
}

void UdpRails::Look(am::Lanes lanes, am::Dispatcher& dispatcher,
                    Result& result) {
  ThreadsUse& use = rails_of_thread;
  use.polls = 0;
  if (use.looks_left > 0) --use.looks_left;
  const int64_t now = NowNanos();
  const uint32_t to_poll = ToLookAt(lanes);
  const uint32_t readable = to_poll == 0 ? 0 : Readable(to_poll);
  const unsigned serves = use.serves;
  for (uint32_t left = to_poll; left != 0; left &= left - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(left));
    datagram::DatagramEndpoint& endpoint = all_[index]->endpoint;
    const bool receives =
        (readable >> index & 1) != 0 || now >= endpoint.NextDeadline();
    const uint32_t before = endpoint.receipts();
    use.serves = index + 1;
    result.polled.handled +=
        endpoint.PollForOthers(lanes, dispatcher, receives);
    use.serves = serves;
    if (endpoint.receipts() != before) {
      result.polled.took_in = true;
      use.looks_left = kLooksAfterMessage;
    }
    result.has_deadline |= endpoint.NextDeadline() != kNever;
    use.polls_seen[index] = endpoint.polls();
  }
  const int64_t interval =
      use.looks_left > 0
          ? kMinLookInterval
          : std::min(2 * look_interval_.load(kRelaxed), kMaxLookInterval);
  look_interval_.store(interval, kRelaxed);
  next_look_.store(now + interval, kRelaxed);
}

uint32_t UdpRails::ToLookAt(am::Lanes lanes) const {
  const uint32_t neglected = Neglected();
  if (!std::exchange(rails_of_thread.looks_at_all, false)) {
    return neglected | Holding(lanes);
  }
  const uint32_t all = (uint32_t{1} << all_.size()) - 1;
  return all & ~(uint32_t{1} << CurrentIndex());
}

uint32_t UdpRails::Holding(am::Lanes lanes) const {
  if (lanes != am::Lanes::kAll) return 0;
  uint32_t holding = 0;
  for (size_t index = 0; index < all_.size(); ++index) {
    if (all_[index]->endpoint.HoldsMessages()) [[unlikely]]
      holding |= uint32_t{1} << index;
  }
  return holding == 0 ? 0 : holding & ~(uint32_t{1} << CurrentIndex());
}

uint32_t UdpRails::Neglected() const {
  ThreadsUse& use = rails_of_thread;
  const size_t current = CurrentIndex();
  uint32_t neglected = 0;
  for (size_t index = 0; index < all_.size(); ++index) {
    const uint32_t polls = all_[index]->endpoint.polls();
    if (index != current && use.polls_seen[index] == polls) {
      neglected |= uint32_t{1} << index;
    }
    use.polls_seen[index] = polls;
  }
  return neglected;
}

// Calls the kernel directly, since ppoll() is a cancellation point
// (base/cancellation.h).
uint32_t UdpRails::Readable(uint32_t rails) const {
  std::array<pollfd, kMaxRails> watched;
  for (size_t index = 0; index < all_.size(); ++index) {
    const bool is_asked = (rails >> index & 1) != 0;
    watched[index] = {is_asked ? fds_[index] : -1, POLLIN, 0};
  }
  const timespec none = {0, 0};
  if (syscall(SYS_ppoll, watched.data(), all_.size(), &none, nullptr, 0) <= 0) {
    return 0;
  }
  uint32_t readable = 0;
  for (size_t index = 0; index < all_.size(); ++index) {
    if (watched[index].revents != 0) readable |= uint32_t{1} << index;
  }
  return readable;
}

int64_t UdpRails::NextDeadline() const {
  int64_t first = kNever;
  for (const auto& rail : all_) {
    first = std::min(first, rail->endpoint.NextDeadline());
  }
  return first;
}

// A poll before the sleep may have found the lock of a rail held.
int64_t UdpRails::SleepUntil() const {
  const int64_t deadline = NextDeadline();
  if (all_.size() == 1 || Holding(am::Lanes::kAll) == 0) [[likely]]
    return deadline;
  return std::min(deadline, NowNanos() + kHeldInterval);
}

void UdpRails::LookAtAllNext() { rails_of_thread.looks_at_all = true; }

void UdpRails::Maintain() {
  for (const auto& rail : all_) rail->endpoint.Maintain();
}

void UdpRails::SetSegment(EndpointIndex endpoint, const Segment& segment) {
  for (const auto& rail : all_) rail->endpoint.SetSegment(endpoint, segment);
}

bool UdpRails::MayAttend() const {
  return std::all_of(all_.begin(), all_.end(), [](const auto& rail) {
    return rail->endpoint.MayAttend();
  });
}

UdpRails::Attendance UdpRails::Attend(am::Dispatcher& dispatcher) {
  Attendance all = Attendance::kNothing;
  for (const auto& rail : all_) {
    const Attendance one = rail->endpoint.Attend(dispatcher);
    if (one != Attendance::kNothing && all != Attendance::kReceived) all = one;
  }
  return all;
}

bool UdpRails::OwesReplies() const {
  return std::any_of(all_.begin(), all_.end(), [](const auto& rail) {
    return rail->endpoint.OwesReplies();
  });
}

uint32_t UdpRails::polls() const {
  uint32_t sum = 0;
  for (const auto& rail : all_) sum += rail->endpoint.polls();
  return sum;
}

UdpRails::Drained UdpRails::Drain(int64_t deadline,
                                  absl::FunctionRef<void()> wait) {
  std::array<uint32_t, kMaxRails> steps;
  for (size_t index = 0; index < all_.size(); ++index) {
    steps[index] = all_[index]->endpoint.drain_steps();
  }
  while (true) {
    bool done = true;
    bool can_step = false;
    for (size_t index = 0; index < all_.size(); ++index) {
      datagram::DatagramEndpoint& endpoint = all_[index]->endpoint;
      if (endpoint.DrainStep()) continue;
      done = false;
      can_step |= endpoint.drain_steps() != steps[index];
    }
    if (done) return Drained::kAll;
    if (NowNanos() >= deadline) {
      return can_step ? Drained::kNotYet : Drained::kStuck;
    }
    wait();
  }
}

std::optional<datagram::DatagramEndpoint::Silence> UdpRails::LongestSilence()
    const {
  std::optional<datagram::DatagramEndpoint::Silence> longest;
  for (const auto& rail : all_) {
    const auto here = rail->endpoint.LongestSilence();
    if (here && (!longest || here->since < longest->since)) longest = here;
  }
  return longest;
}

bool UdpRails::HasHeard(Rank peer) const {
  return std::any_of(all_.begin(), all_.end(), [peer](const auto& rail) {
    return rail->endpoint.HasHeard(peer);
  });
}

datagram::DatagramStatistics UdpRails::statistics() const {
  datagram::DatagramStatistics sum;
  for (const auto& rail : all_) sum += rail->endpoint.statistics();
  return sum;
}

uint64_t UdpRails::Lost() const {
  uint64_t sum = 0;
  for (const auto& rail : all_) sum += rail->port.Lost();
  return sum;
}

}  // namespace gasnet::udp
