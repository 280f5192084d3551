// The C functions of gasnet/{extended,value,sync,barrier}.h (spec 3). They
// convert the layer's results to GASNET_ERR_*.
#include <optional>

#include "export/barrier_call.h"
#include "export/observed.h"
#include "extended/extended.h"
#include "gasnet.h"

namespace {
using gasnet::exported::Bytes;
using gasnet::exported::Run;
using gasnet::exported::ToNode;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;
using ExtendedFront = gasnet::extended::Front;
using ExtendedBarriers = gasnet::extended::Barriers;
using gasnet::extended::BarrierCall;
using gasnet::extended::Iop;
using gasnet::extended::Serving;

// The names of client calls that may lead to these functions, for error
// messages (gasnet/extended.h).
#ifdef GASNET_DEBUG
constexpr char kGetWord[] = "gasnet_get_val";
constexpr char kPutWord[] = "gasnet_put_val";
constexpr char kPutWordNb[] = "gasnet_put_nb_val";
constexpr char kPutWordNbi[] = "gasnet_put_nbi_val";
#else
constexpr char kGetWord[] = "gasnet_get or gasnet_get_val";
constexpr char kPutWord[] = "gasnet_put or gasnet_put_val";
constexpr char kPutWordNb[] = "gasnet_put_nb or gasnet_put_nb_val";
constexpr char kPutWordNbi[] = "gasnet_put_nbi or gasnet_put_nbi_val";
#endif

int Answer(bool done) { return done ? GASNET_OK : GASNET_ERR_NOT_READY; }

int Answer(ExtendedBarriers::Outcome outcome) {
  switch (outcome) {
    case ExtendedBarriers::Outcome::kNotYet:
      return GASNET_ERR_NOT_READY;
    case ExtendedBarriers::Outcome::kMatched:
      return GASNET_OK;
    case ExtendedBarriers::Outcome::kMismatched:
      return GASNET_ERR_BARRIER_MISMATCH;
  }
  __builtin_unreachable();
}

// Checks the call. A barrier function must call Checked() before it uses this
// rank's barriers, since they may not exist yet.
BarrierCall Checked(const char* call, int id, int flags) {
  gasnet::extended::CheckCall(call);
  gasnet::exported::CheckBarrierFlags(call, flags);
  return gasnet::exported::BarrierCallOf(id, flags);
}
}  // namespace

