// The statistics of a node count all calls of the client, with their bytes and
// peers, and the handlers that the node has run. They also name the calls in
// which a node waits.
#include <gasnet_coll.h>
#include <gasnet_trace.h>
#include <gasnet_vis.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "conformance/harness.h"
#include "conformance/observe/report.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

enum { kShort = 200, kMedium, kLong, kReplied, kRepliedMedium };

constexpr size_t kBytes = 4096;

// The number of requests that each node sends, and their payload sizes.
constexpr int kShorts = 3;
constexpr int kMediums = 4;
constexpr size_t kOfMedium = 24;
constexpr int kLongs = 2;
constexpr size_t kOfLong = 100;
constexpr int kAsyncs = 1;
constexpr size_t kOfAsync = 40;
constexpr int kRequests = kShorts + kMediums + kLongs + kAsyncs;

int replies = 0;

void OnShort(gasnet_token_t token) {
  CHECK_OK(gasnet_AMReplyShort0(token, kReplied));
}
void OnMedium(gasnet_token_t token, void* buffer, size_t nbytes) {
  CHECK_OK(gasnet_AMReplyMedium0(token, kRepliedMedium, buffer, nbytes));
}
void OnLong(gasnet_token_t token, void*, size_t) {
  CHECK_OK(gasnet_AMReplyShort0(token, kReplied));
}
void OnReplied(gasnet_token_t) { ++replies; }
void OnRepliedMedium(gasnet_token_t, void*, size_t) { ++replies; }

gasnet_handlerentry_t handlers[] = {
    HANDLER(kShort, OnShort),
    HANDLER(kMedium, OnMedium),
    HANDLER(kLong, OnLong),
    HANDLER(kReplied, OnReplied),
    HANDLER(kRepliedMedium, OnRepliedMedium),
};

gasnet_node_t Me() { return gasnet_mynode(); }
gasnet_node_t Next() { return (Me() + 1) % gasnet_nodes(); }
gasnet_node_t Previous() {
  return (Me() + gasnet_nodes() - 1) % gasnet_nodes();
}
char* There() { return SharedMemory(Next()); }

alignas(64) char local[kBytes];

// Returns the statistics since the last reset. Resets them if `reset` is true.
Report Since(bool reset = false) {
  GASNETT_STATS_DUMP(reset);
  const Report report = LastReport();
  CheckTimes(report);
  return report;
}

// Checks the line of a call: its calls, its bytes, and that all calls are
// timed.
void CheckCall(const Report& report, const char* name, uint64_t calls,
               uint64_t bytes = 0) {
  const ReportRow row = report.Of("call", name);
  CHECK_EQ(row.Count("calls"), calls);
  CHECK_EQ(row.Count("bytes"), bytes);
  CHECK_EQ(row.Count("timed"), calls);
}

// Like CheckCall(), for a call that clients inline if the peer's memory is
// mapped. Inlined calls have no line.
void CheckAccess(const Report& report, const char* name, uint64_t calls,
                 uint64_t bytes) {
  if (InlinesAccesses() && report.Of("call", name).columns.empty()) return;
  CheckCall(report, name, calls, bytes);
}

void CheckHandler(const Report& report, int handler, uint64_t runs,
                  uint64_t bytes) {
  const ReportRow row = report.Of("handler", std::to_string(handler));
  CHECK_EQ(row.group, 'A');
  CHECK_EQ(row.Count("runs"), runs);
  CHECK_EQ(row.Count("bytes"), bytes);
}

