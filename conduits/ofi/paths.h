// The paths over a provider: how the conduit sends messages, learns that puts
// are complete, and sends the payloads of Longs. The paths are determined once,
// from the guarantees and requirements that the provider describes.
//
// A message stays in a registered buffer until it is sent. A small message is
// injected if the provider keeps sends in order. The completion of a later
// message then shows that the small message has left, too.
//
// A put is complete (RemoteCompletion):
//
//   kDelivery    when the provider reports that the put is in place
//   kTransmit    when the put has left reliably. On some hardware this means
//                that the put is in place (RC of verbs)
//   kRead        when a read behind the put is answered; the provider keeps
//                reads behind writes (FI_ORDER_RMA_RAW)
//
// The payload of a large Long goes ahead of its header (LongPath):
//
//   kOrdered     both are posted, and the provider keeps the order
//   kFenced      the header waits in the provider for earlier operations
//   kInTwoSteps  the header is sent when the put of the payload is complete
#ifndef CONDUITS_OFI_PATHS_H_
#define CONDUITS_OFI_PATHS_H_

#include <rdma/fabric.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "conduits/ofi/settings.h"

namespace gasnet::ofi {

enum class LongPath : uint8_t { kOrdered, kFenced, kInTwoSteps };

// A provider's limits and abilities for messages.
struct FrameRules {
  bool multiple = true;          // several messages go into one receive buffer
  size_t most_bytes = SIZE_MAX;  // bytes of the largest message
  size_t receives = SIZE_MAX;    // max. number of posted buffers
  // max. number under way, in both lanes together
  size_t sends = SIZE_MAX;
  bool managed = true;      // the provider prevents overruns of its queues
  size_t inject_bytes = 0;  // bytes of the largest injected message
};

struct Paths {
  Paths(const fi_info& info, const Wishes& wishes);

  FrameRules frames;
  bool local_registration;     // local memory must be registered
  bool virtual_addresses;      // remote addresses are virtual, not offsets
  bool provider_keys;          // the provider chooses registration keys
  bool endpoint_registration;  // memory must be bound to the endpoint
  bool allocated;              // memory needs pages before it is registered
  bool descriptor;             // sleepers wait on the queue's file descriptor
  RemoteCompletion remote_completion;
  size_t flushed_bytes;  // bytes of the largest put that a read completes
  LongPath long_path;
  size_t inject_bytes;  // bytes of the largest put that the provider copies
  size_t most_bytes;    // bytes of the largest transfer or message
  size_t most_posted;   // max. number of posted transfers

  // Returns the paths as text for GASNET_VERBOSEENV.
  std::string ToString() const;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_PATHS_H_
