// Clients write their own lines to the statistics, choose the groups of calls
// that are counted, and reset the counts (GASNETT_STATS_*).
#include <gasnet_trace.h>
#include <string.h>

#include <string>
#include <vector>

#include "conformance/harness.h"
#include "conformance/observe/report.h"

namespace conformance {
namespace {

enum { kHandler = 200 };

int handled = 0;
void OnRequest(gasnet_token_t) { ++handled; }

gasnet_handlerentry_t handlers[] = {HANDLER(kHandler, OnRequest)};

std::string MaskNow() { return GASNETT_STATS_GETMASK(); }

Report Dump(bool reset) {
  GASNETT_STATS_DUMP(reset);
  const Report report = LastReport();
  CHECK(report.head.find("GASNet statistics at GASNETT_STATS_DUMP: ") == 0);
  CHECK(report.head.find(", mask " + MaskNow()) != std::string::npos);
  return report;
}

// Makes one call of each of three groups. One of these calls runs a handler.
void MakeCalls() {
  const int before = handled;
  CHECK_OK(gasnet_AMPoll());
  gasnet_wait_syncnbi_all();
  CHECK_OK(gasnet_AMRequestShort0(gasnet_mynode(), kHandler));
  CHECK_EQ(handled, before + 1);
}

void CheckCounts(const Report& report, uint64_t polls, uint64_t syncs,
                 uint64_t requests) {
  CHECK_EQ(report.Of("call", "gasnet_AMPoll").Count("calls"), polls);
  CHECK_EQ(report.Of("call", "gasnet_wait_syncnbi_all").Count("calls"), syncs);
  const ReportRow row = report.Of("call", "gasnet_AMRequestShort");
  CHECK_EQ(row.Count("calls"), requests);
  CHECK_EQ(report.Of("handler", std::to_string(kHandler)).Count("runs"),
           requests);
  CHECK_EQ(report.OfPeer(gasnet_mynode()).Count("operations"), requests);
}

void Resets() {
  Dump(/*reset=*/true);
  MakeCalls();
  MakeCalls();
  CheckCounts(Dump(/*reset=*/false), 2, 2, 2);
  CheckCounts(Dump(/*reset=*/true), 2, 2, 2);
  CheckCounts(Dump(/*reset=*/false), 0, 0, 0);
  MakeCalls();
  CheckCounts(Dump(/*reset=*/true), 1, 1, 1);
}

void Masks() {
  CHECK(MaskNow() == "GPRSWBLAXIOCDNHU");
  GASNETT_STATS_SETMASK("");
  CHECK(MaskNow().empty());
  MakeCalls();
  Barrier();
  const Report none = Dump(/*reset=*/true);
  for (const auto& [name, table] : none.tables) CHECK(table.empty());
  GASNETT_STATS_SETMASK("xa");
  CHECK(MaskNow() == "AX");
  MakeCalls();
  CheckCounts(Dump(/*reset=*/true), 1, 0, 1);
  GASNETT_STATS_SETMASK("^A");
  CHECK(MaskNow() == "GPRSWBLXIOCDNHU");
  MakeCalls();
  CheckCounts(Dump(/*reset=*/true), 1, 1, 0);
  // The unknown group '?' prints a warning and leaves the mask as it is.
  GASNETT_STATS_SETMASK("A?");
  CHECK(MaskNow() == "GPRSWBLXIOCDNHU");
  MakeCalls();
  CheckCounts(Dump(/*reset=*/true), 1, 1, 0);
  GASNETT_STATS_SETMASK("^");
  CHECK(MaskNow() == "GPRSWBLAXIOCDNHU");
}

void Lines() {
  GASNETT_STATS_PRINTF("node %d says %s", static_cast<int>(gasnet_mynode()),
                       "this");
  GASNETT_STATS_SETMASK("^H");
  GASNETT_STATS_PRINTF("%s", "hidden");
  GASNETT_STATS_PRINTF_FORCE("%d%%", 100);
  GASNETT_STATS_SETMASK("^");
  GASNETT_STATS_PRINTF_FORCE("forced");
  const std::vector<std::string> expected = {
      "node " + std::to_string(gasnet_mynode()) + " says this", "100%",
      "forced"};
  CHECK(ReadReports().back().client_lines == expected);
}

// Tests a job in which only node 0 has statistics.
void OfOneNode() {
  const bool has = gasnet_mynode() == 0;
  CHECK_EQ(HasReportFile(), has);
  CHECK_EQ(MaskNow().empty(), !has);
  if (has) {
    Resets();
    Lines();
  } else {
    GASNETT_STATS_SETMASK("A");
    CHECK(MaskNow().empty());
    GASNETT_STATS_PRINTF_FORCE("lost");
    GASNETT_STATS_DUMP(1);
    CHECK(!HasReportFile());
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  // Before the job starts, these calls have no effect.
  GASNETT_STATS_SETMASK("A");
  GASNETT_STATS_PRINTF_FORCE("early");
  GASNETT_STATS_DUMP(1);
  CHECK(MaskNow().empty());
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  if (argc > 1 && strcmp(argv[1], "one_node") == 0) {
    OfOneNode();
  } else {
    Resets();
    Masks();
    Lines();
  }
  return FinishJob();
}
