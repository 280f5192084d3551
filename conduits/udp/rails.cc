#include "conduits/udp/rails.h"

#include <errno.h>
#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/clock.h"
#include "conduits/udp/tuning.h"
#include "core/thread/mode.h"
#include "core/thread/thread_state.h"

namespace gasnet::udp {

static_assert(kMaxRails <= datagram::kMaxSockets);

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
  // The polls of each rail when this thread last looked.
  std::array<uint32_t, kMaxRails> polls_seen{};
};

constinit thread_local ThreadsUse rails_of_thread;

}  // namespace

unsigned UdpRails::Useful(unsigned setting) {
  return thread::kConcurrent ? setting : 1;
}

absl::Status UdpRails::Start() {
  if (all_.size() == 1) return absl::OkStatus();
  sockets_ = UniqueFd(epoll_create1(EPOLL_CLOEXEC));
  if (!sockets_.valid())
    return absl::ErrnoToStatus(errno, "making an epoll instance");
  for (size_t index = 0; index < all_.size(); ++index) {
    epoll_event event = {.events = EPOLLIN,
                         .data = {.u32 = static_cast<uint32_t>(index)}};
    if (epoll_ctl(sockets_.get(), EPOLL_CTL_ADD, all_[index]->port.fd(),
                  &event) != 0) {
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
  if (all_.size() > 1 && IsTimeToLook(result.polled.took_in, again)) {
    Look(lanes, dispatcher, result);
  }
  return result;
}

bool UdpRails::IsTimeToLook(bool found, bool again) const {
  ThreadsUse& use = rails_of_thread;
  if (use.looks_left > 0 || ++use.polls >= kPollsPerLook) return true;
  return !found && !again &&
         NowNanos() >= next_look_.load(std::memory_order_relaxed);
}

void UdpRails::Look(am::Lanes lanes, am::Dispatcher& dispatcher,
                    Result& result) {
  ThreadsUse& use = rails_of_thread;
  use.polls = 0;
  if (use.looks_left > 0) --use.looks_left;
  next_look_.store(NowNanos() + kLookInterval, std::memory_order_relaxed);
  const uint32_t neglected = Neglected();
  const uint32_t readable = neglected == 0 ? 0 : Readable();
  const unsigned serves = use.serves;
  for (uint32_t left = neglected; left != 0; left &= left - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(left));
    datagram::DatagramEndpoint& endpoint = all_[index]->endpoint;
    const uint32_t before = endpoint.receipts();
    use.serves = index + 1;
    result.polled.handled +=
        endpoint.PollForOthers(lanes, dispatcher, (readable >> index & 1) != 0);
    use.serves = serves;
    if (endpoint.receipts() != before) {
      result.polled.took_in = true;
      use.looks_left = kLooksAfterMessage;
    }
    result.has_deadline |= endpoint.NextDeadline() != kNever;
    use.polls_seen[index] = endpoint.polls();
  }
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

uint32_t UdpRails::Readable() const {
  std::array<epoll_event, kMaxRails> events;
  const int count = epoll_wait(sockets_.get(), events.data(),
                               static_cast<int>(events.size()), 0);
  uint32_t readable = 0;
  for (int i = 0; i < count; ++i) readable |= uint32_t{1} << events[i].data.u32;
  return readable;
}

int64_t UdpRails::NextDeadline() const {
  int64_t first = kNever;
  for (const auto& rail : all_) {
    first = std::min(first, rail->endpoint.NextDeadline());
  }
  return first;
}

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

uint32_t UdpRails::polls() const {
  uint32_t sum = 0;
  for (const auto& rail : all_) sum += rail->endpoint.polls();
  return sum;
}

bool UdpRails::Drain(int64_t deadline, absl::FunctionRef<void()> wait) {
  while (true) {
    bool done = true;
    for (const auto& rail : all_) done &= rail->endpoint.DrainStep();
    if (done) return true;
    if (NowNanos() >= deadline) return false;
    wait();
  }
}

uint32_t UdpRails::drain_steps() const {
  uint32_t sum = 0;
  for (const auto& rail : all_) sum += rail->endpoint.drain_steps();
  return sum;
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
