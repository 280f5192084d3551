#include "core/datagram/endpoint.h"

#include <mutex>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "core/am/deliver_records.h"
#include "core/datagram/channel_table.h"
#include "core/datagram/packet.h"

namespace gasnet::datagram {

DatagramEndpoint::DatagramEndpoint(Port& port, const Options& options,
                                   const Seal& seal)
    : port_(port),
      options_(options),
      driver_(port, options_, seal, &LargestInBuffers),
      max_long_(datagram::MaxLong(driver_.sizes())),
      sender_(driver_),
      receiver_(options_, driver_.sizes(), driver_.channels(),
                driver_.packets(), driver_.statistics()),
      parked_(options_.kept_bytes) {}

DatagramEndpoint::~DatagramEndpoint() {
  const thread::Holder hold(lock_);
  while (parked_.Count(Queue::kUnanswered) > 0) {
    am::Assembly* const request = parked_.Next(Queue::kUnanswered).assembly;
    if (request != nullptr) receiver_.Release(*request);
  }
}

void DatagramEndpoint::SetSegment(EndpointIndex endpoint, Segment mine) {
  const thread::Holder hold(lock_);
  receiver_.SetSegment(endpoint, mine);
}

void DatagramEndpoint::RefuseTooLong(Rank peer,
                                     const am::Message& message) const {
  const bool is_long = message.category == am::Category::kLong;
  Fatal("%s active message of %zu bytes to rank %u: the limit is %zu",
        is_long ? "Long" : "Medium", message.nbytes, peer,
        is_long ? max_long_ : am::kMaxMedium);
}

am::Post DatagramEndpoint::Send(Rank peer, am::Lane lane,
                                const am::Message& message) {
  const bool has_payload = message.category != am::Category::kShort;
  if (has_payload && message.nbytes > (message.category == am::Category::kLong
                                           ? max_long_
                                           : am::kMaxMedium)) [[unlikely]] {
    RefuseTooLong(peer, message);
  }
  const thread::Holder hold(lock_);
  return sender_.Send(driver_.channels().To(peer), lane, message);
}

bool DatagramEndpoint::MayHaveRoom(Rank peer, am::Lane lane) const {
  const thread::Holder hold(lock_);
  Channel* const channel = driver_.channels().Find(peer);
  return channel == nullptr || DatagramSender::MayHaveRoom(*channel, lane);
}

unsigned DatagramEndpoint::Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                                bool again) {
  const thread::Holder hold(lock_);
  return Poll(lanes, dispatcher, again, /*receives=*/true);
}

unsigned DatagramEndpoint::PollForOthers(am::Lanes lanes,
                                         am::Dispatcher& dispatcher,
                                         bool receives) {
  if (!lock_.try_lock()) return 0;
  const thread::Holder hold(lock_, std::adopt_lock);
  const unsigned handled = Poll(lanes, dispatcher, /*again=*/false, receives);
  if (receives && NextDeadline() != kNever) driver_.ServeTimers();
  return handled;
}

unsigned DatagramEndpoint::Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                                bool again, bool receives) {
  polls_.store(polls() + 1, std::memory_order_relaxed);
  unsigned handled = 0;
  if (!owed_.Empty()) [[unlikely]]
    SendOwed();
  if (!parked_.Empty() || receiver_.HasReplies()) [[unlikely]] {
    handled += ServeParked(lanes, dispatcher);
  }
  if (!receives) {
    driver_.SkipReceive();
  } else if (Batch* const batch = driver_.Receive(again)) {
    handled += Take(batch->datagrams(), lanes, dispatcher);
    driver_.Release(batch);
    // The datagrams may have acknowledged replies, and so have made room.
    if (OwesReplies()) [[unlikely]]
      AnswerOwed(dispatcher);
  }
  if (lanes == am::Lanes::kAll && receiver_.HasKept()) [[unlikely]] {
    handled += ServeKept(dispatcher);
  }
  driver_.statistics().messages_delivered += handled;
  driver_.EndPoll(again);
  NoteHeld();
  return handled;
}

void DatagramEndpoint::NoteHeld() {
  const bool holds = receiver_.HasReplies() || receiver_.HasKept() ||
                     parked_.Count(Queue::kReplies) > 0 ||
                     parked_.Count(Queue::kRequests) > 0;
  const bool owes = !owed_.Empty() || parked_.Count(Queue::kUnanswered) > 0;
  if (holds != holds_messages_.load(std::memory_order_relaxed)) [[unlikely]]
    holds_messages_.store(holds);
  if (owes != owes_replies_.load(std::memory_order_relaxed)) [[unlikely]]
    owes_replies_.store(owes);
}

// Registers all datagrams before the first handler runs. A handler may poll, to
// wait for room. The acknowledgements that came with its request must be
// registered by then, since they make the room.
unsigned DatagramEndpoint::Take(std::span<const MutableBytes> datagrams,
                                am::Lanes lanes, am::Dispatcher& dispatcher) {
  if (datagrams.size() == 1) {
    const Delivery delivery = Register(datagrams[0], lanes, dispatcher, true);
    return delivery.messages > 0 ? RunAll({&delivery, 1}, dispatcher) : 0;
  }
  Deliveries deliveries;
  if (!idle_deliveries_.empty()) {
    deliveries = std::move(idle_deliveries_.back());
    idle_deliveries_.pop_back();
  }
  for (const MutableBytes datagram : datagrams) {
    const Delivery delivery = Register(datagram, lanes, dispatcher, false);
    if (delivery.messages > 0) deliveries.push_back(delivery);
  }
  const unsigned handled = RunAll(deliveries, dispatcher);
  deliveries.clear();
  idle_deliveries_.push_back(std::move(deliveries));
  return handled;
}

