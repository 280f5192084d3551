#include "core/hostshm/endpoint_rings.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/hostshm/layout.h"
#include "job/memory/anonymous_file.h"
#include "job/memory/host_memory.h"
#include "job/memory/memory_shortage.h"

namespace gasnet::hostshm {
namespace {

// The numbers of rails, of pairs, and of both together. Rail 0 and pair (0, 0)
// do not count, because Rings (rings.h) has their rings.
constexpr unsigned kRails = thread::kMaxRails - 1;
constexpr unsigned kPairs = kMaxEndpoints * kMaxEndpoints - 1;
constexpr unsigned kPlaces = kRails + kPairs;

// Extends the file to `end` if it is shorter.
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

// Returns the size in bytes of a group's rings and the page behind them.
uint64_t EndpointRings::PlaceBytes() const {
  return rings_.group_bytes() + kPage;
}

uint64_t EndpointRings::end() const {
  const absl::MutexLock lock(&mutex_);
  return begin_ + PlaceBytes() * rings_.groups() * kPlaces;
}

bool EndpointRings::MayHaveRails() const {
  rlimit address_space = {};
  getrlimit(RLIMIT_AS, &address_space);
  return address_space.rlim_cur == RLIM_INFINITY &&
         !job::FreeInFileSystem(job_.host_memory_fd()).has_value();
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
    const absl::StatusOr<unsigned char*> base = MapPair(part.from, part.to);
    if (!base.ok()) return base.status();
    part.base = *base;
  }
  return memory;
}

absl::StatusOr<unsigned char*> EndpointRings::RailMemory(unsigned rail) {
  const absl::MutexLock lock(&mutex_);
  return Map(rail - 1, absl::StrCat("the message rings of rail ", rail));
}

absl::StatusOr<unsigned char*> EndpointRings::MapPair(EndpointIndex from,
                                                      EndpointIndex to) {
  const unsigned pair = from * kMaxEndpoints + to;
  if (pair == 0) return rings_.base();
  return Map(kRails + pair - 1, absl::StrCat("the message rings of endpoints ",
                                             from, " to endpoints ", to));
}

absl::StatusOr<unsigned char*> EndpointRings::Map(unsigned place,
                                                  const std::string& what) {
  if (const auto found = mapped_.find(place); found != mapped_.end()) {
    return found->second.base();
  }
  const int fd = job_.host_memory_fd();
  const uint64_t at =
      begin_ +
      (uint64_t{place} * rings_.groups() + rings_.my_group()) * PlaceBytes();
  absl::Status status = Lengthen(fd, at + PlaceBytes());
  if (status.ok()) {
    status = job::ReserveHostMemory(fd, at, rings_.layout().total(), what);
  }
  if (!status.ok()) return status;
  SharedMapping mapping(fd, {at, rings_.layout().total()},
                        SharedMapping::Owner::kOther, what);
  if (!mapping.valid()) {
    return absl::ErrnoToStatus(errno, absl::StrCat("mapping ", what));
  }
  return mapped_.emplace(place, std::move(mapping)).first->second.base();
}

}  // namespace gasnet::hostshm