extern "C" {

// Functions for blocking transfers.

void gasneti_get(void* dest, gasnet_node_t node, const void* src,
                 size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGet, &gasneti_get, ToNode<1>, Bytes<3>>(dest, node, src,
                                                              nbytes);
  ExtendedFront::Get("gasnet_get", dest, node, src, nbytes);
}
void gasneti_put(gasnet_node_t node, void* dest, const void* src,
                 size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPut, &gasneti_put, ToNode<0>, Bytes<3>>(node, dest, src,
                                                              nbytes);
  ExtendedFront::Put("gasnet_put", node, dest, src, nbytes);
}
void gasneti_get_bulk(void* dest, gasnet_node_t node, const void* src,
                      size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetBulk, &gasneti_get_bulk, ToNode<1>, Bytes<3>>(
        dest, node, src, nbytes);
  ExtendedFront::Get("gasnet_get_bulk", dest, node, src, nbytes);
}
void gasneti_put_bulk(gasnet_node_t node, void* dest, const void* src,
                      size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutBulk, &gasneti_put_bulk, ToNode<0>, Bytes<3>>(
        node, dest, src, nbytes);
  ExtendedFront::Put("gasnet_put_bulk", node, dest, src, nbytes);
}
void gasneti_memset(gasnet_node_t node, void* dest, int val, size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kMemset, &gasneti_memset, ToNode<0>, Bytes<3>>(
        node, dest, val, nbytes);
  ExtendedFront::Memset("gasnet_memset", node, dest, val, nbytes);
}

// Functions for transfers with an explicit handle.

gasnet_handle_t gasneti_get_nb(void* dest, gasnet_node_t node, const void* src,
                               size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetNb, &gasneti_get_nb, ToNode<1>, Bytes<3>>(dest, node,
                                                                   src, nbytes);
  return ExtendedFront::GetNb("gasnet_get_nb", dest, node, src, nbytes);
}
gasnet_handle_t gasneti_put_nb(gasnet_node_t node, void* dest, const void* src,
                               size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutNb, &gasneti_put_nb, ToNode<0>, Bytes<3>>(node, dest,
                                                                   src, nbytes);
  return ExtendedFront::PutNb("gasnet_put_nb", node, dest, src, nbytes);
}
gasnet_handle_t gasneti_get_nb_bulk(void* dest, gasnet_node_t node,
                                    const void* src, size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetNbBulk, &gasneti_get_nb_bulk, ToNode<1>, Bytes<3>>(
        dest, node, src, nbytes);
  return ExtendedFront::GetNb("gasnet_get_nb_bulk", dest, node, src, nbytes);
}
gasnet_handle_t gasneti_put_nb_bulk(gasnet_node_t node, void* dest,
                                    const void* src, size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutNbBulk, &gasneti_put_nb_bulk, ToNode<0>, Bytes<3>>(
        node, dest, src, nbytes);
  return ExtendedFront::PutNb("gasnet_put_nb_bulk", node, dest, src, nbytes,
                              gasnet::extended::Source::kStays);
}
gasnet_handle_t gasneti_memset_nb(gasnet_node_t node, void* dest, int val,
                                  size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kMemsetNb, &gasneti_memset_nb, ToNode<0>, Bytes<3>>(
        node, dest, val, nbytes);
  return ExtendedFront::MemsetNb("gasnet_memset_nb", node, dest, val, nbytes);
}

// Functions for transfers with an implicit handle.

void gasneti_get_nbi(void* dest, gasnet_node_t node, const void* src,
                     size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetNbi, &gasneti_get_nbi, ToNode<1>, Bytes<3>>(
        dest, node, src, nbytes);
  ExtendedFront::GetNbi("gasnet_get_nbi", dest, node, src, nbytes);
}
void gasneti_put_nbi(gasnet_node_t node, void* dest, const void* src,
                     size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutNbi, &gasneti_put_nbi, ToNode<0>, Bytes<3>>(
        node, dest, src, nbytes);
  ExtendedFront::PutNbi("gasnet_put_nbi", node, dest, src, nbytes);
}
void gasneti_get_nbi_bulk(void* dest, gasnet_node_t node, const void* src,
                          size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetNbiBulk, &gasneti_get_nbi_bulk, ToNode<1>, Bytes<3>>(
        dest, node, src, nbytes);
  ExtendedFront::GetNbi("gasnet_get_nbi_bulk", dest, node, src, nbytes);
}
void gasneti_put_nbi_bulk(gasnet_node_t node, void* dest, const void* src,
                          size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutNbiBulk, &gasneti_put_nbi_bulk, ToNode<0>, Bytes<3>>(
        node, dest, src, nbytes);
  ExtendedFront::PutNbi("gasnet_put_nbi_bulk", node, dest, src, nbytes,
                        gasnet::extended::Source::kStays);
}
void gasneti_memset_nbi(gasnet_node_t node, void* dest, int val,
                        size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kMemsetNbi, &gasneti_memset_nbi, ToNode<0>, Bytes<3>>(
        node, dest, val, nbytes);
  ExtendedFront::MemsetNbi("gasnet_memset_nbi", node, dest, val, nbytes);
}

// Functions for register values.

void gasneti_put_val(gasnet_node_t node, void* dest,
                     gasnet_register_value_t value, size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutVal, &gasneti_put_val, ToNode<0>, Bytes<3>>(
        node, dest, value, nbytes);
  ExtendedFront::PutValue(kPutWord, node, dest, value, nbytes);
}
gasnet_handle_t gasneti_put_nb_val(gasnet_node_t node, void* dest,
                                   gasnet_register_value_t value,
                                   size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutNbVal, &gasneti_put_nb_val, ToNode<0>, Bytes<3>>(
        node, dest, value, nbytes);
  return ExtendedFront::PutValueNb(kPutWordNb, node, dest, value, nbytes);
}
void gasneti_put_nbi_val(gasnet_node_t node, void* dest,
                         gasnet_register_value_t value, size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutNbiVal, &gasneti_put_nbi_val, ToNode<0>, Bytes<3>>(
        node, dest, value, nbytes);
  ExtendedFront::PutValueNbi(kPutWordNbi, node, dest, value, nbytes);
}
gasnet_register_value_t gasneti_get_val(gasnet_node_t node, const void* src,
                                        size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetVal, &gasneti_get_val, ToNode<0>, Bytes<2>>(node, src,
                                                                     nbytes);
  return ExtendedFront::GetValue(kGetWord, node, src, nbytes);
}
gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, const void* src,
                                         size_t nbytes) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetNbVal, &gasnet_get_nb_val, ToNode<0>, Bytes<2>>(
        node, src, nbytes);
  return ExtendedFront::GetValueNb("gasnet_get_nb_val", node, src, nbytes);
}
gasnet_register_value_t gasnet_wait_syncnb_valget(
    gasnet_valget_handle_t handle) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kWaitSyncnbValget, &gasnet_wait_syncnb_valget>(handle);
  return ExtendedFront::WaitValue("gasnet_wait_syncnb_valget", handle);
}

