// Takes the contents of packets in: records are checked, and given to the
// caller, who runs the handlers after leaving the lock; fragments are put
// together before that.
//
// Requests that arrive while only replies may be served are kept here, within
// a bound; beyond it they are refused, as if the network had lost them. Under
// the lock of the endpoint.
#ifndef CORE_DATAGRAM_RECEIVER_H_
#define CORE_DATAGRAM_RECEIVER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/am/check_records.h"
#include "core/am/dispatcher.h"
#include "core/am/kept_requests.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/datagram/assembly.h"
#include "core/datagram/channel_table.h"
#include "core/datagram/fragment.h"
#include "core/datagram/options.h"
#include "core/datagram/packet_receiver.h"
#include "core/datagram/path_size.h"
#include "core/datagram/pieces.h"
#include "core/datagram/statistics.h"
#include "core/rank.h"
#include "core/segment.h"

namespace gasnet::datagram {

// Messages whose handlers may run now: either all records of a packet, in the
// port's memory, kept, or joined from pieces, or a message that was put
// together. Neither: nothing.
struct Delivery {
  Rank source = 0;
  am::Lane lane = am::Lane::kRequest;
  unsigned messages = 0;
  MutableBytes packet;
  am::KeptRequest* kept = nullptr;
  JoinedPacket* joined = nullptr;
  Assembly* assembly = nullptr;

  // Of the receivers, which get it back by Receiver::Finish.
  bool HoldsMemory() const {
    return kept != nullptr || joined != nullptr || assembly != nullptr;
  }
};

class Receiver {
 public:
  Receiver(const Options& options, const PathSizes& sizes,
           ChannelTable& channels, PacketReceiver& packets,
           Statistics& statistics);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  // Of this rank's endpoint.
  void SetSegment(EndpointIndex endpoint, Segment mine) {
    limits_.segments[endpoint] = mine;
  }

  // The messages that the packet of an arrival brings. Tells the receiver of
  // packets whether it was taken.
  Delivery Take(const Arrival& arrival, am::Lanes lanes, int64_t now,
                am::Dispatcher& dispatcher);

  // A request that was kept; not when there is none.
  Delivery NextKept();
  bool HasKept() const { return !kept_.Empty(); }
  // After its handlers have run.
  void Finish(const Delivery& delivery);

 private:
  bool TakeRecords(const Arrival& arrival, am::Lanes lanes, Delivery& delivery);
  bool TakeFragment(const Arrival& arrival, am::Lanes lanes,
                    am::Dispatcher& dispatcher, Delivery& delivery);
  bool Begin(const Arrival& arrival, const FragmentRecord& fragment);
  void Locate(Rank source, const Assembly* begun, am::Dispatcher& dispatcher,
              FragmentRecord& fragment) const;
  AssemblyStore& StoreOf(am::Lane lane) {
    return stores_[static_cast<size_t>(lane)];
  }

  ChannelTable& channels_;
  PacketReceiver& packets_;
  Statistics& statistics_;
  am::RecordLimits limits_ = {{}, kMaxMedium};
  std::array<AssemblyStore, am::kLanes> stores_;
  am::KeptRequests kept_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_RECEIVER_H_
