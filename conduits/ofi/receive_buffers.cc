#include "conduits/ofi/receive_buffers.h"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "conduits/ofi/keys.h"

namespace gasnet::ofi {

ReceiveBuffers::ReceiveBuffers(size_t buffers, size_t bytes)
    : bytes_(bytes),
      all_bytes_(buffers * bytes),
      memory_(MakeAlignedBytes(all_bytes_)) {
  for (size_t i = 0; i < buffers; ++i) {
    buffers_.emplace_back().memory = &memory_[i * bytes];
  }
  unposted_.reserve(buffers);
}

absl::Status ReceiveBuffers::Start(OfiEndpoint& endpoint) {
  endpoint_ = &endpoint;
  multiple_ = endpoint.paths().frames.multiple;
  if (endpoint.paths().local_registration) {
    const absl::StatusOr<Registered> registered =
        endpoint.Register(memory_.get(), all_bytes_, FI_RECV, kReceiveKey);
    if (!registered.ok()) return registered.status();
    descriptor_ = registered->descriptor;
  }
  for (ReceiveBuffer& buffer : buffers_) {
    const int error = Post(buffer);
    if (error == -FI_EAGAIN) {
      unposted_.push_back(&buffer);
    } else if (error != 0) {
      return absl::UnavailableError(absl::StrCat(
          "libfabric takes no receive buffer: ", endpoint.ErrorText(-error)));
    }
  }
  return absl::OkStatus();
}

std::span<std::byte> ReceiveBuffers::Take(ReceiveBuffer& buffer,
                                          const fi_cq_data_entry& entry) {
  std::span<std::byte> frame;
  if ((entry.flags & FI_RECV) != 0 && entry.len > 0) {
    auto* const begin =
        multiple_ ? static_cast<std::byte*>(entry.buf) : buffer.memory;
    frame = {begin, entry.len};
    held_ += buffer.frames++ == 0;
  }
  if (!multiple_ || (entry.flags & FI_MULTI_RECV) != 0) {
    buffer.released = true;
    if (buffer.frames == 0) Repost(buffer);
  }
  return frame;
}

void ReceiveBuffers::Finish(ReceiveBuffer& buffer) {
  if (--buffer.frames > 0) return;
  --held_;
  if (buffer.released) Repost(buffer);
}

void ReceiveBuffers::Repost(ReceiveBuffer& buffer) {
  buffer.released = false;
  if (!unposted_.empty() || !IsPosted(buffer)) unposted_.push_back(&buffer);
}

void ReceiveBuffers::PostUnposted() {
  while (!unposted_.empty() && IsPosted(*unposted_.back())) {
    unposted_.pop_back();
  }
}

bool ReceiveBuffers::IsPosted(ReceiveBuffer& buffer) {
  const int error = Post(buffer);
  if (error != 0 && error != -FI_EAGAIN) {
    Fatal("posting a receive buffer failed over libfabric's provider %s: %s",
          endpoint_->provider(), endpoint_->ErrorText(-error));
  }
  return error == 0;
}

int ReceiveBuffers::Post(ReceiveBuffer& buffer) {
  const iovec memory = {buffer.memory, bytes_};
  fi_msg message = {};
  message.msg_iov = &memory;
  message.desc = &descriptor_;
  message.iov_count = 1;
  message.addr = FI_ADDR_UNSPEC;
  message.context = &buffer.scratch;
  return static_cast<int>(
      fi_recvmsg(endpoint_->ep(), &message,
                 FI_COMPLETION | (multiple_ ? FI_MULTI_RECV : 0)));
}

}  // namespace gasnet::ofi