// Functions that synchronise explicit handles.

void gasneti_wait_syncnb(gasnet_handle_t handle) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kWaitSyncnb, &gasneti_wait_syncnb>(handle);
  ExtendedFront::Wait("gasnet_wait_syncnb", handle);
}
int gasneti_try_syncnb(gasnet_handle_t handle) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kTrySyncnb, &gasneti_try_syncnb>(handle);
  return Answer(ExtendedFront::Try("gasnet_try_syncnb", handle));
}
void gasnet_wait_syncnb_all(gasnet_handle_t* handles, size_t numhandles) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kWaitSyncnbAll, &gasnet_wait_syncnb_all>(handles,
                                                              numhandles);
  ExtendedFront::WaitAll("gasnet_wait_syncnb_all", handles, numhandles);
}
int gasnet_try_syncnb_all(gasnet_handle_t* handles, size_t numhandles) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kTrySyncnbAll, &gasnet_try_syncnb_all>(handles,
                                                            numhandles);
  return Answer(
      ExtendedFront::TryAll("gasnet_try_syncnb_all", handles, numhandles));
}
void gasnet_wait_syncnb_some(gasnet_handle_t* handles, size_t numhandles) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kWaitSyncnbSome, &gasnet_wait_syncnb_some>(handles,
                                                                numhandles);
  ExtendedFront::WaitSome("gasnet_wait_syncnb_some", handles, numhandles);
}
int gasnet_try_syncnb_some(gasnet_handle_t* handles, size_t numhandles) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kTrySyncnbSome, &gasnet_try_syncnb_some>(handles,
                                                              numhandles);
  return Answer(
      ExtendedFront::TrySome("gasnet_try_syncnb_some", handles, numhandles));
}
int gasneti_try_syncnb_nopoll(gasnet_handle_t handle) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kTrySyncnbNopoll, &gasneti_try_syncnb_nopoll>(handle);
  return Answer(
      ExtendedFront::Try("gasnet_try_syncnb_nopoll", handle, Serving::kNot));
}
int gasnet_try_syncnb_all_nopoll(gasnet_handle_t* handles, size_t numhandles) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kTrySyncnbAllNopoll, &gasnet_try_syncnb_all_nopoll>(
        handles, numhandles);
  return Answer(ExtendedFront::TryAll("gasnet_try_syncnb_all_nopoll", handles,
                                      numhandles, Serving::kNot));
}
int gasnet_try_syncnb_some_nopoll(gasnet_handle_t* handles, size_t numhandles) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kTrySyncnbSomeNopoll, &gasnet_try_syncnb_some_nopoll>(
        handles, numhandles);
  return Answer(ExtendedFront::TrySome("gasnet_try_syncnb_some_nopoll", handles,
                                       numhandles, Serving::kNot));
}

