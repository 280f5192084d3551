// Statistics count neither the bytes nor the peer of a call that was refused
// (GEX_FLAG_IMMEDIATE, GASNet-EX, section 2.6), and tell how many were. The
// first process sends until a message is refused, while the last process serves
// nothing. The last process learns out of band when to begin serving.
#include <gasnet_trace.h>
#include <sched.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "conformance/ex/ex_harness.h"
#include "conformance/observe/report.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

enum { kMedium = 200, kPrepared };
enum Words { kQuiet, kGo };

// one of this many messages in a row must be refused
constexpr int kMax = 1 << 17;
constexpr size_t kBytes = 500;

char source[kBytes];
uint64_t arrived = 0;

void OnMedium(gex_Token_t, void*, size_t) { ++arrived; }

gex_Rank_t Last() { return Size() - 1; }

struct Counts {
  uint64_t sent = 0;
  uint64_t refused = 0;
};

int SendMedium() {
  return gex_AM_RequestMedium0(tm, Last(), kMedium, source, kBytes,
                               GEX_EVENT_NOW, GEX_FLAG_IMMEDIATE);
}
// Sends a prepared message. Only the Prepare is refused, or only the Commit.
Counts preparations;
int SendPrepared() {
  const gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(
      tm, Last(), nullptr, kBytes, kBytes, nullptr, GEX_FLAG_IMMEDIATE, 0);
  if (sd == GEX_AM_SRCDESC_NO_OP)
    return static_cast<int>(++preparations.refused);
  ++preparations.sent;
  const int refused =
      gex_AM_CommitRequestMedium0_v2(sd, kPrepared, kBytes, GEX_FLAG_IMMEDIATE);
  if (refused != 0) CHECK_EQ(gex_AM_CancelRequestMedium(sd, 0), 0);
  return refused;
}

// Sends until a message is refused, and then twice more.
Counts Burst(int (*send)()) {
  Counts counts;
  for (int i = 0; i < kMax && counts.refused == 0; ++i) {
    ++(send() == 0 ? counts.sent : counts.refused);
  }
  CHECK_EQ(counts.refused, 1);
  for (int i = 0; i < 2; ++i) ++(send() == 0 ? counts.sent : counts.refused);
  return counts;
}

void CheckCall(const Report& report, const char* name, const Counts& counts,
               size_t bytes) {
  const ReportRow row = report.Of("call", name);
  CHECK_EQ(row.Count("calls"), counts.sent + counts.refused);
  CHECK_EQ(row.Count("refused"), counts.refused);
  CHECK_EQ(row.Count("bytes"), counts.sent * bytes);
}

void AwaitWord(Words word) {
  while (OutOfBand(word) == 0) sched_yield();
}

void Serve() {
  OutOfBand(kQuiet) = 1;
  AwaitWord(kGo);
}

void SendAll() {
  GASNETT_STATS_DUMP(1);
  AwaitWord(kQuiet);
  const Counts mediums = Burst(SendMedium);
  const Counts prepared = Burst(SendPrepared);
  GASNETT_STATS_DUMP(0);
  OutOfBand(kGo) = 1;
  const Report report = LastReport();
  const Counts commits = {prepared.sent,
                          prepared.refused - preparations.refused};
  CheckCall(report, "gex_AM_RequestMedium", mediums, kBytes);
  CheckCall(report, "gex_AM_PrepareRequestMedium", preparations, 0);
  CheckCall(report, "gex_AM_CommitRequestMedium", commits, kBytes);
  const uint64_t sent = mediums.sent + prepared.sent;
  CHECK_EQ(report.OfPeer(Last()).Count("operations"), sent);
  CHECK_EQ(report.OfPeer(Last()).Count("bytes"), sent * kBytes);
}

constexpr gex_Flags_t kRequest = GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST;
gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kMedium, OnMedium, kRequest, 0),
    EX_HANDLER(kPrepared, OnMedium, kRequest, 0),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers), kBytes);
  Barrier();
  if (Me() == Last()) Serve();
  if (Me() == 0) SendAll();
  return FinishJob();
}
