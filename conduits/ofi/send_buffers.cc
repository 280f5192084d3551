#include "conduits/ofi/send_buffers.h"

#include <rdma/fi_domain.h>

#include "absl/status/statusor.h"
#include "conduits/ofi/keys.h"

namespace gasnet::ofi {

SendBuffers::SendBuffers(size_t each, size_t frame_bytes)
    : bytes_(kLanes * each * frame_bytes), memory_(MakeAlignedBytes(bytes_)) {
  std::byte* frame = memory_.get();
  for (const Lane lane : {Lane::kRequest, Lane::kReply}) {
    for (size_t i = 0; i < each; ++i, frame += frame_bytes) {
      SendBuffer& buffer = buffers_.emplace_back();
      buffer.frame = frame;
      buffer.lane = lane;
      ++under_way_;
      Give(buffer);
    }
  }
}

const SendBuffer* SendBuffers::Oldest() const {
  const SendBuffer* oldest = nullptr;
  for (const SendBuffer& each : buffers_) {
    if (each.posted == 0) continue;
    if (oldest == nullptr || each.posted < oldest->posted) oldest = &each;
  }
  return oldest;
}

absl::Status SendBuffers::Register(OfiEndpoint& endpoint) {
  if (!endpoint.paths().local_registration) return absl::OkStatus();
  const absl::StatusOr<Registered> registered = endpoint.Register(
      memory_.get(), bytes_, FI_SEND | FI_WRITE | FI_READ, kSendKey);
  if (!registered.ok()) return registered.status();
  descriptor_ = registered->descriptor;
  return absl::OkStatus();
}

}  // namespace gasnet::ofi
