// Endpoint: receiving, and running handlers.
#ifndef CORE_DATAGRAM_ENDPOINT_POLL_H_
#define CORE_DATAGRAM_ENDPOINT_POLL_H_

#include <span>
#include <utility>

#include "core/am/deliver_records.h"
#include "core/datagram/endpoint.h"

namespace gasnet::datagram {

template <Port P>
unsigned Endpoint<P>::Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                           bool again) {
  Guard guard(lock_);
  Settle();
  unsigned handled = 0;
  typename P::Batch* const batch = port_.Receive();
  // Then what has come has come since the clock was read.
  const bool waited = std::exchange(found_nothing_, batch == nullptr) && again;
  if (batch != nullptr) {
    // No atomic addition: it costs as much as the lock that we have.
    receipts_.store(receipts() + 1, std::memory_order_relaxed);
    if (!waited) ReadClock();
    handled = Take(guard, batch->datagrams(), lanes, dispatcher);
    port_.Release(batch);
  }
  if (lanes == am::Lanes::kAll && receiver_.HasKept()) [[unlikely]] {
    handled += ServeKept(guard, dispatcher);
  }
  statistics_.messages_delivered += handled;
  SendWhatIsDue();
  polled_again_ = again;
  return handled;
}

// All datagrams are registered before the first handler runs: one that waits
// for room polls, and must find the acknowledgements that came with its
// request.
template <Port P>
unsigned Endpoint<P>::Take(Guard& guard,
                           std::span<const MutableBytes> datagrams,
                           am::Lanes lanes, am::Dispatcher& dispatcher) {
  const am::HandlerTable& handlers = dispatcher.handlers();
  if (datagrams.size() == 1) {
    const Delivery delivery = Register(datagrams[0], lanes, handlers, true);
    return delivery.messages > 0 ? RunAll(guard, {&delivery, 1}, dispatcher)
                                 : 0;
  }
  Deliveries deliveries;
  if (!idle_deliveries_.empty()) {
    deliveries = std::move(idle_deliveries_.back());
    idle_deliveries_.pop_back();
  }
  for (const MutableBytes datagram : datagrams) {
    const Delivery delivery = Register(datagram, lanes, handlers, false);
    if (delivery.messages > 0) deliveries.push_back(delivery);
  }
  const unsigned handled = RunAll(guard, deliveries, dispatcher);
  deliveries.clear();
  idle_deliveries_.push_back(std::move(deliveries));
  return handled;
}

// alone: no other came with it, and Settle is called before the next one.
template <Port P>
Delivery Endpoint<P>::Register(MutableBytes datagram, am::Lanes lanes,
                               const am::HandlerTable& handlers, bool alone) {
  const int64_t now = transmitter_.now();
  const Arrival arrival = packets_.Accept(datagram, now);
  if (arrival.channel == nullptr) return {};
  Channel& channel = *arrival.channel;
  const Delivery delivery = arrival.packet.empty()
                                ? Delivery{}
                                : receiver_.Take(arrival, lanes, now, handlers);
  const LaneAcks& acks = arrival.header.acks;
  if (alone && channel.CanAcksWait()) {
    late_ = {&channel, acks, now};
  } else {
    TakeAcks(channel, acks, now);
  }
  if (channel.urgent) urgent_.push_back(&channel);
  if (channel.owed_packets > 0) NeedBy(channel.ack_due);
  return delivery;
}

// Sends what acknowledgements have made room for.
template <Port P>
void Endpoint<P>::Pump(Channel& channel) {
  for (const am::Lane lane : {am::Lane::kReply, am::Lane::kRequest}) {
    const SendWindow& window = channel.lane(lane).send;
    if (!window.Empty()) {
      Transmit(channel, lane, window.in_flight() < kEager);
    }
  }
}

// Leaves the lock for the handlers, and returns with it.
template <Port P>
unsigned Endpoint<P>::RunAll(Guard& guard, std::span<const Delivery> deliveries,
                             am::Dispatcher& dispatcher) {
  if (deliveries.empty()) return 0;
  unsigned handled = 0;
  guard.unlock();
  for (const Delivery& delivery : deliveries) {
    const bool gathers = delivery.messages > 1;
    if (gathers) gathering_.fetch_add(1, std::memory_order_relaxed);
    Run(delivery, dispatcher);
    if (gathers) gathering_.fetch_sub(1, std::memory_order_relaxed);
    handled += delivery.messages;
    // The replies of a packet's requests leave together.
    if (delivery.lane == am::Lane::kRequest &&
        held_.load(std::memory_order_relaxed)) {
      guard.lock();
      Transmit(channels_.To(delivery.source), am::Lane::kReply, true);
      guard.unlock();
    }
  }
  guard.lock();
  for (const Delivery& delivery : deliveries) {
    if (delivery.HoldsMemory()) receiver_.Finish(delivery);
  }
  return handled;
}

template <Port P>
void Endpoint<P>::Run(const Delivery& delivery, am::Dispatcher& dispatcher) {
  if (delivery.assembly != nullptr) {
    dispatcher.Deliver(delivery.assembly->message);
    return;
  }
  am::DeliverRecords(delivery.source, delivery.lane, delivery.packet,
                     kHeaderBytes, dispatcher);
}

// Requests that were kept; not without end, since more may be meanwhile.
template <Port P>
unsigned Endpoint<P>::ServeKept(Guard& guard, am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  for (size_t left = kMostKept; left > 0 && receiver_.HasKept(); --left) {
    const Delivery delivery = receiver_.NextKept();
    handled += RunAll(guard, {&delivery, 1}, dispatcher);
  }
  return handled;
}

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_ENDPOINT_POLL_H_
