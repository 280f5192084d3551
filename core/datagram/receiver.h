// Receives the contents of packets. It checks the records, assembles fragments,
// and passes messages to the caller. The caller runs the handlers after it
// releases the lock.
//
// Requests that arrive while only replies may be served are kept here, within a
// bound. Beyond this bound they are refused, as if the network had lost them.
// Called under the lock of the endpoint.
#ifndef CORE_DATAGRAM_RECEIVER_H_
#define CORE_DATAGRAM_RECEIVER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "core/am/assembly.h"
#include "core/am/check_records.h"
#include "core/am/dispatcher.h"
#include "core/am/fragment.h"
#include "core/am/kept_requests.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/am/tuning.h"
#include "core/datagram/channel_table.h"
#include "core/datagram/options.h"
#include "core/datagram/packet_receiver.h"
#include "core/datagram/parked_packets.h"
#include "core/datagram/path_size.h"
#include "core/datagram/pieces.h"
#include "core/datagram/statistics.h"
#include "core/rank.h"
#include "core/segment.h"

namespace gasnet::datagram {

// Messages whose handlers may run now: one assembled message, or all records of
// a packet. The packet is in the port's memory, kept, or joined from pieces. If
// neither a message nor a packet is set, there are no messages.
struct Delivery {
  Rank source = 0;
  am::Lane lane = am::Lane::kRequest;
  unsigned messages = 0;
  MutableBytes packet;
  am::KeptRequest* kept = nullptr;
  JoinedPacket* joined = nullptr;
  am::Assembly* assembly = nullptr;

  // Returns true if the delivery holds memory that DatagramReceiver::Finish()
  // must give back.
  bool HoldsMemory() const {
    return kept != nullptr || joined != nullptr || assembly != nullptr;
  }
};

class DatagramReceiver {
 public:
  DatagramReceiver(const DatagramOptions& options, const PathSizes& sizes,
                   ChannelTable& channels, PacketReceiver& packets,
                   DatagramStatistics& statistics);
  ~DatagramReceiver();
  DatagramReceiver(const DatagramReceiver&) = delete;
  DatagramReceiver& operator=(const DatagramReceiver&) = delete;

  // Sets the segment of an endpoint of this rank.
  void SetSegment(EndpointIndex endpoint, Segment mine) {
    limits_.segments[endpoint] = mine;
  }

  // Returns the messages in the packet of an arrival. Tells the packet receiver
  // if the packet was accepted.
  Delivery Take(const ReceivedDatagram& arrival, am::Lanes lanes, int64_t now,
                am::Dispatcher& dispatcher);

  // Returns true if only a thread of the client may take the arrival's packet:
  // it has whole replies, or a request whose payload lands where the client's
  // threads decide.
  static bool NeedsClient(const ReceivedDatagram& arrival);
  // Treats the packet of an arrival as lost in the network.
  void Refuse(const ReceivedDatagram& arrival);
  // Copies the packet of an arrival, which counts as accepted from then on.
  ParkedPacket Park(const ReceivedDatagram& arrival, int64_t now);
  // Returns the messages in a parked packet, like Take(). Returns false if
  // there is no room for them now.
  bool TakeParked(const ParkedPacket& parked, am::Lanes lanes,
                  am::Dispatcher& dispatcher, Delivery& delivery);
  // Keeps an assembled message for a thread of the client.
  void Keep(am::Assembly& message) {
    if (message.message.lane == Lane::kReply) {
      replies_.push_back(&message);
    } else {
      kept_.Hold(message);
    }
  }
  // Releases an assembled message that needs no delivery.
  void Release(am::Assembly& message) {
    StoreOf(message.message.lane).Release(&message);
  }
  // Returns the delivery of an assembled message.
  static Delivery WholeOf(am::Assembly& message);
  // Removes and returns the oldest reply that was kept. There is one.
  Delivery NextReply();
  bool HasReplies() const { return !replies_.empty(); }

  // Removes the oldest kept request and returns it. Requires that HasKept() is
  // true.
  Delivery NextKept();
  bool HasKept() const { return !kept_.Empty(); }
  // Releases the delivery's memory. Called after its handlers have run.
  void Finish(const Delivery& delivery);

 private:
  struct Contents {
    Rank source;
    Lane lane;
    MutableBytes packet;
    bool first;  // no earlier packet of the lane is missing
  };
  std::optional<Drop> TakePacket(const Contents& contents, ChannelLane& state,
                                 am::Lanes lanes, am::Dispatcher& dispatcher,
                                 Delivery& delivery);
  // Take in records, or a fragment. The functions return the reason if they
  // refuse. The packet then counts as not arrived.
  std::optional<Drop> TakeRecords(MutableBytes packet, am::Lanes lanes,
                                  Delivery& delivery);
  std::optional<Drop> TakeFragment(const Contents& contents, ChannelLane& state,
                                   am::Lanes lanes, am::Dispatcher& dispatcher,
                                   Delivery& delivery);
  void Locate(Rank source, Lane lane, const am::Assembly* begun,
              am::Dispatcher& dispatcher, am::FragmentRecord& fragment) const;
  am::AssemblyStore& StoreOf(am::Lane lane) {
    return stores_[static_cast<size_t>(lane)];
  }

  ChannelTable& channels_;
  PacketReceiver& packets_;
  DatagramStatistics& statistics_;
  am::RecordLimits limits_ = {{}, am::kMaxMedium};
  std::array<am::AssemblyStore, am::kLanes> stores_;
  am::KeptRequests kept_;
  std::deque<am::Assembly*> replies_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_RECEIVER_H_