// Registers a datagram that has arrived. `alone` says that no other datagram
// came with it, and that the port is polled before the next datagram is
// registered.
Delivery DatagramEndpoint::Register(MutableBytes datagram, am::Lanes lanes,
                                    am::Dispatcher& dispatcher, bool alone) {
  const ReceivedDatagram arrival = driver_.Accept(datagram);
  if (arrival.channel == nullptr) return {};
  const Delivery delivery =
      arrival.packet.empty()
          ? Delivery{}
          : receiver_.Take(arrival, lanes, driver_.now(), dispatcher);
  driver_.Taken(arrival, alone);
  return delivery;
}

unsigned DatagramEndpoint::RunAll(std::span<const Delivery> deliveries,
                                  am::Dispatcher& dispatcher) {
  if (deliveries.empty()) return 0;
  unsigned handled = 0;
  lock_.unlock();
  for (const Delivery& delivery : deliveries) {
    const bool gathers = delivery.messages > 1;
    if (gathers) driver_.BeginGathering();
    Run(delivery, dispatcher);
    if (gathers) driver_.EndGathering();
    handled += delivery.messages;
    if (delivery.lane == am::Lane::kRequest && driver_.MayHold()) {
      lock_.lock();
      SendGathered(delivery.source);
      lock_.unlock();
    }
  }
  lock_.lock();
  for (const Delivery& delivery : deliveries) {
    if (delivery.HoldsMemory()) receiver_.Finish(delivery);
  }
  return handled;
}

void DatagramEndpoint::Run(const Delivery& delivery,
                           am::Dispatcher& dispatcher) {
  if (delivery.assembly != nullptr) {
    dispatcher.Route(delivery.assembly->message);
    return;
  }
  am::DeliverRecords(delivery.source, delivery.lane, delivery.packet,
                     kHeaderBytes, dispatcher);
}

// Runs a bounded number of kept requests, because more requests may be kept
// while it runs.
unsigned DatagramEndpoint::ServeKept(am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  for (size_t left = kMaxKept; left > 0 && receiver_.HasKept(); --left) {
    const Delivery delivery = receiver_.NextKept();
    handled += RunAll({&delivery, 1}, dispatcher);
  }
  return handled;
}

void DatagramEndpoint::ServeTimers() {
  if (NextDeadline() == kNever) return;
  if (!lock_.try_lock()) return;
  const thread::Holder hold(lock_, std::adopt_lock);
  driver_.ServeTimers();
}

void DatagramEndpoint::Maintain() {
  // The holder of the lock may have been preempted. Waiting for the lock would
  // delay the holder's return.
  if (!lock_.try_lock()) return;
  const thread::Holder hold(lock_, std::adopt_lock);
  driver_.Maintain();
}

bool DatagramEndpoint::DrainStep() {
  if (!lock_.try_lock()) return false;
  const thread::Holder hold(lock_, std::adopt_lock);
  drain_steps_.fetch_add(1, std::memory_order_relaxed);
  return driver_.DrainStep();
}

bool DatagramEndpoint::Drain(int64_t deadline, absl::FunctionRef<void()> wait) {
  while (!DrainStep()) {
    if (port_.Now() >= deadline) return false;
    wait();
  }
  return true;
}

bool DatagramEndpoint::Quiet() const {
  const thread::Holder hold(lock_);
  return driver_.Quiet() && !receiver_.HasKept() && !receiver_.HasReplies() &&
         parked_.Empty() && owed_.Empty();
}

DatagramStatistics DatagramEndpoint::statistics() const {
  return driver_.statistics();
}

std::optional<DatagramEndpoint::Silence> DatagramEndpoint::LongestSilence() {
  const thread::Holder hold(lock_);
  std::optional<Silence> longest;
  driver_.channels().ForAll([&longest](Channel& channel) {
    const int64_t since = channel.silent_since;
    const unsigned in_flight =
        channel.lane(am::Lane::kRequest).send.in_flight() +
        channel.lane(am::Lane::kReply).send.in_flight();
    if (since == 0 || in_flight == 0) return;
    if (longest && longest->since <= since) return;
    longest = Silence{channel.peer, since, in_flight};
  });
  return longest;
}

bool DatagramEndpoint::HasHeard(Rank peer) const {
  const thread::Holder hold(lock_);
  const Channel* const channel = driver_.channels().Find(peer);
  return channel != nullptr && channel->newest_counter != 0;
}

size_t DatagramEndpoint::DatagramTo(Rank peer) const {
  const thread::Holder hold(lock_);
  const Channel* const channel = driver_.channels().Find(peer);
  return channel == nullptr ? driver_.sizes().least() : channel->path.Bytes();
}

size_t DatagramEndpoint::channels() const {
  const thread::Holder hold(lock_);
  return driver_.channels().made();
}

}  // namespace gasnet::datagram
