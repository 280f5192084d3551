#include "conduits/portals/start.h"

#include <unistd.h>

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "conduits/portals/hand_over.h"
#include "core/reference_only.h"
#include "job/gather.h"
#include "job/shared_failure.h"

namespace gasnet::portals_conduit {
namespace {

// The data that each rank contributes to the exchange at the start.
struct PortalsContact {
  ptl_process_t process;
  uint8_t ok;
  uint8_t has_barrier;
};

absl::StatusOr<PortalsStartup> OpenInterface(job::Job& job, bool threads) {
  PortalsStartup started;
  started.settings = SettingsFromEnvironment(job.size());
  absl::StatusOr<Plan> plan =
      Plan::For(job.size() - 1, threads, started.settings);
  if (!plan.ok()) return plan.status();
  started.plan = *plan;
  absl::StatusOr<std::unique_ptr<ConduitInterface>> interface =
      ConduitInterface::Open(started.settings, started.plan);
  if (!interface.ok()) return interface.status();
  started.interface = *std::move(interface);
  if (!PortalsBarrier::Fits(started.interface->limits(), job.size()))
    return started;
  absl::StatusOr<std::unique_ptr<PortalsBarrier>> barrier =
      PortalsBarrier::Make(*started.interface, job.rank(), job.size());
  if (!barrier.ok()) return barrier.status();
  started.barrier = *std::move(barrier);
  return started;
}

bool IsEverything(const Segment& segment) {
  return segment.size == UINTPTR_MAX;
}

// Appends three entries that cover the segment. One is for puts, gets and
// atomics. Two are for payloads of Longs. The arrival of these payloads causes
// events.
absl::Status Expose(ConduitInterface& interface, const Segment& segment) {
  PortalEntry entry = {
      .table = PortalTable::kSegment,
      .start = reinterpret_cast<void*>(segment.base),
      .length = IsEverything(segment) ? gasneti_portals_everything()
                                      : ptl_size_t{segment.size},
      .options = PTL_ME_OP_PUT | PTL_ME_OP_GET | PTL_ME_EVENT_COMM_DISABLE};
  absl::Status status = interface.Append(entry);
  entry.options = PTL_ME_OP_PUT;
  for (const PortalTable table :
       {PortalTable::kLongs, PortalTable::kReplyLongs}) {
    entry.table = table;
    if (status.ok()) status = interface.Append(entry);
  }
  if (status.ok()) status = interface.AwaitLinks();
  if (status.ok()) return status;
  return absl::UnavailableError(absl::StrCat(
      status.message(), "; a smaller segment may do: GASNET_MAX_SEGSIZE, or ",
      "GASNET_PHYSMEM_PINNABLE_RATIO where Portals pins memory"));
}

}  // namespace

absl::StatusOr<PortalsStartup> StartInterfaces(job::Job& job, bool threads) {
  if (absl::Status status = HandOver(job); !status.ok()) return status;
  absl::StatusOr<PortalsStartup> mine = OpenInterface(job, threads);
  PortalsContact contact = {};
  contact.ok = mine.ok();
  if (mine.ok()) {
    contact.process = mine->interface->id();
    contact.has_barrier = mine->barrier != nullptr;
  }
  const std::vector<PortalsContact> all = job::Gather(job, contact);
  std::vector<ptl_process_t> processes;
  bool all_have_barrier = true;
  for (Rank rank = 0; rank < job.size(); ++rank) {
    if (all[rank].ok == 0) {
      return job::ReportFirst(job, "gasnet_init", rank, mine.status(),
                              "could not open its interface");
    }
    processes.push_back(all[rank].process);
    all_have_barrier = all_have_barrier && all[rank].has_barrier != 0;
  }
  if (!all_have_barrier) mine->barrier.reset();
  mine->processes = std::move(processes);
  return mine;
}

uintptr_t MostPinned(const job::Job& job, const PortalsStartup& started) {
  if (started.interface->takes_everything()) return UINTPTR_MAX;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const auto pages = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                     started.settings.registration.pinnable;
  return static_cast<uint64_t>(pages) / job.host_size() * page;
}

absl::StatusOr<ExposeResult> ExposeSegment(ConduitInterface& interface,
                                           const Segment& mine) {
  const bool wanted = mine.size > 0 && !IsReferenceOnly() &&
                      (!IsEverything(mine) || interface.takes_everything());
  const absl::Status status =
      wanted ? Expose(interface, mine) : absl::OkStatus();
  // Portals may fail to expose a segment that spans all memory. Active messages
  // then reach this segment.
  if (!status.ok() && !IsEverything(mine)) return status;
  const bool reached = wanted && status.ok();
  return ExposeResult{.reached = reached,
                      .coherent = reached && interface.has_coherent_atomics()};
}

}  // namespace gasnet::portals_conduit
