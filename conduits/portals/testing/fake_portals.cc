#include "conduits/portals/testing/fake_portals.h"

#include <cstring>

namespace {

template <class Handle>
Handle Make(uint64_t number) {
  Handle handle = {};
  handle.object = FakePortals::now;
  handle.incarnation = number;
  return handle;
}

bool Covers(ptl_handle_md_t md, ptl_size_t offset, ptl_size_t length) {
  const auto at = FakePortals::now->bound.find(md.incarnation);
  if (at == FakePortals::now->bound.end()) return false;
  const ptl_size_t room = at->second.length;
  return offset <= room && length <= room - offset;
}

int Begin(ptl_handle_md_t md, ptl_size_t offset, ptl_size_t length,
          ptl_process_t target, ptl_pt_index_t table, void* user) {
  if (!Covers(md, offset, length)) return PTL_ARG_INVALID;
  FakePortals::now->operations.push_back(
      {md.incarnation, offset, length, user, table});
  FakePortals::now->last_target = target.rank;
  return PTL_OK;
}

void* AddressOf(ptl_handle_md_t md, ptl_size_t offset) {
  return reinterpret_cast<void*>(FakePortals::now->bound[md.incarnation].start +
                                 offset);
}

// Records an atomic on one item. `fetched` is null if the item is not fetched.
int BeginItem(FakePortals::ItemAtomic atomic, ptl_handle_md_t md,
              ptl_size_t local, ptl_size_t length, ptl_process_t target,
              ptl_pt_index_t table, const void* compared, void* user) {
  const int answer = Begin(md, local, length, target, table, user);
  if (answer != PTL_OK) return answer;
  std::memcpy(&atomic.source, AddressOf(md, local), length);
  if (compared != nullptr) std::memcpy(&atomic.compared, compared, length);
  FakePortals::now->item_atomics.push_back(atomic);
  return PTL_OK;
}

}  // namespace

