#include "core/datagram/receiver.h"

#include "core/am/check_records.h"

namespace gasnet::datagram {

Receiver::Receiver(const Options& options, const PathSizes& sizes,
                   ChannelTable& channels, PacketReceiver& packets,
                   Statistics& statistics)
    : channels_(channels),
      packets_(packets),
      statistics_(statistics),
      stores_{AssemblyStore(options.assembly_bytes),
              AssemblyStore(options.assembly_bytes)},
      kept_(options.kept_bytes, sizes.most()) {}

Receiver::~Receiver() {
  channels_.ForAll([this](Channel& channel) {
    for (const am::Lane lane : {am::Lane::kRequest, am::Lane::kReply}) {
      for (Begun* begun = channel.lane(lane).begun; begun != nullptr;) {
        Begun* const next = begun->next;
        StoreOf(lane).Release(static_cast<Assembly*>(begun));
        begun = next;
      }
    }
  });
  while (HasKept()) Finish(NextKept());
}

Delivery Receiver::Take(const Arrival& arrival, am::Lanes lanes, int64_t now,
                        am::Dispatcher& dispatcher) {
  Delivery delivery;
  delivery.source = arrival.header.source;
  delivery.lane = arrival.header.lane;
  const bool taken = IsFragment(arrival.packet)
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

// Returns false if the records are refused, as if they had not arrived.
bool Receiver::TakeRecords(const Arrival& arrival, am::Lanes lanes,
                           Delivery& delivery) {
  const MutableBytes packet = arrival.packet;
  // The tag proves that a rank of this job has sent them.
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
  FragmentRecord fragment;
  if (!DecodeFragment(arrival.packet, fragment)) {
    statistics_.Count(Drop::kMalformed);
    return false;
  }
  ChannelLane& lane = arrival.channel->lane(delivery.lane);
  Begun** at = &lane.begun;
  while (*at != nullptr &&
         static_cast<Assembly*>(*at)->number != fragment.fragment.number) {
    at = &(*at)->next;
  }
  Locate(delivery.source, static_cast<Assembly*>(*at), dispatcher, fragment);
  if (*at == nullptr) {
    if (!Begin(arrival, fragment)) return false;
    at = &lane.begun;
  }
  Assembly* const assembly = static_cast<Assembly*>(*at);
  if (!AssemblyStore::Fits(*assembly, fragment)) {
    statistics_.Count(Drop::kMalformed);
    return false;
  }
  if (!AssemblyStore::Add(*assembly, fragment)) return true;
  *at = assembly->next;
  if (delivery.lane == am::Lane::kReply || lanes == am::Lanes::kAll) {
    delivery.assembly = assembly;
    delivery.messages = 1;
  } else {
    kept_.Hold(*assembly);
  }
  return true;
}

// Begins the message of this fragment, in front of its lane's. Returns false if
// there is no room.
bool Receiver::Begin(const Arrival& arrival, const FragmentRecord& fragment) {
  const Header& header = arrival.header;
  ChannelLane& lane = arrival.channel->lane(header.lane);
  Assembly* const begun = StoreOf(header.lane)
                              .Begin(fragment, header.source, header.lane,
                                     lane.receive.IsNext(header.sequence));
  if (begun == nullptr) {
    statistics_.Count(Drop::kNoRoom);
    return false;
  }
  begun->next = lane.begun;
  lane.begun = begun;
  return true;
}

// Sets the fragment's address to where its message is to go. This rank chooses
// the address if it has asked for the message, else the sender does.
void Receiver::Locate(Rank source, const Assembly* begun,
                      am::Dispatcher& dispatcher,
                      FragmentRecord& fragment) const {
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
    delivery.assembly = static_cast<Assembly*>(&kept);
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
