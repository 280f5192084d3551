// The buffers that frames are sent from. Each lane has a fixed number of its
// own buffers, so replies never wait for requests. Not thread-safe.
//
//   free --Take--> filled --posted--> under way --completion, Give--> free
#ifndef CONDUITS_OFI_SEND_BUFFERS_H_
#define CONDUITS_OFI_SEND_BUFFERS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "absl/status/status.h"
#include "conduits/ofi/aligned_bytes.h"
#include "conduits/ofi/context.h"
#include "conduits/ofi/endpoint.h"
#include "conduits/ofi/injected.h"
#include "core/lane.h"
#include "core/rank.h"

namespace gasnet::ofi {

struct SendBuffer : OperationContext {
  SendBuffer() : OperationContext(Kind::kSend) {}

  std::byte* frame = nullptr;
  size_t bytes = 0;  // size of a fragment's frame, for a repeated post
  Rank peer = 0;
  Lane lane = Lane::kRequest;
  uint32_t posted = 0;  // time of the post in seconds (waited.h); 0 if free
  Injected::Mark mark = 0;
  SendBuffer* next = nullptr;
};

class SendBuffers {
 public:
  // `each`: the number of buffers in a lane. `frame_bytes`: the size of a
  // buffer, a multiple of 64.
  SendBuffers(size_t each, size_t frame_bytes);

  absl::Status Register(OfiEndpoint& endpoint);
  void* descriptor() const { return descriptor_; }

  // Takes the buffer that was given back last. Returns null if no buffer is
  // free.
  SendBuffer* Take(Lane lane) {
    SendBuffer*& free = free_[static_cast<size_t>(lane)];
    SendBuffer* const taken = free;
    if (taken != nullptr) {
      free = taken->next;
      ++under_way_;
    }
    return taken;
  }
  void Give(SendBuffer& buffer) {
    SendBuffer*& free = free_[static_cast<size_t>(buffer.lane)];
    buffer.posted = 0;
    buffer.next = free;
    free = &buffer;
    --under_way_;
  }
  // Returns true if the lane has at least `count` free buffers.
  bool Has(Lane lane, size_t count) const {
    const SendBuffer* free = free_[static_cast<size_t>(lane)];
    for (; count > 0 && free != nullptr; --count) free = free->next;
    return count == 0;
  }
  size_t under_way() const { return under_way_; }
  template <class Predicate>
  bool IsUnderWayTo(Predicate is_one) const {
    return std::any_of(buffers_.begin(), buffers_.end(),
                       [&](const SendBuffer& each) {
                         return each.posted != 0 && is_one(each.peer);
                       });
  }
  // Returns the buffer under way that was posted first, or null if none is
  // under way.
  const SendBuffer* Oldest() const;

 private:
  const size_t bytes_;
  const AlignedBytes memory_;  // unused pages are not touched
  std::deque<SendBuffer> buffers_;
  std::array<SendBuffer*, kLanes> free_ = {};
  void* descriptor_ = nullptr;
  size_t under_way_ = 0;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_SEND_BUFFERS_H_
