// The conduit for hosts that reach each other by IP.
//
// It is core/hostshm among the ranks of a host (of a supernode, where
// GASNET_SUPERNODE_MAXSIZE divides the host) and core/datagram among all
// others. Memory that is mapped is reached by loads and stores, everything else
// by the reference extended API over active messages.
#ifndef CONDUITS_UDP_UDP_CONDUIT_H_
#define CONDUITS_UDP_UDP_CONDUIT_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "base/status.h"
#include "conduits/udp/udp_link.h"
#include "core/am/engine.h"
#include "core/conduit.h"
#include "core/job/job.h"
#include "core/segment.h"

namespace gasnet::udp {

class UdpConduit {
 public:
  static constexpr std::string_view kName = "UDP";

  static Status Start(int* argc, char*** argv, std::string_view config);
  static uintptr_t MaxLocalSegment();
  static Status Attach(const AttachRequest& request);

  static job::Job& job();
  static am::Engine<UdpLink>& engine() { return *engine_; }
  static std::span<const MappedSegment> peers();
  static std::span<const Segment> segments();
  static uint32_t SupernodeSize();
  static void BeforeExit();

 private:
  static inline am::Engine<UdpLink>* engine_ = nullptr;
};

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_UDP_CONDUIT_H_