// Checks the counts of the next and the previous node, and that no call names
// any other peer.
void CheckPeers(const Report& report, uint64_t operations_to_next,
                uint64_t bytes_to_next, uint64_t operations_to_previous,
                uint64_t bytes_to_previous) {
  if (Next() == Previous()) {
    operations_to_next += operations_to_previous;
    bytes_to_next += bytes_to_previous;
  } else {
    const ReportRow row = report.OfPeer(Previous());
    CHECK_EQ(row.Count("operations"), operations_to_previous);
    CHECK_EQ(row.Count("bytes"), bytes_to_previous);
  }
  const ReportRow row = report.OfPeer(Next());
  CHECK_EQ(row.Count("operations"), operations_to_next);
  CHECK_EQ(row.Count("bytes"), bytes_to_next);
  const bool one = Next() == Previous() || operations_to_previous == 0;
  CHECK_EQ(report.tables.at("peer").size(), one ? 1 : 2);
}

void Messages() {
  Since(/*reset=*/true);
  Barrier();  // Requests arrive only after the reset.
  replies = 0;
  for (int i = 0; i < kShorts; ++i) {
    CHECK_OK(gasnet_AMRequestShort0(Next(), kShort));
  }
  for (int i = 0; i < kMediums; ++i) {
    CHECK_OK(gasnet_AMRequestMedium0(Next(), kMedium, local, kOfMedium));
  }
  for (int i = 0; i < kLongs; ++i) {
    CHECK_OK(gasnet_AMRequestLong0(Next(), kLong, local, kOfLong, There()));
  }
  for (int i = 0; i < kAsyncs; ++i) {
    CHECK_OK(
        gasnet_AMRequestLongAsync0(Next(), kLong, local, kOfAsync, There()));
  }
  GASNET_BLOCKUNTIL(replies == kRequests);
  Barrier();  // The previous node now has all its replies too.
  const Report report = Since();
  CheckCall(report, "gasnet_AMRequestShort", kShorts);
  CheckCall(report, "gasnet_AMRequestMedium", kMediums, kMediums * kOfMedium);
  CheckCall(report, "gasnet_AMRequestLong", kLongs, kLongs * kOfLong);
  CheckCall(report, "gasnet_AMRequestLongAsync", kAsyncs, kAsyncs * kOfAsync);
  CheckCall(report, "gasnet_AMReplyShort", kShorts + kLongs + kAsyncs);
  CheckCall(report, "gasnet_AMReplyMedium", kMediums, kMediums * kOfMedium);
  CheckCall(report, "gasnet_AMReplyLong", 0);
  CheckCall(report, "gasnet_AMPoll", 0);
  CheckCall(report, "gasnet_barrier_notify", 2);
  CheckCall(report, "gasnet_barrier_wait", 2);
  CheckHandler(report, kShort, kShorts, 0);
  CheckHandler(report, kMedium, kMediums, kMediums * kOfMedium);
  const size_t of_longs = kLongs * kOfLong + kAsyncs * kOfAsync;
  CheckHandler(report, kLong, kLongs + kAsyncs, of_longs);
  CheckHandler(report, kReplied, kShorts + kLongs + kAsyncs, 0);
  CheckHandler(report, kRepliedMedium, kMediums, kMediums * kOfMedium);
  CheckPeers(report, kRequests, kMediums * kOfMedium + of_longs, kRequests,
             kMediums * kOfMedium);
  CHECK(report.Of("wait", "GASNET_BLOCKUNTIL").Count("waits") <= 1);
}

void Calls() {
  Since(/*reset=*/true);
  for (int i = 0; i < 5; ++i) CHECK_OK(gasnet_AMPoll());
  for (int i = 0; i < 100; ++i) gasnet_wait_syncnbi_all();
  CHECK_OK(gasnet_try_syncnbi_gets());
  gasnet_begin_nbi_accessregion();
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
  const Report report = Since();
  CheckCall(report, "gasnet_AMPoll", 5);
  CHECK_EQ(report.Of("call", "gasnet_AMPoll").group, 'X');
  const ReportRow syncs = report.Of("call", "gasnet_wait_syncnbi_all");
  CHECK_EQ(syncs.Count("calls"), 100);
  CHECK_EQ(syncs.group, 'S');
  // Calls that are made often are only timed now and then.
  CHECK(syncs.Count("timed") < 100);
  CheckCall(report, "gasnet_try_syncnbi_gets", 1);
  CheckCall(report, "gasnet_begin_nbi_accessregion", 1);
  CheckCall(report, "gasnet_end_nbi_accessregion", 1);
  CheckCall(report, "gasnet_wait_syncnb", 1);
  CHECK(report.tables.at("peer").empty());
}

