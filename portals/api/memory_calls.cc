// The calls for memory descriptors.
#include <sched.h>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "base/clock.h"
#include "portals/api/check.h"
#include "portals/api/given_job.h"
#include "portals/api/iov.h"
#include "portals/api/knobs.h"
#include "portals/memory/shared_maps.h"
#include "portals/tuning.h"
#include "portals4.h"

namespace portals4 = gasnet::portals4;
using portals4::Arena;
using portals4::GetLibrary;
using portals4::Interface;
using portals4::MdRecord;
using portals4::Object;
using portals4::ObjectRef;

namespace {

constexpr unsigned kCounts =
    PTL_MD_EVENT_CT_SEND | PTL_MD_EVENT_CT_REPLY | PTL_MD_EVENT_CT_ACK;

bool Check(const Interface& interface, const ptl_md_t& md, MdRecord& record) {
  return (md.options & ~static_cast<unsigned>(PTL_MD_OPTIONS_MASK)) == 0 &&
         portals4::EqOrNone(interface, md.eq_handle, record.eq) &&
         portals4::CtOrNone(interface, md.ct_handle, record.ct) &&
         ((md.options & kCounts) == 0 || record.ct != portals4::kNoRef);
}

// Fills in the record of a descriptor. The memory need not be present yet.
int Fill(Interface& interface, const ptl_md_t& md, uint32_t slot,
         MdRecord& record) ABSL_EXCLUSIVE_LOCKS_REQUIRED(interface.setup) {
  record.start = reinterpret_cast<uint64_t>(md.start);
  record.length = md.length;
  record.options = md.options;
  record.iov = 0;
  record.iov_count = 0;
  record.mapping = 0;
  record.pending.store(0, std::memory_order_relaxed);
  if ((md.options & PTL_IOVEC) != 0) {
    Arena::Block iov;
    const int result =
        portals4::StoreIov(interface, md.start, md.length, iov, record.length);
    if (result != PTL_OK) return result;
    record.iov = iov.first + 1;
    record.iov_count = iov.count;
    interface.md_iovs[slot] = iov;
    return PTL_OK;
  }
  if (md.length == PTL_SIZE_MAX) return PTL_OK;
  if (md.length > portals4::Knobs().Limit("max_md_length", PTL_SIZE_MAX)) {
    return PTL_ARG_INVALID;
  }
  record.mapping = portals4::FindBacking(interface.view(), interface.maps,
                                         record.start, record.length)
                       .mapping;
  return PTL_OK;
}

bool IsPending(ptl_handle_md_t handle) {
  const portals4::Named<MdRecord> md = portals4::FindMd(handle);
  return md && md->pending.load(std::memory_order_acquire) > 0;
}

// Waits, up to a time limit, until the operations on a descriptor have ended.
// This helps a program that releases a descriptor after the last event. The
// event may arrive a moment before its operation is over, and before the target
// has acknowledged the operation.
void WaitOutPending(ptl_handle_md_t handle) {
  if (!IsPending(handle)) return;
  const int64_t end = gasnet::NowNanos() + portals4::kInUsePatience;
  while (portals4::PollCarrier() && IsPending(handle) &&
         gasnet::NowNanos() < end) {
    sched_yield();
  }
}

}  // namespace

int PtlMDBind(ptl_handle_ni_t ni_handle, const ptl_md_t* md,
              ptl_handle_md_t* md_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr || md == nullptr || md_handle == nullptr) {
    return PTL_ARG_INVALID;
  }
  if (md->length == PTL_SIZE_MAX && (md->options & PTL_IOVEC) == 0 &&
      portals4::Knobs().Limit("max_md_length", PTL_SIZE_MAX) < PTL_SIZE_MAX) {
    return PTL_ARG_INVALID;
  }
  const absl::MutexLock lock(&interface->setup);
  const uint32_t slot = interface->view().TakeMd();
  if (slot == 0) return PTL_NO_SPACE;
  MdRecord& record = *interface->view().MdAt(slot);
  const int result = Check(*interface, *md, record)
                         ? Fill(*interface, *md, slot, record)
                         : PTL_ARG_INVALID;
  if (result != PTL_OK) {
    interface->view().GiveMd(slot);
    return result;
  }
  record.slot.Renew(portals4::RecordPhase::kLive);
  *md_handle = portals4::MakeHandle(Object::kMd, interface->identity().index,
                                    ObjectRef::Make(slot, record.slot));
  return PTL_OK;
}

int PtlMDRelease(ptl_handle_md_t md_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const portals4::Named<MdRecord> md = portals4::FindMd(md_handle);
  if (!md) return PTL_ARG_INVALID;
  WaitOutPending(md_handle);
  const absl::MutexLock lock(&md.interface->setup);
  if (portals4::FindMd(md_handle).record == nullptr) return PTL_ARG_INVALID;
  if (md->pending.load(std::memory_order_acquire) > 0 ||
      portals4::Knobs().Happens(portals4::Fault::kInUse)) {
    return PTL_IN_USE;
  }
  md->slot.Become(portals4::RecordPhase::kFree);
  const uint32_t slot = ObjectRef::Slot(portals4::RefOf(md_handle));
  if (const auto iov = md.interface->md_iovs.extract(slot)) {
    md.interface->iovs.Give(iov.mapped());
  }
  md.interface->view().GiveMd(slot);
  return PTL_OK;
}
