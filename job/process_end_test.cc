#include "job/process_end.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "base/clock.h"
#include "base/sanitizer.h"
#include "gtest/gtest.h"
#include "job/control_link.h"
#include "job/testing/launcher_end.h"
#include "job/testing/thread_state.h"

namespace gasnet::job {
namespace {

using testing::ExitedWithCode;
using testing::KilledBySignal;

// Restores default signals, since the test's parent process may ignore some.
class DefaultSignals : public testing::Test {
 protected:
  void SetUp() override {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1}) {
      signal(number, SIG_DFL);
    }
  }
};
using EndByClientDeathTest = DefaultSignals;
using EndByJobDeathTest = DefaultSignals;
using ReturnDeathTest = DefaultSignals;
using TerminationDeathTest = DefaultSignals;

// Buffers stderr from here on. The output appears only if stderr is flushed.
void HoldStderr() {
  static char buffer[1024];
  setvbuf(stderr, buffer, _IOFBF, sizeof buffer);
}

void Print(const char* text) { fputs(text, stderr); }

// --- By the client. ---

TEST_F(EndByClientDeathTest, FlushesStdioAndEndsWithTheCode) {
  EXPECT_EXIT(
      {
        HoldStderr();
        Print("held back");
        EndByClient(nullptr, 5);
      },
      ExitedWithCode(5), "held back");
}

TEST_F(EndByClientDeathTest, SendsTheExitBeforeItsReport) {
  LauncherEnd launcher;
  const auto link = launcher.Join();
  static const LauncherEnd* the_launcher;
  the_launcher = &launcher;
  EXPECT_EXIT(
      {
        HoldStderr();
        SetExitReport([] {
          Print(the_launcher->HasMore() ? "sent, report" : "not sent");
        });
        EndByClient(link.get(), 5);
      },
      ExitedWithCode(5), "^sent, report$");
  EXPECT_EQ(launcher.NextExit(), 5);
}

// The report calls EndByClient again, as a signal handler that interrupts the
// end may.
TEST_F(EndByClientDeathTest, EndsAtOnceWhenItsThreadCallsItAgain) {
  if (kThreadSanitizer) {
    GTEST_SKIP() << "_exit of the thread sanitizer flushes all streams";
  }
  EXPECT_EXIT(
      {
        HoldStderr();
        SetExitReport([] {
          Print("not flushed");
          EndByClient(nullptr, 9);
        });
        EndByClient(nullptr, 5);
      },
      ExitedWithCode(9), "^$");
}

// The report waits until the second thread sleeps. The second thread can only
// sleep because it waits for the first thread to finish.
TEST_F(EndByClientDeathTest, LetsTheFirstThreadCarryItThrough) {
  EXPECT_EXIT(
      {
        SetExitReport([] {
          std::atomic<pid_t> second{0};
          std::thread([&second] {
            second = gettid();
            EndByClient(nullptr, 9);
          }).detach();
          while (second == 0 || StateOf(second) != 'S') sched_yield();
        });
        EndByClient(nullptr, 5);
      },
      ExitedWithCode(5), "");
}

TEST_F(EndByClientDeathTest, IsNotInterruptedByWhatTheClientHandles) {
  EXPECT_EXIT(
      {
        signal(SIGUSR1, [](int) { _exit(9); });
        SetExitReport([] { raise(SIGUSR1); });
        EndByClient(nullptr, 5);
      },
      ExitedWithCode(5), "");
}

TEST_F(EndByClientDeathTest, IsInterruptedForGoodByATermination) {
  EXPECT_EXIT(
      {
        TranslateTerminationSignals();
        SetExitReport([] { raise(SIGTERM); });
        EndByClient(nullptr, 5);
      },
      KilledBySignal(SIGTERM), "");
}

// --- By the job. ---

TEST_F(EndByJobDeathTest, FlushesStdioAndEndsWithTheCode) {
  EXPECT_EXIT(
      {
        HoldStderr();
        SetExitReport([] { Print(" report"); });
        Print("held back,");
        EndByJob(6, /*grace_nanos=*/kNanosPerSecond * 1000);
      },
      ExitedWithCode(6), "^held back, report$");
}

TEST_F(EndByJobDeathTest, AsksAClientThatHandlesIt) {
  EXPECT_EXIT(
      {
        signal(SIGQUIT, [](int) { EndByClient(nullptr, 7); });
        EndByJob(6, /*grace_nanos=*/kNanosPerSecond * 1000);
      },
      ExitedWithCode(7), "");
}

