#include "core/network/partners.h"

#include <bit>
#include <utility>

namespace gasnet::network {

void Partners::Init(EndpointIndex own, Rank ranks, PartnerSource& source) {
  own_ = own;
  ranks_ = ranks;
  source_ = &source;
  if (own != 0) Open(0);
}

Partners::Partner& Partners::Make(EndpointIndex index) {
  const absl::MutexLock lock(&mutex_);
  std::unique_ptr<Partner>& made = made_[index];
  if (made != nullptr) return *made;
  auto partner = std::make_unique<Partner>();
  partner->link = source_->MakeLink(own_, index);
  if (own_ != 0) {
    partner->announced = std::make_unique<std::atomic<bool>[]>(ranks_);
  }
  made = std::move(partner);
  by_index_[index].store(made.get(), std::memory_order_release);
  open_.fetch_or(uint32_t{1} << index, std::memory_order_release);
  return *made;
}

// Sends, and announces the endpoint to the peer first if needed. It is harmless
// if two threads both send the announcement.
am::Post Partners::Send(Rank peer, am::Lane lane, const am::Message& message) {
  const auto index = static_cast<EndpointIndex>(own_ ^ message.across);
  Partner& partner = To(index);
  if (lane == am::Lane::kRequest && own_ != 0 &&
      !partner.announced[peer].load(std::memory_order_relaxed)) {
    if (source_->Announce(peer, own_, index) != am::Post::kDone) {
      return am::Post::kRetry;
    }
    partner.announced[peer].store(true, std::memory_order_relaxed);
  }
  return partner.link->Send(peer, lane, message);
}

unsigned Partners::Poll(am::Lanes lanes, am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  uint32_t left = open_.load(std::memory_order_acquire);
  for (; left != 0; left &= left - 1) {
    Partner* const partner =
        by_index_[std::countr_zero(left)].load(std::memory_order_acquire);
    handled += partner->link->Poll(lanes, dispatcher);
  }
  return handled;
}

bool Partners::HasMessages() const {
  uint32_t left = open_.load(std::memory_order_acquire);
  for (; left != 0; left &= left - 1) {
    const Partner* const partner =
        by_index_[std::countr_zero(left)].load(std::memory_order_acquire);
    if (partner->link->HasMessages()) return true;
  }
  return false;
}

}  // namespace gasnet::network
