#include "conduits/portals/fetches.h"

#include <cstring>

#include "base/log.h"
#include "core/am/message.h"
#include "core/observe/transfer_kind.h"
#include "core/rma/rma.h"

namespace gasnet::portals_conduit {

void Fetches::Add(const Message& message) {
  if (!is_behind_.load(std::memory_order_relaxed)) [[likely]] {
    if (Fetch* const fetch = TakeRoom(message.lane)) {
      return Begin(*fetch, message);
    }
  }
  {
    const thread::Holder hold(lock_);
    waiting_[static_cast<size_t>(message.lane)].push_back(message);
    NoteBehind();
  }
  // Tries again: another thread may have freed room before the message was
  // queued.
  FetchOthers();
}

void Fetches::NoteBehind() {
  is_behind_.store(
      !waiting_[0].empty() || !waiting_[1].empty() || !in_parts_.empty(),
      std::memory_order_relaxed);
}

void Fetches::FetchOthers() {
  for (const Lane lane : {Lane::kReply, Lane::kRequest}) {
    while (Fetch* const fetch = TakeRoom(lane)) {
      Message oldest;
      if (!TakeWaiting(lane, oldest)) {
        GiveRoom(*fetch, lane);
        break;
      }
      Begin(*fetch, oldest);
    }
  }
  if (!interface_.covers_all()) FetchParts();
}

bool Fetches::TakeWaiting(Lane lane, Message& oldest) {
  const thread::Holder hold(lock_);
  std::deque<Message>& waiting = waiting_[static_cast<size_t>(lane)];
  if (waiting.empty()) return false;
  oldest = waiting.front();
  waiting.pop_front();
  NoteBehind();
  return true;
}

// Takes a free fetch record, with its buffer and an op slot. Returns null if a
// record or an op slot is missing.
Fetches::Fetch* Fetches::TakeRoom(Lane lane) {
  const bool is_request = lane == Lane::kRequest;
  if (is_request && !op_slots_.TakeForReply(1)) return nullptr;
  Fetch* const fetch = PoolOf(lane).Take();
  if (fetch == nullptr && is_request) op_slots_.Give(1);
  return fetch;
}

void Fetches::GiveRoom(Fetch& fetch, Lane lane) {
  if (lane == Lane::kRequest) op_slots_.Give(1);
  PoolOf(lane).Give(fetch);
}

void Fetches::Begin(Fetch& fetch, const Message& message) {
  static_cast<Message&>(fetch) = message;
  const size_t index = static_cast<size_t>(message.lane) * kFetchesEach +
                       PoolOf(message.lane).IndexOf(fetch);
  fetch.buffer = memory_.base() + index * kFetchedBytes;
  if (interface_.covers_all()) [[likely]] {
    fetch.observation.Post(observe::TransferKind::kGet, message.source,
                           message.arrived.nbytes);
    return interface_.Get(
        fetch.buffer, message.arrived.nbytes,
        {.peer = message.source,
         .table = PortalTable::kOffers,
         .offset = uint64_t{message.arrived.offer} * kFetchedBytes},
        Tag(fetch, TagKind::kFetch));
  }
  fetch.begun = 0;
  FetchPart(fetch);
  KeepInParts(fetch);
}

// Fetches the next part. Returns true if all parts are here.
bool Fetches::FetchPart(Fetch& fetch) {
  const Arrived& arrived = fetch.arrived;
  if (!fetch.part.IsOver()) return false;
  if (fetch.begun == arrived.nbytes) return true;
  const rma::Posted posted = transfers_.PostFetch(
      {fetch.source, fetch.buffer + fetch.begun, nullptr,
       arrived.nbytes - fetch.begun, &fetch.part},
      {.peer = fetch.source,
       .table = PortalTable::kOffers,
       .offset = uint64_t{arrived.offer} * kFetchedBytes + fetch.begun});
  if (posted.state != rma::PostState::kRetry) fetch.begun += posted.nbytes;
  return false;
}

// Continues fetches in parts. While a thread works on a fetch, the fetch is not
// in the list.
void Fetches::FetchParts() {
  for (size_t looks = kLanes * kFetchesEach; looks > 0; --looks) {
    Fetch* const fetch = TakeInParts();
    if (fetch == nullptr) return;
    if (FetchPart(*fetch)) {
      Here(*fetch);
    } else {
      KeepInParts(*fetch);
    }
  }
}

Fetches::Fetch* Fetches::TakeInParts() {
  const thread::Holder hold(lock_);
  if (in_parts_.empty()) return nullptr;
  Fetch* const first = in_parts_.front();
  in_parts_.pop_front();
  NoteBehind();
  return first;
}

void Fetches::KeepInParts(Fetch& fetch) {
  const thread::Holder hold(lock_);
  in_parts_.push_back(&fetch);
  NoteBehind();
}

void Fetches::Complete(const ptl_event_t& event) {
  auto& fetch = Untag<Fetch>(event.user_ptr);
  if (event.mlength != fetch.arrived.nbytes) [[unlikely]] {
    Fatal("Portals 4: a get of %zu bytes of a message of rank %u moved %zu",
          fetch.arrived.nbytes, fetch.source,
          static_cast<size_t>(event.mlength));
  }
  fetch.observation.Complete();
  Here(fetch);
}

void Fetches::Here(Fetch& fetch) {
  if (fetch.arrived.header.shape == MessageShape::kMedium) {
    fetch.arrived.payload = fetch.buffer;
  }
  if (fetch.lane == Lane::kRequest) op_slots_.Give(1);
  const auto lane = static_cast<size_t>(fetch.lane);
  const thread::Holder hold(lock_);
  here_[lane].push_back(&fetch);
  has_here_[lane].store(true, std::memory_order_relaxed);
}

Fetches::Fetch* Fetches::TakeHere(Lane lane) {
  const auto index = static_cast<size_t>(lane);
  const thread::Holder hold(lock_);
  std::deque<Fetch*>& here = here_[index];
  if (here.empty()) return nullptr;
  Fetch* const oldest = here.front();
  here.pop_front();
  has_here_[index].store(!here.empty(), std::memory_order_relaxed);
  return oldest;
}

void Fetches::PutInPlace(const Fetch& fetch) {
  if (fetch.arrived.payload == fetch.buffer) return;
  std::memcpy(fetch.arrived.payload, fetch.buffer, fetch.arrived.nbytes);
}

Fetches::Fetch* Fetches::Lost(void* user) {
  auto& fetch = Untag<Fetch>(user);
  if (fetch.lane == Lane::kReply) return &fetch;
  op_slots_.Give(1);
  Release(fetch);
  return nullptr;
}

}  // namespace gasnet::portals_conduit