// `size` is a parameter: if it were a constant, the compiler would turn a
// transfer of a word into a transfer of a value.
void Transfers(size_t size) {
  Barrier();
  Since(/*reset=*/true);
  gasnet_put_bulk(Next(), There(), local, size);
  gasnet_put_bulk(Next(), There(), local, 2 * size);
  gasnet_get_bulk(local, Next(), There(), 3 * size);
  gasnet_put(Next(), There(), local, size + 1);
  gasnet_get(local, Next(), There(), size + 2);
  gasnet_memset(Next(), There(), 1, size + 3);
  gasnet_handle_t all[] = {gasnet_put_nb_bulk(Next(), There(), local, size + 4),
                           gasnet_get_nb(local + kBytes / 2, Next(),
                                         There() + kBytes / 2, size + 5)};
  gasnet_wait_syncnb_all(all, COUNT_OF(all));
  gasnet_memset_nbi(Next(), There(), 1, size + 6);
  gasnet_put_nbi(Next(), There() + kBytes / 2, local, size + 7);
  gasnet_wait_syncnbi_puts();
  gasnet_put_val(Next(), There(), 7, 3);
  CHECK_EQ(gasnet_get_val(Next(), There(), 3), 7);
  const gasnet_valget_handle_t value = gasnet_get_nb_val(Next(), There(), 2);
  CHECK_EQ(gasnet_wait_syncnb_valget(value), 7);
  const Report report = Since();
  CheckAccess(report, "gasnet_put_bulk", 2, 3 * size);
  CheckAccess(report, "gasnet_get_bulk", 1, 3 * size);
  CheckAccess(report, "gasnet_put", 1, size + 1);
  CheckAccess(report, "gasnet_get", 1, size + 2);
  CheckAccess(report, "gasnet_memset", 1, size + 3);
  CheckAccess(report, "gasnet_put_nb_bulk", 1, size + 4);
  CheckAccess(report, "gasnet_get_nb", 1, size + 5);
  CheckAccess(report, "gasnet_memset_nbi", 1, size + 6);
  CheckAccess(report, "gasnet_put_nbi", 1, size + 7);
  CheckAccess(report, "gasnet_put_val", 1, 3);
  CheckAccess(report, "gasnet_get_val", 1, 3);
  CheckCall(report, "gasnet_get_nb_val", 1, 2);
  CheckCall(report, "gasnet_wait_syncnb_valget", 1);
  CheckCall(report, "gasnet_wait_syncnb_all", 1);
  CheckCall(report, "gasnet_wait_syncnbi_puts", 1);
  // All calls with bytes have the next node as their peer.
  uint64_t operations = 0;
  for (const auto& [name, row] : report.tables.at("call")) {
    if (row.In("bytes") > 0) operations += row.Count("calls");
  }
  CheckPeers(report, operations, report.Sum("call", "bytes"), 0, 0);
  Barrier();
}

