// The calls for list entries: append, unlink, search.
#include "portals/api/entry_calls.h"

#include <algorithm>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "portals/api/check.h"
#include "portals/api/initiate.h"
#include "portals/api/iov.h"
#include "portals/api/knobs.h"
#include "portals/engine/append.h"
#include "portals/memory/presence.h"
#include "portals/memory/shared_maps.h"
#include "portals4.h"

namespace gasnet::portals4 {
namespace {

constexpr unsigned kCountOptions =
    PTL_ME_EVENT_CT_COMM | PTL_ME_EVENT_CT_OVERFLOW | PTL_ME_EVENT_CT_BYTES;

uint64_t CareAboutId(const Interface& interface, ptl_process_t id) {
  if (interface.logical()) return id.rank == PTL_RANK_ANY ? 0 : ~uint64_t{0};
  const uint64_t nid = id.phys.nid == PTL_NID_ANY ? 0 : 0xffffffff;
  const uint64_t pid = id.phys.pid == PTL_PID_ANY ? 0 : 0xffffffff;
  return (pid << 32) | nid;
}

void FillMatching(const Interface& interface, const ptl_me_t& me,
                  EntryRecord& entry) {
  entry.match_bits = me.match_bits;
  entry.care_bits = ~me.ignore_bits;
  entry.match_id = interface.logical() ? uint64_t{me.match_id.rank}
                                       : PackPhysical(me.match_id.phys.nid,
                                                      me.match_id.phys.pid);
  entry.care_id = CareAboutId(interface, me.match_id);
  entry.min_free = me.min_free;
}

// Returns true if the memory of all iovec elements is mapped for this access.
bool ArePresent(const Interface& interface, Arena::Block elements,
                Access access) {
  const IovRecord* const records =
      interface.view().Iovs(elements.first, elements.count);
  return std::all_of(records, records + elements.count,
                     [access](const IovRecord& element) {
                       return IsPresent(element.start, element.length, access);
                     });
}

// Stores the elements of an iovec, for an entry that is to be appended.
int FillElements(Interface& interface, const ptl_me_t& me, Access access,
                 Arena::Block& elements, EntryRecord& entry)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(interface.setup) {
  interface.OfferHelp();
  const int result =
      StoreIov(interface, me.start, me.length, elements, entry.length);
  if (result != PTL_OK) return result;
  if (!interface.allows_inaccessible() &&
      !ArePresent(interface, elements, access)) {
    interface.iovs.Give(elements);
    return PTL_ARG_INVALID;
  }
  entry.iov = elements.first + 1;
  entry.iov_count = elements.count;
  return PTL_OK;
}

// Fills in the memory of an entry that is to be appended. If the memory is an
// iovec, stores its elements in `elements`.
int FillMemory(Interface& interface, const ptl_me_t& me, Arena::Block& elements,
               EntryRecord& entry)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(interface.setup) {
  entry.start = reinterpret_cast<uint64_t>(me.start);
  entry.length = me.length;
  entry.iov = 0;
  entry.iov_count = 0;
  entry.mapping = 0;
  const bool puts = (me.options & PTL_ME_OP_PUT) != 0;
  if ((me.options & PTL_IOVEC) != 0) {
    return FillElements(interface, me, puts ? Access::kWrite : Access::kRead,
                        elements, entry);
  }
  const Backing backing =
      FindBacking(interface.view(), interface.maps, entry.start, entry.length);
  entry.mapping = backing.mapping;
  const bool is_mapped = entry.mapping != 0 && interface.peers_can_map();
  if (!is_mapped && entry.length > 0) interface.OfferHelp();
  if (interface.allows_inaccessible()) return PTL_OK;
  const bool there = puts ? backing.writable : backing.readable;
  // This interface accepts only accessible memory. So the entry gets the option
  // even if the caller did not set it.
  entry.options |= PTL_ME_IS_ACCESSIBLE;
  return there ? PTL_OK : PTL_ARG_INVALID;
}

// Fills in all fields of an entry except the memory. Returns false if an
// argument is invalid.
bool Fill(const Interface& interface, const ptl_me_t& me, uint64_t user_ptr,
          uint32_t pt_list, EntryRecord& entry) {
  const auto mask =
      static_cast<unsigned>(interface.matching() ? PTL_ME_APPEND_OPTIONS_MASK
                                                 : PTL_LE_APPEND_OPTIONS_MASK);
  if ((me.options & ~mask) != 0 ||
      !CtOrNone(interface, me.ct_handle, entry.ct) ||
      ((me.options & kCountOptions) != 0 && entry.ct == kNoRef)) {
    return false;
  }
  entry.offset = 0;
  entry.options = me.options;
  entry.uid = me.uid;
  entry.user_ptr = user_ptr;
  entry.flights = 0;
  entry.headers = 0;
  entry.unlinked = 0;
  entry.pt_list = pt_list;
  FillMatching(interface, me, entry);
  return true;
}

bool IsAllocated(const Interface& interface, ptl_pt_index_t index) {
  const PtRecord* const pt = interface.view().Pt(index);
  return pt != nullptr &&
         pt->state.load(std::memory_order_acquire) != PtRecord::kFree;
}

// Converts a list entry to a match list entry that matches everything.
ptl_me_t AsMe(const ptl_le_t& le) {
  ptl_me_t me = {};
  me.start = le.start;
  me.length = le.length;
  me.ct_handle = le.ct_handle;
  me.uid = le.uid;
  me.options = le.options;
  me.match_id.phys = {PTL_NID_ANY, PTL_PID_ANY};
  me.ignore_bits = ~ptl_match_bits_t{0};
  return me;
}

}  // namespace

int MakeEntry(ptl_handle_ni_t ni_handle, bool matching, ptl_pt_index_t index,
              const ptl_me_t& me, ptl_list_t list, void* user_ptr,
              RecordPhase phase, Named<EntryRecord>& made) {
  Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr || interface->matching() != matching ||
      !IsAllocated(*interface, index) ||
      (list != PTL_PRIORITY_LIST && list != PTL_OVERFLOW_LIST)) {
    return PTL_ARG_INVALID;
  }
  const absl::MutexLock lock(&interface->setup);
  const uint32_t slot = interface->view().TakeEntry();
  if (slot == 0) return PTL_NO_SPACE;
  EntryRecord& entry = *interface->view().EntryAt(slot);
  Arena::Block elements;
  int result = PTL_ARG_INVALID;
  if (Fill(*interface, me, reinterpret_cast<uint64_t>(user_ptr),
           (index << 1) | list, entry)) {
    if (!matching) entry.care_id = 0;
    result = FillMemory(*interface, me, elements, entry);
  }
  if (result != PTL_OK) {
    interface->view().GiveEntry(slot);
    return result;
  }
  entry.slot.Renew(phase);
  if (elements.count > 0) {
    interface->entry_iovs.push_back({slot, entry.slot.generation(), elements});
  }
  made = {interface, &entry};
  return PTL_OK;
}

