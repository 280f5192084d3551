#include "core/datagram/receiver.h"

#include "core/am/check_records.h"

namespace gasnet::datagram {

Receiver::Receiver(const Options& options, const PathSizes& sizes,
                   ChannelTable& channels, PacketReceiver& packets,
                   Statistics& statistics)
    : channels_(channels),
      packets_(packets),
      statistics_(statistics),
      stores_{am::AssemblyStore(options.assembly_bytes),
              am::AssemblyStore(options.assembly_bytes)},
      kept_(options.kept_bytes, sizes.most()) {}

Receiver::~Receiver() {
  channels_.ForAll([this](Channel& channel) {
    for (const am::Lane lane : {am::Lane::kRequest, am::Lane::kReply}) {
      StoreOf(lane).ReleaseAll(channel.lane(lane).begun);
    }
  });
  while (HasKept()) Finish(NextKept());
}

Delivery Receiver::Take(const Arrival& arrival, am::Lanes lanes, int64_t now,
                        am::Dispatcher& dispatcher) {
  Delivery delivery;
  delivery.source = arrival.header.source;
  delivery.lane = arrival.header.lane;
  const bool taken = am::IsFragment(arrival.packet, kHeaderBytes)
                         ? TakeFragment(arrival, lanes, dispatcher, delivery)
                         : TakeRecords(arrival, lanes, delivery);
  if (taken) packets_.Register(arrival, now);
  if (arrival.joined != nullptr) [[unlikely]] {
    if (delivery.packet.empty()) {
      packets_.Release(arrival.joined, delivery.lane);
    } else {
      delivery.joined = arrival.joined;
    }
  }
  return delivery;
}

// Takes in the records of a packet. Returns false if the records are refused.
// The packet then counts as not arrived.
bool Receiver::TakeRecords(const Arrival& arrival, am::Lanes lanes,
                           Delivery& delivery) {
  const MutableBytes packet = arrival.packet;
  // The tag proves that a rank of this job has sent the records. It does not
  // prove that they are well-formed.
  const unsigned messages =
      am::CheckRecords(delivery.source, packet, kHeaderBytes, limits_);
  if (messages == 0) [[unlikely]] {
    statistics_.Count(Drop::kMalformed);
    return false;
  }
  if (delivery.lane == am::Lane::kRequest && lanes == am::Lanes::kReplies) {
    const bool kept = kept_.Copy(delivery.source, messages, packet);
    if (!kept) statistics_.Count(Drop::kNoRoom);
    return kept;
  }
  delivery.packet = packet;
  delivery.messages = messages;
  return true;
}

bool Receiver::TakeFragment(const Arrival& arrival, am::Lanes lanes,
                            am::Dispatcher& dispatcher, Delivery& delivery) {
  using Result = am::AssemblyStore::Result;
  am::FragmentRecord fragment;
  if (!am::DecodeFragment(arrival.packet, kHeaderBytes, fragment)) {
    statistics_.Count(Drop::kMalformed);
    return false;
  }
  ChannelLane& lane = arrival.channel->lane(delivery.lane);
  Locate(delivery.source,
         am::AssemblyStore::Find(lane.begun, fragment.fragment.number),
         dispatcher, fragment);
  const am::AssemblyStore::Taken taken =
      StoreOf(delivery.lane)
          .Take(lane.begun, fragment, delivery.source, delivery.lane,
                lane.receive.IsNext(arrival.header.sequence));
  switch (taken.result) {
    case Result::kMalformed:
      statistics_.Count(Drop::kMalformed);
      return false;
    case Result::kNoRoom:
      statistics_.Count(Drop::kNoRoom);
      return false;
    case Result::kPart:
      return true;
    case Result::kComplete:
      break;
  }
  if (delivery.lane == am::Lane::kReply || lanes == am::Lanes::kAll) {
    delivery.assembly = taken.complete;
    delivery.messages = 1;
  } else {
    kept_.Hold(*taken.complete);
  }
  return true;
}

// Sets the fragment's address to the destination of its message. This rank has
// chosen the destination if it has requested the message. If not, the sender
// has chosen it.
void Receiver::Locate(Rank source, const am::Assembly* begun,
                      am::Dispatcher& dispatcher,
                      am::FragmentRecord& fragment) const {
  if (fragment.category != am::Category::kLong) return;
  const am::Landing landing =
      fragment.address == 0
          ? dispatcher.Of(source, fragment.endpoint, fragment.across)
                .handlers()
                .FindLanding(fragment.handler)
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

Delivery Receiver::NextKept() {
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

void Receiver::Finish(const Delivery& delivery) {
  if (delivery.kept != nullptr) kept_.Release(*delivery.kept);
  if (delivery.joined != nullptr) {
    packets_.Release(delivery.joined, delivery.lane);
  }
  if (delivery.assembly != nullptr) {
    StoreOf(delivery.assembly->message.lane).Release(delivery.assembly);
  }
}

}  // namespace gasnet::datagram
