#include "core/datagram/receiver.h"

#include <cstring>

#include "base/log.h"

namespace gasnet::datagram {
namespace {

// So much may arrive from a peer before an acknowledgement is sent by itself.
// A sender's window is several times as large, or the sender asks.
constexpr uint32_t kOwedPackets = 8;

// A Long that this rank asked for. They travel in fragments only, so that each
// is asked after once.
bool Lands(const Record& record, const am::HandlerTable& handlers) {
  return record.is_fragment && record.address == 0 &&
         record.category == am::Category::kLong &&
         handlers.FindLanding(record.handler) != nullptr;
}

}  // namespace

Receiver::Receiver(const Options& options, const PathSizes& sizes,
                   const Seal& seal, ChannelTable& channels, PacketPool& pool,
                   Statistics& statistics)
    : options_(options),
      sizes_(sizes),
      seal_(seal),
      channels_(channels),
      pool_(pool),
      statistics_(statistics),
      stores_{AssemblyStore(options.assembly_bytes),
              AssemblyStore(options.assembly_bytes)},
      pieces_{PieceStore(sizes.least(), sizes.most(), options.piece_bytes),
              PieceStore(sizes.least(), sizes.most(), options.piece_bytes)},
      kept_pool_(options.kept_bytes, sizes.most(), {1, 1}) {}

Receiver::~Receiver() {
  channels_.ForAll([this](Channel& channel) {
    for (const am::Lane lane : {am::Lane::kRequest, am::Lane::kReply}) {
      for (Assembly* a = channel.lane(lane).assemblies; a != nullptr;) {
        Assembly* const next = a->next;
        StoreOf(lane).Release(a);
        a = next;
      }
    }
  });
  while (HasKept()) Finish(NextKept());
}

bool Receiver::Open(MutableBytes datagram, Header& header) {
  const auto drop = [this](Drop reason) {
    statistics_.Count(reason);
    return false;
  };
  if (datagram.size() < kHeaderBytes || datagram.size() > sizes_.most()) {
    return drop(Drop::kSize);
  }
  const bool authentic =
      options_.encrypt ? seal_.Decrypt(datagram) : seal_.Verify(datagram);
  if (!authentic) return drop(Drop::kForged);
  if (!DecodeHeader(datagram, header)) return drop(Drop::kHeader);
  if (header.target != options_.me) return drop(Drop::kTarget);
  if (header.source >= options_.ranks || header.source == options_.me) {
    return drop(Drop::kSource);
  }
  return true;
}

Arrival Receiver::Accept(MutableBytes datagram, am::Lanes lanes, int64_t now,
                         const am::HandlerTable& handlers) {
  Arrival arrival;
  Header header;
  if (!Open(datagram, header)) return arrival;
  Channel& channel = channels_.To(header.source);
  arrival.channel = &channel;
  Note(channel, header);
  arrival.acks = header.acks;
  if (header.sequence == 0) {
    if ((header.flags & kAckNow) != 0) Owe(channel, header, now);
    return arrival;
  }
  ReceiveWindow& window = channel.lane(header.lane).receive;
  switch (window.Judge(header.sequence)) {
    case ReceiveWindow::Verdict::kTooFarAhead:
      statistics_.Count(Drop::kTooFar);
      return arrival;
    case ReceiveWindow::Verdict::kDuplicate:
      statistics_.Count(Drop::kDuplicate);
      channel.urgent = true;
      break;
    case ReceiveWindow::Verdict::kNew:
      // Nothing old counts, lest a stranger's repetitions take from the share
      // of those who do send.
      channels_.NoteSender(channel, now);
      channel.path.OnDatagram(sizes_, datagram.size());
      if (!TakeRecords(channel, header, datagram, lanes, handlers,
                       arrival.delivery)) {
        return arrival;
      }
      window.Register(header.sequence);
      ++statistics_.packets_received;
      channel.urgent |= window.HasGap();
      break;
  }
  Owe(channel, header, now);
  return arrival;
}

Channel* Receiver::AcceptUnhandled(MutableBytes datagram, int64_t now) {
  Header header;
  if (!Open(datagram, header)) return nullptr;
  Channel* const channel = channels_.Find(header.source);
  if (channel == nullptr) return nullptr;
  Note(*channel, header);
  TakeAcks(*channel, header.acks, now);
  if (header.sequence == 0) return channel;
  ReceiveWindow& window = channel->lane(header.lane).receive;
  switch (window.Judge(header.sequence)) {
    case ReceiveWindow::Verdict::kTooFarAhead:
      statistics_.Count(Drop::kTooFar);
      break;
    case ReceiveWindow::Verdict::kDuplicate:
      statistics_.Count(Drop::kDuplicate);
      break;
    case ReceiveWindow::Verdict::kNew:
      // Nobody misses the rest of it, where it is a piece.
      channel->path.OnDatagram(sizes_, datagram.size());
      window.Register(header.sequence);
      ++statistics_.packets_received;
      break;
  }
  Owe(*channel, header, now);
  return channel;
}

// False: dropped, as if it had not arrived.
bool Receiver::TakeRecords(Channel& channel, const Header& header,
                           MutableBytes packet, am::Lanes lanes,
                           const am::HandlerTable& handlers,
                           Delivery& delivery) {
  Record first;
  const unsigned messages =
      CheckRecords(header.source, packet, handlers, first);
  if (messages == 0) [[unlikely]]
    return TakePiece(channel, header, packet, lanes, handlers, delivery);
  return TakeMessages(channel, header, packet, messages, first, lanes, handlers,
                      delivery);
}

bool Receiver::TakeMessages(Channel& channel, const Header& header,
                            MutableBytes packet, unsigned messages,
                            const Record& first, am::Lanes lanes,
                            const am::HandlerTable& handlers,
                            Delivery& delivery) {
  delivery.source = header.source;
  delivery.lane = header.lane;
  if (first.is_fragment) {
    return TakeFragment(channel, header, first, lanes, handlers, delivery);
  }
  if (header.lane == am::Lane::kRequest && lanes == am::Lanes::kReplies) {
    return Keep(header, packet, messages);
  }
  delivery.packet = packet;
  delivery.messages = messages;
  return true;
}

// A packet without records of its own. What is complete with it is taken as if
// it had come whole.
bool Receiver::TakePiece(Channel& channel, const Header& header,
                         ConstBytes packet, am::Lanes lanes,
                         const am::HandlerTable& handlers, Delivery& delivery) {
  PieceStore& store = PiecesOf(header.lane);
  Piece piece;
  if (!DecodePiece(packet, piece) || !store.IsSound(piece)) {
    statistics_.Count(Drop::kMalformed);
    return false;
  }
  JoinedPacket* const joined = FindJoined(channel, header, piece);
  if (joined == nullptr) {
    statistics_.Count(Drop::kNoRoom);
    return false;
  }
  joined->Add(piece);
  if (!joined->IsComplete()) return false;
  store.Detach(joined);
  const MutableBytes whole = joined->packet();
  Record first;
  const unsigned messages = CheckRecords(header.source, whole, handlers, first);
  if (messages == 0) statistics_.Count(Drop::kMalformed);
  const bool taken =
      messages > 0 && TakeMessages(channel, header, whole, messages, first,
                                   lanes, handlers, delivery);
  if (taken && delivery.packet.data() == whole.data()) {
    delivery.joined = joined;
  } else {
    store.Release(joined);
  }
  return taken;
}

JoinedPacket* Receiver::FindJoined(const Channel& channel, const Header& header,
                                   const Piece& piece) {
  PieceStore& store = PiecesOf(header.lane);
  const auto& lanes = channel.lanes;
  const bool first =
      lanes[static_cast<size_t>(header.lane)].receive.IsNext(header.sequence);
  const auto find = [&] {
    return store.Find(header.source, header.sequence, piece, first);
  };
  if (JoinedPacket* const found = find()) return found;
  store.ForgetIf([&](const JoinedPacket& packet) {
    const auto& window =
        channels_.Find(packet.source())->lane(header.lane).receive;
    return window.Judge(packet.sequence()) != ReceiveWindow::Verdict::kNew;
  });
  return find();
}

// What was late, or sent again by a stranger, says nothing about now.
void Receiver::Note(Channel& channel, const Header& header) {
  if (header.counter <= channel.newest_counter) return;
  channel.newest_counter = header.counter;
  channel.path.OnFlags(sizes_, header.flags);
  channel.silent_since = 0;
  if (header.window != 0) {
    channel.peer_window = uint64_t{header.window} * 1024;
  }
}

bool Receiver::TakeAcks(Channel& channel, const LaneAcks& acks, int64_t now) {
  unsigned acknowledged = 0;
  for (unsigned lane = 0; lane < am::kLanes; ++lane) {
    acknowledged +=
        channel.lanes[lane]
            .send
            .OnAcks(acks[lane], now, options_.depth, channel.round_trip, pool_)
            .acknowledged;
  }
  return acknowledged > 0;
}

unsigned Receiver::CheckRecords(Rank source, MutableBytes packet,
                                const am::HandlerTable& handlers,
                                Record& first) {
  RecordReader reader(packet);
  Record record;
  unsigned count = 0;
  bool fragment = false;
  for (;;) {
    switch (reader.Next(record)) {
      case RecordReader::Result::kMalformed:
        return 0;
      case RecordReader::Result::kEnd:
        // A fragment travels alone.
        return fragment && count != 1 ? 0 : count;
      case RecordReader::Result::kRecord:
        break;
    }
    if (record.category == am::Category::kLong && !Lands(record, handlers)) {
      CheckLong(source, record);
    }
    fragment |= record.is_fragment;
    if (count++ == 0) first = record;
  }
}

// The tag says that a rank of this job sent it: a client's mistake, of which it
// must hear.
void Receiver::CheckLong(Rank source, const Record& record) const {
  if (record.nbytes == 0 || segment_.Contains(record.address, record.nbytes))
      [[likely]] {
    return;
  }
  Fatal(
      "Long active message from rank %u: destination [%p, %p) is outside this "
      "rank's segment [%p, %p)",
      source, reinterpret_cast<void*>(record.address),
      reinterpret_cast<void*>(record.address + record.nbytes),
      reinterpret_cast<void*>(segment_.base),
      reinterpret_cast<void*>(segment_.base + segment_.size));
}

Assembly** Receiver::Find(Channel& channel, am::Lane lane,
                          const Record& fragment) {
  Assembly** at = &channel.lane(lane).assemblies;
  while (*at != nullptr && (*at)->number != fragment.fragment.number) {
    at = &(*at)->next;
  }
  return at;
}

bool Receiver::TakeFragment(Channel& channel, const Header& header,
                            Record fragment, am::Lanes lanes,
                            const am::HandlerTable& handlers,
                            Delivery& delivery) {
  ChannelLane& lane = channel.lane(header.lane);
  Assembly** at = Find(channel, header.lane, fragment);
  if (Lands(fragment, handlers)) {
    const am::Landing landing = handlers.FindLanding(fragment.handler);
    fragment.address = reinterpret_cast<uintptr_t>(
        *at != nullptr ? (*at)->message.payload
                       : landing(header.source, fragment.args,
                                 fragment.num_args, fragment.nbytes));
  }
  if (*at == nullptr) {
    Assembly* const begun = StoreOf(header.lane)
                                .Begin(fragment, header.source, header.lane,
                                       lane.receive.IsNext(header.sequence));
    if (begun == nullptr) {
      statistics_.Count(Drop::kNoRoom);
      return false;
    }
    begun->next = lane.assemblies;
    lane.assemblies = begun;
    at = &lane.assemblies;
  }
  Assembly* const assembly = *at;
  if (!AssemblyStore::Fits(*assembly, fragment)) {
    statistics_.Count(Drop::kMalformed);
    return false;
  }
  if (!AssemblyStore::Add(*assembly, fragment)) return true;
  *at = assembly->next;
  assembly->next = nullptr;
  if (header.lane == am::Lane::kReply || lanes == am::Lanes::kAll) {
    delivery.assembly = assembly;
    delivery.messages = 1;
  } else {
    *ready_end_ = assembly;
    ready_end_ = &assembly->next;
  }
  return true;
}

bool Receiver::Keep(const Header& header, MutableBytes packet,
                    unsigned messages) {
  // The part that a pool holds back for replies is for nobody here.
  Packet* const kept = kept_pool_.Acquire(packet.size(), am::Lane::kReply);
  if (kept == nullptr) {
    statistics_.Count(Drop::kNoRoom);
    return false;
  }
  std::memcpy(kept->bytes, packet.data(), packet.size());
  kept->length = static_cast<uint32_t>(packet.size());
  kept->source = header.source;
  kept->order = messages;
  *kept_end_ = kept;
  kept_end_ = &kept->next;
  return true;
}

Delivery Receiver::NextKept() {
  Delivery delivery;
  // In turn: handlers that wait for room may let more be kept than they take.
  const bool packet = ready_ == nullptr || (kept_ != nullptr && packet_next_);
  packet_next_ = !packet;
  if (packet && kept_ != nullptr) {
    Packet* const kept = kept_;
    kept_ = kept->next;
    if (kept_ == nullptr) kept_end_ = &kept_;
    delivery.source = kept->source;
    delivery.messages = static_cast<unsigned>(kept->order);
    delivery.packet = kept->head();
    delivery.kept = kept;
  } else if (ready_ != nullptr) {
    delivery.assembly = ready_;
    ready_ = ready_->next;
    if (ready_ == nullptr) ready_end_ = &ready_;
    delivery.source = delivery.assembly->message.source;
    delivery.messages = 1;
  }
  return delivery;
}

void Receiver::Finish(const Delivery& delivery) {
  if (delivery.kept != nullptr) kept_pool_.Release(delivery.kept);
  if (delivery.joined != nullptr) {
    PiecesOf(delivery.lane).Release(delivery.joined);
  }
  if (delivery.assembly != nullptr) {
    StoreOf(delivery.assembly->message.lane).Release(delivery.assembly);
  }
}

void Receiver::Owe(Channel& channel, const Header& header, int64_t now) {
  if (channel.owed_packets++ == 0) {
    channel.ack_due = now + options_.timing.ack_delay;
    channels_.Activate(channel);
  }
  channel.urgent |=
      (header.flags & kAckNow) != 0 || channel.owed_packets >= kOwedPackets;
}

}  // namespace gasnet::datagram
