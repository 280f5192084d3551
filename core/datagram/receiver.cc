#include "core/datagram/receiver.h"

#include "core/am/check_records.h"

namespace gasnet::datagram {

DatagramReceiver::DatagramReceiver(const DatagramOptions& options,
                                   const PathSizes& sizes,
                                   ChannelTable& channels,
                                   PacketReceiver& packets,
                                   DatagramStatistics& statistics)
    : channels_(channels),
      packets_(packets),
      statistics_(statistics),
      stores_{am::AssemblyStore(options.assembly_bytes),
              am::AssemblyStore(options.assembly_bytes)},
      kept_(options.kept_bytes, sizes.most()) {}

DatagramReceiver::~DatagramReceiver() {
  channels_.ForAll([this](Channel& channel) {
    for (const am::Lane lane : {am::Lane::kRequest, am::Lane::kReply}) {
      StoreOf(lane).ReleaseAll(channel.lane(lane).begun);
    }
  });
  while (HasKept()) Finish(NextKept());
  while (HasReplies()) Finish(NextReply());
}

Delivery DatagramReceiver::Take(const ReceivedDatagram& arrival,
                                am::Lanes lanes, int64_t now,
                                am::Dispatcher& dispatcher) {
  const Lane lane = arrival.header.lane;
  ChannelLane& state = arrival.channel->lane(lane);
  Delivery delivery;
  const std::optional<Drop> refused =
      TakePacket({arrival.header.source, lane, arrival.packet,
                  state.receive.IsNext(arrival.header.sequence)},
                 state, lanes, dispatcher, delivery);
  if (refused.has_value()) [[unlikely]] {
    statistics_.Count(*refused);
  } else {
    packets_.Register(arrival, now);
  }
  if (arrival.joined != nullptr) [[unlikely]] {
    if (delivery.packet.empty()) {
      packets_.Release(arrival.joined, delivery.lane);
    } else {
      delivery.joined = arrival.joined;
    }
  }
  return delivery;
}

bool DatagramReceiver::NeedsClient(const ReceivedDatagram& arrival) {
  const bool is_reply = arrival.header.lane == Lane::kReply;
  am::FragmentRecord fragment;
  if (!am::IsFragment(arrival.packet, kHeaderBytes) ||
      !am::DecodeFragment(arrival.packet, kHeaderBytes, fragment)) {
    return is_reply;
  }
  return !is_reply && fragment.category == am::Category::kLong &&
         fragment.address == 0;
}

void DatagramReceiver::Refuse(const ReceivedDatagram& arrival) {
  statistics_.Count(Drop::kNoRoom);
  if (arrival.joined == nullptr) return;
  packets_.Release(arrival.joined, arrival.header.lane);
}

ParkedPacket DatagramReceiver::Park(const ReceivedDatagram& arrival,
                                    int64_t now) {
  const PacketHeader& header = arrival.header;
  ParkedPacket parked(header.source, header.lane, header.sequence,
                      arrival.packet);
  packets_.Register(arrival, now);
  if (arrival.joined != nullptr) packets_.Release(arrival.joined, header.lane);
  return parked;
}

bool DatagramReceiver::TakeParked(const ParkedPacket& parked, am::Lanes lanes,
                                  am::Dispatcher& dispatcher,
                                  Delivery& delivery) {
  ChannelLane& state = channels_.To(parked.source).lane(parked.lane);
  const std::optional<Drop> refused =
      TakePacket({parked.source, parked.lane, parked.bytes(),
                  state.receive.HasAllUpTo(parked.sequence)},
                 state, lanes, dispatcher, delivery);
  if (refused == Drop::kNoRoom) return false;
  if (refused.has_value()) statistics_.Count(*refused);
  return true;
}

// Takes in the contents of a packet. Returns the reason if they are refused.
std::optional<Drop> DatagramReceiver::TakePacket(const Contents& contents,
                                                 ChannelLane& state,
                                                 am::Lanes lanes,
                                                 am::Dispatcher& dispatcher,
                                                 Delivery& delivery) {
  delivery.source = contents.source;
  delivery.lane = contents.lane;
  return am::IsFragment(contents.packet, kHeaderBytes)
             ? TakeFragment(contents, state, lanes, dispatcher, delivery)
             : TakeRecords(contents.packet, lanes, delivery);
}

std::optional<Drop> DatagramReceiver::TakeRecords(MutableBytes packet,
                                                  am::Lanes lanes,
                                                  Delivery& delivery) {
  // The tag proves that a rank of this job has sent the records. It does not
  // prove that they are well-formed.
  const unsigned messages =
      am::CheckRecords(delivery.source, packet, kHeaderBytes, limits_);
  if (messages == 0) [[unlikely]]
    return Drop::kMalformed;
  if (delivery.lane == am::Lane::kRequest && lanes == am::Lanes::kReplies) {
    return kept_.Copy(delivery.source, messages, packet)
               ? std::nullopt
               : std::optional(Drop::kNoRoom);
  }
  delivery.packet = packet;
  delivery.messages = messages;
  return std::nullopt;
}

std::optional<Drop> DatagramReceiver::TakeFragment(const Contents& contents,
                                                   ChannelLane& state,
                                                   am::Lanes lanes,
                                                   am::Dispatcher& dispatcher,
                                                   Delivery& delivery) {
  using Result = am::AssemblyStore::Result;
  am::FragmentRecord fragment;
  if (!am::DecodeFragment(contents.packet, kHeaderBytes, fragment)) {
    return Drop::kMalformed;
  }
  Locate(delivery.source, delivery.lane,
         am::AssemblyStore::Find(state.begun, fragment.fragment.number),
         dispatcher, fragment);
  const am::AssemblyStore::Taken taken =
      StoreOf(delivery.lane)
          .Take(state.begun, fragment, delivery.source, delivery.lane,
                contents.first);
  switch (taken.result) {
    case Result::kMalformed:
      return Drop::kMalformed;
    case Result::kNoRoom:
      return Drop::kNoRoom;
    case Result::kPart:
      return std::nullopt;
    case Result::kComplete:
      break;
  }
  if (delivery.lane == am::Lane::kReply || lanes == am::Lanes::kAll) {
    delivery.assembly = taken.complete;
    delivery.messages = 1;
  } else {
    kept_.Hold(*taken.complete);
  }
  return std::nullopt;
}

// Sets the fragment's address to the destination of its message. This rank has
// chosen the destination if it has requested the message. If not, the sender
// has chosen it.
void DatagramReceiver::Locate(Rank source, Lane lane, const am::Assembly* begun,
                              am::Dispatcher& dispatcher,
                              am::FragmentRecord& fragment) const {
  if (fragment.category != am::Category::kLong) return;
  const am::Landing landing =
      fragment.address == 0
          ? dispatcher.Of(source, fragment.endpoint, fragment.across)
                .handlers()
                .FindLanding(fragment.handler, lane)
          : nullptr;
  if (landing == nullptr) {
    am::CheckLong(source, fragment, limits_.segments);
    return;
  }
  fragment.address = reinterpret_cast<uintptr_t>(
      begun != nullptr
          ? begun->message.payload
          : landing(source, fragment.args, fragment.num_args, fragment.nbytes));
}

Delivery DatagramReceiver::WholeOf(am::Assembly& message) {
  Delivery delivery;
  delivery.source = message.message.source;
  delivery.lane = message.message.lane;
  delivery.messages = 1;
  delivery.assembly = &message;
  return delivery;
}

Delivery DatagramReceiver::NextReply() {
  am::Assembly& oldest = *replies_.front();
  replies_.pop_front();
  return WholeOf(oldest);
}

Delivery DatagramReceiver::NextKept() {
  am::KeptRequest& kept = kept_.Next();
  Delivery delivery;
  delivery.source = kept.source;
  delivery.messages = kept.messages;
  if (kept.frame.empty()) {
    delivery.assembly = static_cast<am::Assembly*>(&kept);
  } else {
    delivery.packet = kept.frame;
    delivery.kept = &kept;
  }
  return delivery;
}

void DatagramReceiver::Finish(const Delivery& delivery) {
  if (delivery.kept != nullptr) kept_.Release(*delivery.kept);
  if (delivery.joined != nullptr) {
    packets_.Release(delivery.joined, delivery.lane);
  }
  if (delivery.assembly != nullptr) {
    StoreOf(delivery.assembly->message.lane).Release(delivery.assembly);
  }
}

}  // namespace gasnet::datagram
