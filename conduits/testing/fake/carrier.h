// Carries messages as records. Each record is the payload of a Medium, sent
// over a shared-memory ring.
#ifndef CONDUITS_TESTING_FAKE_CARRIER_H_
#define CONDUITS_TESTING_FAKE_CARRIER_H_

#include <atomic>
#include <cstddef>

#include "core/am/check_records.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/hostshm/host_link.h"
#include "core/segment.h"

namespace gasnet::fake {

class Carrier {
 public:
  Carrier();
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  // Sets the segment of an endpoint of this rank. Called before any rank sends
  // to it.
  void SetSegment(EndpointIndex endpoint, const Segment& segment) {
    segments_[endpoint] = segment;
  }

  // Returns the largest Medium. Besides the payload, a record has at most 16
  // arguments, an address and padding.
  static size_t MaxMedium(const hostshm::HostLink& ring) {
    return ring.MaxMedium() - kMaxBesides;
  }

  am::Post Send(hostshm::HostLink& ring, Rank peer, am::Lane lane,
                const am::Message& message);
  // Polls the ring, and delivers messages to the endpoints that `dispatcher`
  // knows.
  unsigned Poll(hostshm::HostLink& ring, am::Lanes lanes,
                am::Dispatcher& dispatcher);

 private:
  static constexpr size_t kMaxBesides = 128;

  // The dispatcher of the ring's Mediums. It is a member of the Carrier that it
  // refers to.
  struct Frames : am::Dispatcher {
    explicit Frames(Carrier& of) : carrier(of) {}
    Carrier& carrier;
  };
  static void OnFrame(void* token, void* frame, size_t nbytes);
  void Deliver(Rank source, am::Lane lane, void* frame, size_t nbytes) const;

  Frames frames_{*this};
  std::atomic<am::Dispatcher*> to_{nullptr};  // any dispatcher of the rank
  std::array<Segment, kMaxEndpoints> segments_;
};

}  // namespace gasnet::fake

#endif  // CONDUITS_TESTING_FAKE_CARRIER_H_