void Pieces() {
  Since(/*reset=*/true);
  const gasnet_memvec_t there[] = {{There(), 30}, {There() + 100, 12}};
  const gasnet_memvec_t here[] = {{local, 42}};
  gasnet_putv_bulk(Next(), 2, there, 1, here);
  gasnet_wait_syncnb(gasnet_getv_nb_bulk(1, here, Next(), 2, there));
  void* const places[] = {There(), There() + 50, There() + 100};
  void* const own[] = {local};
  gasnet_puti_bulk(Next(), 3, places, 10, 1, own, 30);
  const size_t strides[] = {16, 64};
  const size_t count[] = {8, 3, 2};
  gasnet_puts_bulk(Next(), There(), strides, local, strides, count, 2);
  gasnet_gets_nbi_bulk(local, strides, Next(), There(), strides, count, 1);
  gasnet_wait_syncnbi_all();
  const Report report = Since();
  CheckCall(report, "gasnet_putv_bulk", 1, 42);
  CheckCall(report, "gasnet_getv_nb_bulk", 1, 42);
  CheckCall(report, "gasnet_puti_bulk", 1, 30);
  CheckCall(report, "gasnet_puts_bulk", 1, 48);
  CheckCall(report, "gasnet_gets_nbi_bulk", 1, 24);
  CHECK_EQ(report.Of("call", "gasnet_gets_nbi_bulk").group, 'G');
  CHECK_EQ(report.Of("call", "gasnet_puts_bulk").group, 'P');
  // Transfers that these calls use internally do not count as the client's.
  CHECK_EQ(report.Sum("call", "bytes"), 42 + 42 + 30 + 48 + 24);
  CheckPeers(report, 5, 42 + 42 + 30 + 48 + 24, 0, 0);
  Barrier();
}

void Collectives() {
  Since(/*reset=*/true);
  constexpr int kFlags =
      GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC;
  gasnet_coll_broadcast(GASNET_TEAM_ALL, local, 0, local + 1000, 100, kFlags);
  const gasnet_coll_handle_t handle = gasnet_coll_broadcast_nb(
      GASNET_TEAM_ALL, local, 0, local + 1000, 50, kFlags);
  gasnet_coll_wait_sync(handle);
  const Report report = Since();
  CheckCall(report, "gasnet_coll_broadcast", 1, 100);
  CheckCall(report, "gasnet_coll_broadcast_nb", 1, 50);
  CheckCall(report, "gasnet_coll_wait_sync", 1);
  CHECK_EQ(report.Of("call", "gasnet_coll_broadcast").group, 'W');
  CHECK_EQ(report.Sum("call", "calls"), 3);
  CHECK(report.tables.at("peer").empty());
}

// Lets node 0 enter a barrier late. The other nodes already sleep in the
// barrier.
void LateNode() {
  Barrier();
  CHECK_OK(gasnet_set_waitmode(GASNET_WAIT_BLOCK));
  Since(/*reset=*/true);
  if (Me() == 0) {
    for (gasnet_node_t node = 1; node < gasnet_nodes(); ++node) {
      std::atomic<uint32_t>& thread = OutOfBand(static_cast<int>(node));
      while (thread == 0 || !IsAsleep(static_cast<int>(thread))) sched_yield();
    }
  } else {
    OutOfBand(static_cast<int>(Me())) =
        static_cast<uint32_t>(syscall(SYS_gettid));
  }
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  CHECK_OK(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS));
  const Report report = Since();
  const ReportRow wait = report.Of("call", "gasnet_barrier_wait");
  CHECK_EQ(wait.Count("calls"), 1);
  CHECK_EQ(wait.group, 'B');
  if (Me() != 0) {
    CHECK(wait.Count("waits") >= 1);
    CHECK(wait.In("waiting") > 0);
    CHECK(wait.In("waiting") <= wait.In("most"));
    CHECK(report.Of("wait", "gasnet_barrier").Count("waits") >= 1);
    CHECK(report.Of("wait", "gasnet_barrier").In("total") > 0);
    CHECK_EQ(report.Of("wait", "gasnet_barrier").group, 'S');
  }
  CHECK_EQ(report.Of("call", "gasnet_barrier_notify").Count("calls"), 1);
  CHECK_EQ(report.Sum("call", "calls"), 2);
  Barrier();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), kBytes);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  Messages();
  Calls();
  Transfers(argc > 100 ? 1 : 101);
  Pieces();
  Collectives();
  LateNode();
  return FinishJob();
}