extern "C" {
int PtlInit(void) { return PTL_OK; }
int PtlNIInit(ptl_interface_t, unsigned int options, ptl_pid_t,
              const ptl_ni_limits_t* wanted, ptl_ni_limits_t* actual,
              ptl_handle_ni_t* ni) {
  if (options != (PTL_NI_MATCHING | PTL_NI_LOGICAL)) return PTL_ARG_INVALID;
  *actual = *wanted;
  actual->features &= FakePortals::now->features;
  *ni = Make<ptl_handle_ni_t>(1000);
  return PTL_OK;
}
int PtlSetMap(ptl_handle_ni_t, ptl_size_t size, const ptl_process_t* map) {
  FakePortals::now->map.assign(map, map + size);
  FakePortals::now->appended_before_map = FakePortals::now->appended.size();
  return PTL_IGNORED;
}
int PtlGetUid(ptl_handle_ni_t, ptl_uid_t* uid) {
  *uid = 7;
  return PTL_OK;
}
int PtlGetPhysId(ptl_handle_ni_t, ptl_process_t* id) {
  id->phys.nid = 3;
  id->phys.pid = 4;
  return PTL_OK;
}
int PtlEQAlloc(ptl_handle_ni_t, ptl_size_t, ptl_handle_eq_t* eq) {
  *eq = Make<ptl_handle_eq_t>(++FakePortals::now->queues);
  return PTL_OK;
}
int PtlEQGet(ptl_handle_eq_t eq, ptl_event_t* event) {
  std::deque<ptl_event_t>& events = FakePortals::now->events[eq.incarnation];
  if (events.empty()) return PTL_EQ_EMPTY;
  *event = events.front();
  events.pop_front();
  FakePortals::now->taken.push_back(eq.incarnation);
  return PTL_OK;
}
int PtlEQPoll(const ptl_handle_eq_t* eqs, unsigned int size, ptl_time_t,
              ptl_event_t* event, unsigned int* which) {
  for (*which = 0; *which < size; ++*which) {
    if (PtlEQGet(eqs[*which], event) == PTL_OK) return PTL_OK;
  }
  return PTL_EQ_EMPTY;
}
int PtlPTAlloc(ptl_handle_ni_t, unsigned int, ptl_handle_eq_t eq,
               ptl_pt_index_t wanted, ptl_pt_index_t* index) {
  FakePortals::now->tables[wanted] = eq.incarnation;
  *index = wanted;
  return PTL_OK;
}
int PtlPTEnable(ptl_handle_ni_t, ptl_pt_index_t) { return PTL_OK; }
int PtlMDBind(ptl_handle_ni_t, const ptl_md_t* md, ptl_handle_md_t* handle) {
  if (md->length > FakePortals::now->longest) return PTL_ARG_INVALID;
  if (FakePortals::now->bound.size() >= FakePortals::now->most_bound)
    return PTL_NO_SPACE;
  FakePortals::now->md_options.push_back(md->options);
  *handle = Make<ptl_handle_md_t>(++FakePortals::now->descriptors);
  FakePortals::now->bound[handle->incarnation] = {
      reinterpret_cast<uintptr_t>(md->start), md->length};
  return PTL_OK;
}
int PtlNIFini(ptl_handle_ni_t) { return PTL_OK; }
void PtlFini() {}
int PtlMDRelease(ptl_handle_md_t handle) {
  if (FakePortals::now->busy > 0) {
    --FakePortals::now->busy;
    return PTL_IN_USE;
  }
  return FakePortals::now->bound.erase(handle.incarnation) == 1
             ? PTL_OK
             : PTL_ARG_INVALID;
}
int PtlMEAppend(ptl_handle_ni_t, ptl_pt_index_t index, const ptl_me_t* me,
                ptl_list_t list, void* user, ptl_handle_me_t* handle) {
  if (list != PTL_PRIORITY_LIST || me->uid != 7 ||
      me->match_id.rank != PTL_RANK_ANY) {
    return PTL_ARG_INVALID;
  }
  if (FakePortals::now->appended.size() >= FakePortals::now->most_appended) {
    return PTL_NO_SPACE;
  }
  FakePortals::now->appended.push_back({index, *me, user});
  if (me->ct_handle.incarnation != 0) {
    FakePortals::now->entry_counters[me->match_bits] =
        me->ct_handle.incarnation;
  }
  *handle = Make<ptl_handle_me_t>(500);
  if ((me->options & PTL_ME_EVENT_LINK_DISABLE) != 0) return PTL_OK;
  ptl_event_t event = {};
  event.type = PTL_EVENT_LINK;
  event.ni_fail_type = FakePortals::now->link_result;
  event.user_ptr = user;
  FakePortals::now->events[FakePortals::now->tables[index]].push_back(event);
  return PTL_OK;
}
int PtlPut(ptl_handle_md_t md, ptl_size_t offset, ptl_size_t length,
           ptl_ack_req_t ack, ptl_process_t target, ptl_pt_index_t table,
           ptl_match_bits_t, ptl_size_t, void* user, ptl_hdr_data_t) {
  if (ack != PTL_ACK_REQ) return PTL_ARG_INVALID;
  return Begin(md, offset, length, target, table, user);
}
int PtlGet(ptl_handle_md_t md, ptl_size_t offset, ptl_size_t length,
           ptl_process_t target, ptl_pt_index_t table, ptl_match_bits_t,
           ptl_size_t, void* user) {
  return Begin(md, offset, length, target, table, user);
}
int PtlCTAlloc(ptl_handle_ni_t, ptl_handle_ct_t* ct) {
  *ct = Make<ptl_handle_ct_t>(++FakePortals::now->counters);
  return PTL_OK;
}
int PtlCTGet(ptl_handle_ct_t ct, ptl_ct_event_t* count) {
  *count = FakePortals::now->counts[ct.incarnation];
  return PTL_OK;
}
int PtlAtomicSync(void) { return PTL_OK; }
int PtlAtomic(ptl_handle_md_t md, ptl_size_t local, ptl_size_t length,
              ptl_ack_req_t ack, ptl_process_t target, ptl_pt_index_t table,
              ptl_match_bits_t, ptl_size_t offset, void* user, ptl_hdr_data_t,
              ptl_op_t operation, ptl_datatype_t type) {
  if (length <= 8) {
    if (ack != PTL_ACK_REQ) return PTL_ARG_INVALID;
    return BeginItem({.call = FakePortals::ItemAtomic::Call::kAtomic,
                      .operation = operation,
                      .type = type,
                      .offset = offset},
                     md, local, length, target, table, nullptr, user);
  }
  if (operation != PTL_MAX || type != PTL_INT64_T || length != 16) {
    return PTL_ARG_INVALID;
  }
  FakePortals::now->atomics.push_back(target.rank);
  return PTL_OK;
}
int PtlFetchAtomic(ptl_handle_md_t get_md, ptl_size_t get_local,
                   ptl_handle_md_t put_md, ptl_size_t put_local,
                   ptl_size_t length, ptl_process_t target,
                   ptl_pt_index_t table, ptl_match_bits_t, ptl_size_t offset,
                   void* user, ptl_hdr_data_t, ptl_op_t operation,
                   ptl_datatype_t type) {
  if (!Covers(get_md, get_local, length)) return PTL_ARG_INVALID;
  return BeginItem({.call = FakePortals::ItemAtomic::Call::kFetch,
                    .operation = operation,
                    .type = type,
                    .offset = offset,
                    .fetched = AddressOf(get_md, get_local)},
                   put_md, put_local, length, target, table, nullptr, user);
}
int PtlSwap(ptl_handle_md_t get_md, ptl_size_t get_local,
            ptl_handle_md_t put_md, ptl_size_t put_local, ptl_size_t length,
            ptl_process_t target, ptl_pt_index_t table, ptl_match_bits_t,
            ptl_size_t offset, void* user, ptl_hdr_data_t, const void* compared,
            ptl_op_t operation, ptl_datatype_t type) {
  if (!Covers(get_md, get_local, length)) return PTL_ARG_INVALID;
  return BeginItem({.call = FakePortals::ItemAtomic::Call::kSwap,
                    .operation = operation,
                    .type = type,
                    .offset = offset,
                    .fetched = AddressOf(get_md, get_local)},
                   put_md, put_local, length, target, table, compared, user);
}
int PtlTriggeredAtomic(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_ack_req_t,
                       ptl_process_t target, ptl_pt_index_t, ptl_match_bits_t,
                       ptl_size_t, void*, ptl_hdr_data_t, ptl_op_t operation,
                       ptl_datatype_t type, ptl_handle_ct_t counter,
                       ptl_size_t threshold) {
  if (operation != PTL_MAX || type != PTL_INT64_T) return PTL_ARG_INVALID;
  FakePortals::now->triggered.push_back({.counter = counter.incarnation,
                                         .threshold = threshold,
                                         .target = target.rank});
  return PTL_OK;
}
int PtlTriggeredPut(ptl_handle_md_t md, ptl_size_t offset, ptl_size_t length,
                    ptl_ack_req_t, ptl_process_t target, ptl_pt_index_t,
                    ptl_match_bits_t, ptl_size_t, void*, ptl_hdr_data_t,
                    ptl_handle_ct_t counter, ptl_size_t threshold) {
  if (!Covers(md, offset, length)) return PTL_ARG_INVALID;
  FakePortals::now->triggered.push_back({.counter = counter.incarnation,
                                         .threshold = threshold,
                                         .target = target.rank});
  return PTL_OK;
}
int PtlTriggeredCTInc(ptl_handle_ct_t ct, ptl_ct_event_t increment,
                      ptl_handle_ct_t counter, ptl_size_t threshold) {
  if (increment.success != 1 || increment.failure != 0) return PTL_ARG_INVALID;
  FakePortals::now->triggered.push_back({.counter = counter.incarnation,
                                         .threshold = threshold,
                                         .incremented = ct.incarnation});
  return PTL_OK;
}
}
