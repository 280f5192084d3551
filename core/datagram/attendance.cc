// The service of a rank whose client computes, and the messages that this
// service leaves to the client's threads.
#include <mutex>
#include <utility>

#include "core/am/deliver_records.h"
#include "core/datagram/endpoint.h"
#include "core/datagram/packet.h"

namespace gasnet::datagram {

DatagramEndpoint::Attendance DatagramEndpoint::Attend(
    am::Dispatcher& dispatcher) {
  if (!lock_.try_lock()) return Attendance::kBusy;
  const thread::Holder hold(lock_, std::adopt_lock);
  if (!MayAttend()) return Attendance::kNothing;
  Batch* const batch = driver_.Receive(/*again=*/false);
  Deliveries requests;
  if (batch != nullptr) TakeRequests(batch->datagrams(), dispatcher, requests);
  // The datagrams may have acknowledged replies, and so have made room.
  AnswerOwed(dispatcher);
  for (const Delivery& request : requests) AttendTo(request, dispatcher);
  if (batch != nullptr) driver_.Release(batch);
  driver_.EndPoll(/*again=*/false);
  NoteHeld();
  return batch == nullptr ? Attendance::kNothing : Attendance::kReceived;
}

// Registers all datagrams. Parks packets that need a thread of the client:
// handlers of replies complete the operations of these threads. Refuses
// contents if there are too many unanswered requests, and takes the
// acknowledgements alone.
void DatagramEndpoint::TakeRequests(std::span<const MutableBytes> datagrams,
                                    am::Dispatcher& dispatcher,
                                    Deliveries& requests) {
  for (const MutableBytes datagram : datagrams) {
    const ReceivedDatagram arrival = driver_.Accept(datagram);
    if (arrival.channel == nullptr) continue;
    if (arrival.packet.empty()) {
      // It has only acknowledgements, or nothing new.
    } else if (parked_.IsFullOfUnanswered(owed_.bytes())) {
      receiver_.Refuse(arrival);
    } else if (DatagramReceiver::NeedsClient(arrival)) {
      parked_.Add(arrival.header.lane == Lane::kReply ? Queue::kReplies
                                                      : Queue::kRequests,
                  receiver_.Park(arrival, driver_.now()));
    } else {
      const Delivery delivery =
          receiver_.Take(arrival, am::Lanes::kAll, driver_.now(), dispatcher);
      if (delivery.messages > 0) requests.push_back(delivery);
    }
    driver_.Taken(arrival, /*alone=*/false);
  }
}

// Serves a request packet. Parks the requests that are left.
void DatagramEndpoint::AttendTo(const Delivery& request,
                                am::Dispatcher& dispatcher) {
  if (request.assembly != nullptr) {
    AttendTo(*request.assembly, dispatcher);
    return;
  }
  std::vector<size_t> records;
  am::RecordReader reader(request.packet, kHeaderBytes);
  size_t at = reader.at();
  for (am::Record record;
       reader.Next(record) == am::RecordReader::Result::kRecord;
       at = reader.at()) {
    records.push_back(at);
  }
  Left left = ServeRecords(request.source, request.packet, records, dispatcher);
  Park(Queue::kRequests, request.source, request.packet,
       std::move(left.for_client));
  Park(Queue::kUnanswered, request.source, request.packet,
       std::move(left.unanswered));
  if (request.HoldsMemory()) receiver_.Finish(request);
}

DatagramEndpoint::Service DatagramEndpoint::AttendTo(
    am::Assembly& request, am::Dispatcher& dispatcher) {
  lock_.unlock();
  // A reply has no unattended handler.
  const Service service = am::Unattended(dispatcher, request.message)
                              .Serve(request.message, *this, /*place=*/[] {});
  lock_.lock();
  switch (service) {
    case Service::kServed:
      NoteServed(1);
      receiver_.Release(request);
      break;
    case Service::kNoRoom:
      parked_.Add(Queue::kUnanswered, ParkedPacket(request));
      break;
    case Service::kNeedsClient:
      receiver_.Keep(request);
  }
  return service;
}

// Serves these records of a request packet, if they need no thread of the
// client.
DatagramEndpoint::Left DatagramEndpoint::ServeRecords(
    Rank source, MutableBytes packet, std::span<const size_t> records,
    am::Dispatcher& dispatcher) {
  Left left;
  lock_.unlock();
  if (records.size() > 1) driver_.BeginGathering();
  for (const size_t at : records) {
    am::RecordReader reader(packet, at);
    am::Record record;
    reader.Next(record);
    const am::Incoming message =
        am::MessageOf(source, am::Lane::kRequest, record);
    switch (am::Unattended(dispatcher, message).Serve(message, *this, [&] {
      am::PlacePayload(record);
    })) {
      case Service::kServed:
        break;
      case Service::kNoRoom:
        left.unanswered.push_back(at);
        break;
      case Service::kNeedsClient:
        left.for_client.push_back(at);
    }
  }
  if (records.size() > 1) driver_.EndGathering();
  lock_.lock();
  SendGathered(source);
  NoteServed(records.size() - left.for_client.size() - left.unanswered.size());
  return left;
}

void DatagramEndpoint::NoteServed(size_t messages) {
  driver_.statistics().unattended += messages;
  driver_.statistics().messages_delivered += messages;
}

void DatagramEndpoint::Park(Queue queue, Rank source, MutableBytes packet,
                            std::vector<size_t> records) {
  if (records.empty()) return;
  ParkedPacket parked(source, Lane::kRequest, /*number=*/0, packet);
  parked.records = std::move(records);
  parked_.Add(queue, std::move(parked));
}

// Serves requests again whose replies found no room, until there is no room
// again. The next call begins with the next packet.
void DatagramEndpoint::AnswerAgain(am::Dispatcher& dispatcher) {
  while (parked_.Count(Queue::kUnanswered) > 0) {
    ParkedPacket parked = parked_.Next(Queue::kUnanswered);
    if (parked.assembly != nullptr) {
      if (AttendTo(*parked.assembly, dispatcher) == Service::kNoRoom) return;
      continue;
    }
    parked.records =
        ServeRecords(parked.source, parked.bytes(), parked.records, dispatcher)
            .unanswered;
    if (parked.records.empty()) continue;
    parked_.Add(Queue::kUnanswered, std::move(parked));
    return;
  }
}

am::Post DatagramEndpoint::SendReply(Rank dest, const am::Message& message) {
  const am::Post post = Send(dest, am::Lane::kReply, message);
  if (post == am::Post::kDone || message.category != am::Category::kShort) {
    return post;
  }
  const thread::Holder hold(lock_);
  owed_.Add(dest, message);
  return am::Post::kDone;
}

void DatagramEndpoint::SendOwed() {
  for (; !owed_.Empty(); owed_.Pop()) {
    Channel& channel = driver_.channels().To(owed_.dest());
    const am::Post post =
        sender_.Send(channel, am::Lane::kReply, owed_.message());
    if (post == am::Post::kRetry) return;
  }
}

bool DatagramEndpoint::MayReply(Rank dest) {
  const thread::Holder hold(lock_);
  Channel& channel = driver_.channels().To(dest);
  return DatagramSender::MayHaveRoom(channel, am::Lane::kReply) &&
         driver_.pool().Has(1, driver_.sizes().least(), am::Lane::kReply);
}

// Sends the replies to a packet's requests together.
void DatagramEndpoint::SendGathered(Rank source) {
  if (!driver_.MayHold()) return;
  driver_.Transmit(driver_.channels().To(source), am::Lane::kReply, true);
}

unsigned DatagramEndpoint::ServeParked(am::Lanes lanes,
                                       am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  while (receiver_.HasReplies()) {
    const Delivery reply = receiver_.NextReply();
    handled += RunAll({&reply, 1}, dispatcher);
  }
  if (parked_.Empty()) return handled;
  handled += ServeParked(Queue::kReplies, lanes, dispatcher);
  if (lanes == am::Lanes::kAll) {
    handled += ServeParked(Queue::kRequests, lanes, dispatcher);
    handled += ServeParked(Queue::kUnanswered, lanes, dispatcher);
  }
  return handled;
}

// Serves the packets that are in a queue now.
unsigned DatagramEndpoint::ServeParked(Queue queue, am::Lanes lanes,
                                       am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  for (size_t left = parked_.Count(queue); left > 0 && parked_.Count(queue) > 0;
       --left) {
    ParkedPacket parked = parked_.Next(queue);
    if (!parked.records.empty()) {
      handled += RunParked(parked, dispatcher);
      continue;
    }
    Delivery delivery;
    if (parked.assembly != nullptr) {
      delivery = DatagramReceiver::WholeOf(*parked.assembly);
    } else if (!receiver_.TakeParked(parked, lanes, dispatcher, delivery)) {
      parked_.Add(queue, std::move(parked));
      continue;
    }
    if (delivery.messages > 0) handled += RunAll({&delivery, 1}, dispatcher);
  }
  return handled;
}

// Runs the handlers of the records that are left of a packet.
unsigned DatagramEndpoint::RunParked(const ParkedPacket& parked,
                                     am::Dispatcher& dispatcher) {
  lock_.unlock();
  for (const size_t at : parked.records) {
    am::RecordReader reader(parked.bytes(), at);
    am::Record record;
    reader.Next(record);
    am::PlacePayload(record);
    dispatcher.Route(am::MessageOf(parked.source, parked.lane, record));
  }
  lock_.lock();
  SendGathered(parked.source);
  return static_cast<unsigned>(parked.records.size());
}

}  // namespace gasnet::datagram