// Functions that synchronise implicit handles, and access regions.

void gasnet_wait_syncnbi_gets(void) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kWaitSyncnbiGets, &gasnet_wait_syncnbi_gets>();
  ExtendedFront::WaitImplicit("gasnet_wait_syncnbi_gets", &Iop::GetsDone);
}
void gasnet_wait_syncnbi_puts(void) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kWaitSyncnbiPuts, &gasnet_wait_syncnbi_puts>();
  ExtendedFront::WaitImplicit("gasnet_wait_syncnbi_puts", &Iop::PutsDone);
}
void gasnet_wait_syncnbi_all(void) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kWaitSyncnbiAll, &gasnet_wait_syncnbi_all>();
  ExtendedFront::WaitImplicit("gasnet_wait_syncnbi_all", &Iop::IsDone);
}
int gasnet_try_syncnbi_gets(void) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kTrySyncnbiGets, &gasnet_try_syncnbi_gets>();
  return Answer(
      ExtendedFront::TryImplicit("gasnet_try_syncnbi_gets", &Iop::GetsDone));
}
int gasnet_try_syncnbi_puts(void) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kTrySyncnbiPuts, &gasnet_try_syncnbi_puts>();
  return Answer(
      ExtendedFront::TryImplicit("gasnet_try_syncnbi_puts", &Iop::PutsDone));
}
int gasnet_try_syncnbi_all(void) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kTrySyncnbiAll, &gasnet_try_syncnbi_all>();
  return Answer(
      ExtendedFront::TryImplicit("gasnet_try_syncnbi_all", &Iop::IsDone));
}
void gasnet_begin_nbi_accessregion(void) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kBeginNbiAccessregion, &gasnet_begin_nbi_accessregion>();
  ExtendedFront::BeginRegion("gasnet_begin_nbi_accessregion");
}
gasnet_handle_t gasnet_end_nbi_accessregion(void) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kEndNbiAccessregion, &gasnet_end_nbi_accessregion>();
  return ExtendedFront::EndRegion("gasnet_end_nbi_accessregion");
}

// Functions for barriers.

void gasnet_barrier_notify(int id, int flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kBarrierNotify, &gasnet_barrier_notify>(id, flags);
  const BarrierCall call = Checked("gasnet_barrier_notify", id, flags);
  ExtendedBarriers::Mine().Notify(call);
}
int gasnet_barrier_wait(int id, int flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kBarrierWait, &gasnet_barrier_wait>(id, flags);
  const BarrierCall call = Checked("gasnet_barrier_wait", id, flags);
  return Answer(ExtendedBarriers::Mine().Wait(call));
}
int gasnet_barrier_try(int id, int flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kBarrierTry, &gasnet_barrier_try>(id, flags);
  const BarrierCall call = Checked("gasnet_barrier_try", id, flags);
  return Answer(ExtendedBarriers::Mine().Try(call));
}
int gasnet_barrier(int id, int flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kBarrier, &gasnet_barrier>(id, flags);
  const BarrierCall call = Checked("gasnet_barrier", id, flags);
  ExtendedBarriers::Mine().Notify(call);
  return Answer(ExtendedBarriers::Mine().Wait(call));
}
int gasnet_barrier_result(int* id) {
  gasnet::RequireAttached("gasnet_barrier_result");
  const std::optional<int> name = ExtendedBarriers::Mine().LastName();
  if (name) *id = *name;
  return name ? 0 : 1;
}

}  // extern "C"