TEST_F(EndByJobDeathTest, EndsAClientThatDoesNotWithinItsGrace) {
  EXPECT_EXIT(
      {
        signal(SIGQUIT, SIG_IGN);
        SetExitReport([] { Print("report"); });
        EndByJob(6, /*grace_nanos=*/0);
      },
      ExitedWithCode(6),
      "the job has ended, but this node has not within.*\nreport");
}

// --- By return. ---

void FinishAndReport() {
  SetBeforeReturn([](bool patient) { Print(patient ? "patient " : "soon "); });
  SetExitReport([] { Print("report"); });
}

TEST_F(ReturnDeathTest, FinishesBehindTheClientAndReportsBehindThat) {
  EXPECT_EXIT(
      {
        FinishAndReport();
        std::atexit([] { Print("client "); });
        std::exit(0);
      },
      ExitedWithCode(0), "^client patient report$");
}

TEST_F(ReturnDeathTest, IsPatientWhereTheCodeIsKnownToBeZero) {
  EXPECT_EXIT(
      {
        FinishAndReport();
        std::exit(3);
      },
      ExitedWithCode(3), "^soon report$");
  EXPECT_EXIT(
      {
        FinishAndReport();
        std::quick_exit(0);
      },
      ExitedWithCode(0), "^soon report$");
}

// --- Termination signals. ---

TEST_F(TerminationDeathTest, ReachesAClientThatHandlesSigquit) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          signal(SIGQUIT, [](int) { _exit(8); });
          TranslateTerminationSignals();
          raise(number);
        },
        ExitedWithCode(8), "");
  }
}

TEST_F(TerminationDeathTest, HasItsDefaultActionWithoutSuchAClient) {
  EXPECT_EXIT(
      {
        TranslateTerminationSignals();
        raise(SIGTERM);
      },
      KilledBySignal(SIGTERM), "");
}

TEST_F(TerminationDeathTest, HasItsDefaultActionWhereSigquitIsIgnored) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          signal(SIGQUIT, SIG_IGN);
          TranslateTerminationSignals();
          raise(number);
        },
        KilledBySignal(number), "");
  }
}

TEST_F(TerminationDeathTest, HasItsDefaultActionTheSecondTime) {
  EXPECT_EXIT(
      {
        signal(SIGQUIT, [](int) {});
        TranslateTerminationSignals();
        raise(SIGTERM);
        raise(SIGTERM);
      },
      KilledBySignal(SIGTERM), "");
}

TEST_F(TerminationDeathTest, IsLeftToAClientThatHandlesIt) {
  EXPECT_EXIT(
      {
        signal(SIGTERM, [](int) { _exit(9); });
        TranslateTerminationSignals();
        raise(SIGTERM);
      },
      ExitedWithCode(9), "");
}

TEST_F(TerminationDeathTest, IsLeftAgainToTheDefaultAndToTheClient) {
  EXPECT_EXIT(
      {
        TranslateTerminationSignals();
        signal(SIGHUP, [](int) { _exit(9); });
        LeaveTerminationSignals();
        signal(SIGQUIT, [](int) { _exit(8); });
        if (signal(SIGTERM, SIG_DFL) != SIG_DFL) _exit(1);
        raise(SIGHUP);
      },
      ExitedWithCode(9), "");
}

// --- A removed report. ---

TEST_F(EndByClientDeathTest, HasNoReportThatWasTakenBack) {
  EXPECT_EXIT(
      {
        SetExitReport([] { Print("report"); });
        SetExitReport(nullptr);
        EndByClient(nullptr, 5);
      },
      ExitedWithCode(5), "^$");
}

// The reported object stays until the end: SetExitReport(nullptr) does not
// return if the end has begun.
TEST_F(EndByClientDeathTest, KeepsAReportThatIsTakenBackTooLate) {
  EXPECT_EXIT(
      {
        SetExitReport([] {
          std::atomic<pid_t> other{0};
          std::thread([&other] {
            other = gettid();
            SetExitReport(nullptr);
            _exit(9);
          }).detach();
          while (other == 0 || StateOf(other) != 'S') sched_yield();
        });
        EndByClient(nullptr, 5);
      },
      ExitedWithCode(5), "");
}

}  // namespace
}  // namespace gasnet::job
