// The memory that receives frames from the fabric. A buffer takes several
// frames, or only one if the provider does not support more. Not thread-safe.
//
//   posted --frames arrive, then the provider releases it--> full
//     ^                                                       |
//     `--- Repost, when all its frames have been handled -----'
//
// A frame holds its buffer until Finish().
#ifndef CONDUITS_OFI_RECEIVE_BUFFERS_H_
#define CONDUITS_OFI_RECEIVE_BUFFERS_H_

#include <rdma/fi_eq.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "conduits/ofi/aligned_bytes.h"
#include "conduits/ofi/context.h"
#include "conduits/ofi/endpoint.h"

namespace gasnet::ofi {

struct ReceiveBuffer : OperationContext {
  ReceiveBuffer() : OperationContext(Kind::kReceive) {}

  std::byte* memory = nullptr;
  unsigned frames = 0;    // frames whose handlers have not finished
  bool released = false;  // the provider has released the buffer
};

class ReceiveBuffers {
 public:
  // `bytes`: the size of each buffer, a multiple of 64.
  ReceiveBuffers(size_t buffers, size_t bytes);

  // Registers all buffers. Posts as many buffers as the provider accepts now.
  absl::Status Start(OfiEndpoint& endpoint);

  // Returns the frame that a completion reports. The frame then holds its
  // buffer. If the completion only releases a buffer, returns an empty frame.
  std::span<std::byte> Take(ReceiveBuffer& buffer,
                            const fi_cq_data_entry& entry);
  void Finish(ReceiveBuffer& buffer);
  // Returns true if frames hold a buffer other than the newest frame's. Always
  // false if each buffer takes only one message.
  bool IsAnotherHeld() const { return multiple_ && held_ > 1; }
  // Posts the buffers that the provider has refused so far. If there are none,
  // this call costs little.
  void PostAgain() {
    if (!unposted_.empty()) PostUnposted();
  }
  bool HasUnposted() const { return !unposted_.empty(); }

 private:
  void Repost(ReceiveBuffer& buffer);
  void PostUnposted();
  // Posts the buffer. Returns false if the provider refuses the buffer for now.
  // Ends the job on any other error.
  bool IsPosted(ReceiveBuffer& buffer);
  int Post(ReceiveBuffer& buffer);

  const size_t bytes_;
  const size_t all_bytes_;
  const AlignedBytes memory_;
  std::deque<ReceiveBuffer> buffers_;
  OfiEndpoint* endpoint_ = nullptr;
  void* descriptor_ = nullptr;
  bool multiple_ = false;
  size_t held_ = 0;  // buffers that frames hold
  std::vector<ReceiveBuffer*> unposted_;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_RECEIVE_BUFFERS_H_
