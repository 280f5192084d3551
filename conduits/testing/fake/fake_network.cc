#include "conduits/testing/fake/fake_network.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/asymmetric_fence.h"
#include "base/env.h"
#include "base/log.h"
#include "core/hostshm/rings.h"
#include "core/hostshm/segments.h"
#include "core/reference_only.h"
#include "job/gather.h"
#include "job/shared_failure.h"

namespace gasnet::fake {
namespace {

// Opens the rings' memory. Rank 0 makes the memory, without a name in a file
// system. The other ranks open it through rank 0's process.
UniqueFd OpenMemory(job::Job& job, absl::Status& status) {
  struct Place {
    pid_t process;
    int fd;
  };
  UniqueFd memory;
  if (job.rank() == 0) {
    memory = UniqueFd(memfd_create("gasnet-fake", MFD_CLOEXEC));
    const auto bytes = static_cast<off_t>(hostshm::Layout(job.size()).total());
    if (memory.get() < 0 || ftruncate(memory.get(), bytes) != 0) {
      status = absl::ErrnoToStatus(errno, "making memory");
    }
  }
  const Place place = job::Gather(job, Place{getpid(), memory.get()})[0];
  if (job.rank() != 0) {
    const std::string path =
        absl::StrCat("/proc/", place.process, "/fd/", place.fd);
    memory = UniqueFd(open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (memory.get() < 0) status = absl::ErrnoToStatus(errno, path);
  }
  return memory;
}

}  // namespace

unsigned char* FakeNetwork::Map(int fd, uint64_t at, size_t bytes) {
  hostshm::SharedMapping mapping(fd, {at, bytes},
                                 hostshm::SharedMapping::Owner::kOther,
                                 "the fake network");
  if (!mapping.valid()) Fatal("the fake network: no memory to map");
  return mappings_.emplace_back(std::move(mapping)).base();
}

FakeNetwork::FakeNetwork(job::Job& job,
                         const rma::testing::FakeRmaOptions& options,
                         bool ordered, UniqueFd memory)
    : job_(job),
      memory_(std::move(memory)),
      rma_(options),
      link_(rma_, ordered) {}

absl::StatusOr<std::unique_ptr<FakeNetwork>> FakeNetwork::Open(job::Job& job) {
  absl::Status status = absl::OkStatus();
  if (job.host_size() != job.size()) {
    return job::ReportOnce(
        job, "gasnet_init",
        absl::FailedPreconditionError("the fake conduit runs on one host"));
  }
  UniqueFd memory = OpenMemory(job, status);
  status = job::ShareOutcome(job, "gasnet_init", status,
                             "could not make the fake network's memory");
  if (!status.ok()) return status;
  const uint64_t seed = EnvInt("GASNET_FAKE_SEED", 1, 0, INT64_MAX);
  const rma::testing::FakeRmaOptions options = {
      .seed = seed * job.size() + job.rank(),
      .fail =
          static_cast<uint64_t>(EnvInt("GASNET_FAKE_FAIL", 0, 0, INT64_MAX))};
  return std::unique_ptr<FakeNetwork>(new FakeNetwork(
      job, options, EnvBool("GASNET_FAKE_ORDERED", false), std::move(memory)));
}

absl::Status FakeNetwork::Start() {
  AsymmetricFence::Register();
  const hostshm::Layout layout(job_.size());
  std::vector<Rank> all(job_.size());
  std::iota(all.begin(), all.end(), 0);
  link_.host().Init(Map(memory_.get(), 0, layout.total()), layout, job_.rank(),
                    all, job_.size());
  return absl::OkStatus();
}

network::Polled FakeNetwork::Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                                  bool) {
  const unsigned handled = link_.Poll(lanes, dispatcher);
  return {.handled = handled, .took_in = handled > 0};
}

void FakeNetwork::Await(int64_t nanos) {
  const uint32_t epoch = link_.Arm();
  if (!link_.HasMessages()) link_.Sleep(epoch, nanos);
  link_.Disarm();
}

// Sets the segments that transfers reach. If GASNET_REFERENCE hides memory,
// transfers reach no segment.
void FakeNetwork::Attach(std::span<const Segment> segments,
                         std::span<const network::Exposed>) {
  reached_.resize(job_.size());
  const std::vector<uint64_t> offsets =
      hostshm::SegmentOffsets(job_, segments, hostshm::Rings(job_, 1).end());
  for (Rank rank = 0; rank < job_.size() && !IsReferenceOnly(); ++rank) {
    const Segment& segment = segments[rank];
    if (segment.size == 0) continue;
    reached_[rank] = {
        segment.base, segment.size,
        rank == job_.rank()
            ? reinterpret_cast<unsigned char*>(segment.base)
            : Map(job_.host_memory_fd(), offsets[rank], segment.size)};
  }
  rma_.SetSegments(job_.rank(), reached_);
  link_.SetSegments(segments);
}

}  // namespace gasnet::fake
