// Endpoint: receiving, running handlers, and what the driver does under the
// lock.
#ifndef CORE_DATAGRAM_ENDPOINT_POLL_H_
#define CORE_DATAGRAM_ENDPOINT_POLL_H_

#include <mutex>
#include <span>
#include <utility>

#include "base/clock.h"
#include "core/am/deliver_records.h"
#include "core/datagram/endpoint.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {

template <Port P>
unsigned Endpoint<P>::Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                           bool again) {
  Guard guard(lock_);
  unsigned handled = 0;
  if (typename P::Batch* const batch = driver_.Receive(again)) {
    handled = Take(guard, batch->datagrams(), lanes, dispatcher);
    driver_.Release(batch);
  }
  if (lanes == am::Lanes::kAll && receiver_.HasKept()) [[unlikely]] {
    handled += ServeKept(guard, dispatcher);
  }
  driver_.statistics().messages_delivered += handled;
  driver_.EndPoll(again);
  return handled;
}

// All datagrams are registered before the first handler runs: one that waits
// for room polls, and must find the acknowledgements that came with its
// request.
template <Port P>
unsigned Endpoint<P>::Take(Guard& guard,
                           std::span<const MutableBytes> datagrams,
                           am::Lanes lanes, am::Dispatcher& dispatcher) {
  if (datagrams.size() == 1) {
    const Delivery delivery = Register(datagrams[0], lanes, dispatcher, true);
    return delivery.messages > 0 ? RunAll(guard, {&delivery, 1}, dispatcher)
                                 : 0;
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
  const unsigned handled = RunAll(guard, deliveries, dispatcher);
  deliveries.clear();
  idle_deliveries_.push_back(std::move(deliveries));
  return handled;
}

// alone: no other came with it, and the port is asked again before the next
// one.
template <Port P>
Delivery Endpoint<P>::Register(MutableBytes datagram, am::Lanes lanes,
                               am::Dispatcher& dispatcher, bool alone) {
  const Arrival arrival = driver_.Accept(datagram);
  if (arrival.channel == nullptr) return {};
  const Delivery delivery =
      arrival.packet.empty()
          ? Delivery{}
          : receiver_.Take(arrival, lanes, driver_.now(), dispatcher);
  driver_.Taken(arrival, alone);
  return delivery;
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
    if (gathers) driver_.BeginGathering();
    Run(delivery, dispatcher);
    if (gathers) driver_.EndGathering();
    handled += delivery.messages;
    // The replies of a packet's requests leave together.
    if (delivery.lane == am::Lane::kRequest && driver_.MayHold()) {
      guard.lock();
      driver_.Transmit(driver_.channels().To(delivery.source), am::Lane::kReply,
                       true);
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
    dispatcher.Route(delivery.assembly->message);
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

template <Port P>
void Endpoint<P>::ServeTimers() {
  if (NextDeadline() == kNever) return;
  const Guard guard(lock_, std::try_to_lock);
  if (guard.owns_lock()) driver_.ServeTimers();
}

template <Port P>
void Endpoint<P>::Maintain() {
  // The thread inside may have lost its processor, and would get it back the
  // later for our waiting.
  const Guard guard(lock_, std::try_to_lock);
  if (guard.owns_lock()) driver_.Maintain();
}

template <Port P>
bool Endpoint<P>::DrainStep() {
  const Guard guard(lock_, std::try_to_lock);
  if (!guard.owns_lock()) return false;
  drain_steps_.fetch_add(1, std::memory_order_relaxed);
  return driver_.DrainStep();
}

template <Port P>
template <class Wait>
bool Endpoint<P>::Drain(int64_t deadline, Wait wait) {
  while (!DrainStep()) {
    if (port_.Now() >= deadline) return false;
    wait();
  }
  return true;
}

template <Port P>
bool Endpoint<P>::Quiet() const {
  const Guard guard(lock_);
  return driver_.Quiet() && !receiver_.HasKept();
}

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_ENDPOINT_POLL_H_