ptl_handle_me_t HandleOf(const Named<EntryRecord>& entry) {
  return MakeHandle(
      Object::kEntry, entry.interface->identity().index,
      EntryRef::Make(entry.interface->view().SlotOf(*entry), entry->slot));
}

void DropEntry(const Named<EntryRecord>& entry) {
  entry->slot.Become(RecordPhase::kFree);
  entry.interface->view().GiveEntry(entry.interface->view().SlotOf(*entry));
}

namespace {

int Append(ptl_handle_ni_t ni_handle, bool matching, ptl_pt_index_t index,
           const ptl_me_t& me, ptl_list_t list, void* user_ptr,
           ptl_handle_me_t* handle) {
  if (Knobs().Happens(Fault::kNoSpace)) return PTL_NO_SPACE;
  Named<EntryRecord> made;
  const int result = MakeEntry(ni_handle, matching, index, me, list, user_ptr,
                               RecordPhase::kPending, made);
  if (result != PTL_OK) return result;
  // Stores the handle before the append. A peer can use
  // the entry once it is appended. The resulting event can make another thread
  // read the handle.
  *handle = HandleOf(made);
  const int appended = AppendEntry(made.interface->own(), *made);
  if (appended != PTL_OK) DropEntry(made);
  RunDueTriggers();
  return appended;
}

int Search(ptl_handle_ni_t ni_handle, bool matching, ptl_pt_index_t index,
           const ptl_me_t& me, ptl_search_op_t operation, void* user_ptr) {
  Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr || interface->matching() != matching ||
      !IsAllocated(*interface, index) || operation > PTL_SEARCH_DELETE) {
    return PTL_ARG_INVALID;
  }
  EntryRecord probe = {};
  if (!Fill(*interface, me, reinterpret_cast<uint64_t>(user_ptr), index << 1,
            probe)) {
    return PTL_ARG_INVALID;
  }
  if (!matching) probe.care_id = 0;
  probe.length = me.length;
  const int result = SearchHeaders(interface->own(), index, probe,
                                   operation == PTL_SEARCH_DELETE);
  RunDueTriggers();
  return result;
}

int UnlinkHandle(ptl_handle_me_t handle, bool matching) {
  const Named<EntryRecord> entry = FindEntryNamed(handle);
  if (!entry || entry.interface->matching() != matching) {
    return PTL_ARG_INVALID;
  }
  if (Knobs().Happens(Fault::kInUse)) return PTL_IN_USE;
  return UnlinkEntry(entry.interface->own(), RefOf(handle));
}

}  // namespace
}  // namespace gasnet::portals4

namespace portals4 = gasnet::portals4;

int PtlMEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index,
                const ptl_me_t* me, ptl_list_t ptl_list, void* user_ptr,
                ptl_handle_me_t* me_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  if (me == nullptr || me_handle == nullptr) return PTL_ARG_INVALID;
  return portals4::Append(ni_handle, true, pt_index, *me, ptl_list, user_ptr,
                          me_handle);
}

int PtlLEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index,
                const ptl_le_t* le, ptl_list_t ptl_list, void* user_ptr,
                ptl_handle_le_t* le_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  if (le == nullptr || le_handle == nullptr) return PTL_ARG_INVALID;
  return portals4::Append(ni_handle, false, pt_index, portals4::AsMe(*le),
                          ptl_list, user_ptr, le_handle);
}

int PtlMEUnlink(ptl_handle_me_t me_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  return portals4::UnlinkHandle(me_handle, true);
}

int PtlLEUnlink(ptl_handle_le_t le_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  return portals4::UnlinkHandle(le_handle, false);
}

int PtlMESearch(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index,
                const ptl_me_t* me, ptl_search_op_t ptl_search_op,
                void* user_ptr) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  if (me == nullptr) return PTL_ARG_INVALID;
  return portals4::Search(ni_handle, true, pt_index, *me, ptl_search_op,
                          user_ptr);
}

int PtlLESearch(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index,
                const ptl_le_t* le, ptl_search_op_t ptl_search_op,
                void* user_ptr) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  if (le == nullptr) return PTL_ARG_INVALID;
  return portals4::Search(ni_handle, false, pt_index, portals4::AsMe(*le),
                          ptl_search_op, user_ptr);
}
