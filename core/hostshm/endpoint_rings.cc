#include "core/hostshm/endpoint_rings.h"

#include <errno.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/hostshm/layout.h"
#include "job/memory/anonymous_file.h"
#include "job/memory/memory_shortage.h"

namespace gasnet::hostshm {
namespace {

// Grows the file to `end` if it is shorter.
absl::Status Lengthen(int fd, uint64_t end) {
  const absl::Status allowed = job::CheckFileLimit(end);
  if (!allowed.ok()) return allowed;
  const char nothing = 0;
  if (pwrite(fd, &nothing, 1, static_cast<off_t>(end - 1)) != 1) {
    return absl::ErrnoToStatus(errno,
                               "enlarging the shared memory of this host");
  }
  return absl::OkStatus();
}

}  // namespace

// Returns the bytes of a group's rings with the page behind them.
uint64_t EndpointRings::PairBytes() const {
  return rings_.group_bytes() + kPage;
}

uint64_t EndpointRings::end() const {
  return begin_ + PairBytes() * rings_.groups() * kMaxEndpoints * kMaxEndpoints;
}

absl::StatusOr<HostMemory> EndpointRings::LinkMemory(EndpointIndex own,
                                                     EndpointIndex partner) {
  const absl::MutexLock lock(&mutex_);
  HostMemory memory;
  const struct {
    unsigned char*& base;
    EndpointIndex from, to;
  } parts[] = {{memory.out, own, partner},
               {memory.in, partner, own},
               {memory.own_bells, own, own},
               {memory.peer_bells, partner, partner}};
  for (const auto& part : parts) {
    const absl::StatusOr<unsigned char*> base = Map(part.from, part.to);
    if (!base.ok()) return base.status();
    part.base = *base;
  }
  return memory;
}

absl::StatusOr<unsigned char*> EndpointRings::Map(EndpointIndex from,
                                                  EndpointIndex to) {
  const unsigned pair = from * kMaxEndpoints + to;
  if (pair == 0) return rings_.base();
  if (const auto found = mapped_.find(pair); found != mapped_.end()) {
    return found->second.base();
  }
  const int fd = job_.host_memory_fd();
  const uint64_t at =
      begin_ +
      (uint64_t{pair} * rings_.groups() + rings_.my_group()) * PairBytes();
  const std::string what = absl::StrCat("the message rings of endpoints ", from,
                                        " to endpoints ", to);
  absl::Status status = Lengthen(fd, at + PairBytes());
  if (status.ok()) {
    status = job::ReserveHostMemory(fd, at, rings_.layout().total(), what);
  }
  if (!status.ok()) return status;
  SharedMapping mapping(fd, {at, rings_.layout().total()},
                        SharedMapping::Owner::kOther, what);
  if (!mapping.valid()) {
    return absl::ErrnoToStatus(errno, absl::StrCat("mapping ", what));
  }
  return mapped_.emplace(pair, std::move(mapping)).first->second.base();
}

}  // namespace gasnet::hostshm
