#include "core/network/link.h"

#include "base/forked.h"

namespace gasnet::network {

absl::Status Link::Start(std::unique_ptr<Network> network,
                         am::Progress& progress) {
  owned_ = std::move(network);
  network_ = owned_.get();
  has_more_.store(true, kRelaxed);
  absl::Status started = network_->Start();
  if (started.ok()) started = wake_socket_.Open();
  if (!started.ok()) return started;
  host_.doorbell().watcher = wake_socket_.name();
  can_ = network_->capabilities();
  max_medium_ = std::min(host_.MaxMedium(), network_->MaxMedium());
  SetMaxLongFar();
  if (can_.has_timers) {
    progress.Activate(progress.Add(
        [](void* n) { static_cast<Network*>(n)->ServeTimers(); }, network_));
  }
  return absl::OkStatus();
}

void Link::StartBeside(Link& first, EndpointIndex index) {
  index_ = index;
  network_ = first.network_;
  if (network_ == nullptr) return;
  has_more_.store(true, kRelaxed);
  can_ = first.can_;
  max_medium_ = first.max_medium_;
  max_long_far_ = first.max_long_far_;
  max_long_beside_ = first.max_long_beside_;
}

void Link::InitPartners(Rank ranks, PartnerSource& source) {
  partners_.Init(index_, ranks, source);
  if (partners_.Any()) has_more_.store(true, kRelaxed);
}

void Link::OpenPartner(EndpointIndex partner) {
  partners_.Open(partner);
  has_more_.store(true, kRelaxed);
}

am::Post Link::SendElsewhere(Rank peer, am::Lane lane, am::Message& message) {
  if (!host_.Reaches(peer)) {
    message.endpoint = static_cast<EndpointIndex>(index_ ^ message.across);
    return network_->Send(peer, lane, message);
  }
  has_more_.store(true, kRelaxed);
  return partners_.Send(peer, lane, message);
}

bool Link::MayHaveRoom(Rank peer, am::Lane lane, size_t nbytes) {
  return host_.Reaches(peer) ? host_.MayHaveRoom(peer, lane, nbytes)
                             : network_->MayHaveRoom(peer, lane, nbytes);
}

// A single thread inside GASNet serves all endpoints while it waits. With
// several threads, each one usually serves its own endpoint. So a thread need
// not look at the other endpoints as often.
unsigned Link::PollOthers(am::Lanes lanes, am::Dispatcher& dispatcher,
                          unsigned near, bool again) {
  unsigned handled = partners_.Poll(lanes, dispatcher);
  if (HasSiblings()) {
    const bool in_need = thread::kConcurrent ? again : near + handled == 0;
    handled += ServeSiblings(lanes, dispatcher, in_need);
  }
  return handled;
}

unsigned Link::ServeSiblings(am::Lanes lanes, am::Dispatcher& dispatcher,
                             bool in_need) {
  polls_.store(polls_.load(kRelaxed) + 1, kRelaxed);
  const uint32_t turns =
      turns_.load(kRelaxed) + (in_need ? kPollsPerLook / 2 : 1);
  turns_.store(turns % kPollsPerLook, kRelaxed);
  if (turns < kPollsPerLook) return 0;
  const LinkTable& all = *siblings_.load(std::memory_order_acquire);
  unsigned handled = 0;
  for (unsigned i = 0; i < all.count(); ++i) {
    Link& link = all.at(i);
    if (&link == this) continue;
    const uint32_t polls = link.polls_.load(kRelaxed);
    const bool is_polled = polls_seen_[i].exchange(polls, kRelaxed) != polls;
    if (is_polled) continue;
    handled +=
        link.PollHost(lanes, dispatcher.Another(static_cast<EndpointIndex>(i)));
  }
  return handled;
}

void Link::RingSiblings() const {
  const LinkTable& all = *siblings_.load(std::memory_order_acquire);
  for (unsigned i = 0; i < all.count(); ++i) {
    if (&all.at(i) != this) all.at(i).RingOwn();
  }
}

int64_t Link::NapBesideSiblings(int64_t longest) {
  turns_.store(kPollsPerLook - 1, kRelaxed);
  return std::min(longest, kGlance);
}

void Link::Watch(uint32_t epoch, int64_t longest) {
  awaits_.store(true, std::memory_order_seq_cst);
  // A forked child shares its parent's wake socket, so it must not wait on it.
  if (host_.doorbell().Watch(epoch) && !IsForkedChild()) {
    const int64_t limit = std::min(longest, SleepLimit());
    if (limit > 0) AwaitNetwork(limit);
    wake_socket_.Drain();
  }
  host_.doorbell().EndWatch();
  awaits_.store(false, std::memory_order_relaxed);
}

void Link::AwaitNetwork(int64_t nanos) {
  if (can_.awaits) {
    network_->Await(nanos);
  } else {
    network_->SetWatched(true);
    AwaitReadable(network_->fds(), wake_socket_.fd(), nanos);
    network_->SetWatched(false);
  }
}

int64_t Link::SleepLimit() const {
  const int64_t deadline = network_->NextDeadline();
  const int64_t limit =
      deadline == kNever ? kNever : std::max<int64_t>(0, deadline - NowNanos());
  const bool told = IsToldOfAll() || IsLookedAtBy(deadline);
  const bool certain = certain_ && host_.IsCertain() && told;
  return std::min(limit, certain ? longest_sleep_.load(kRelaxed) : kGlance);
}

}  // namespace gasnet::network
