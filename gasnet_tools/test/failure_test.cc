// Tests how a process ends, the messages that it prints, and the library's own
// backtrace.
#include <gasnet_tools.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <string>

#include "gtest/gtest.h"

namespace {

using testing::KilledBySignal;

// A function that is not exported: only the symbol table has its name.
__attribute__((noinline, used)) int PrintFromHere(int fd) asm("PrintFromHere");
int PrintFromHere(int fd) {
  const int result = gasnett_print_backtrace(fd);
  asm volatile("" ::: "memory");
  return result;
}

std::string ReadAll(int fd) {
  std::string all;
  std::array<char, 4096> piece;
  ssize_t count;
  while ((count = read(fd, piece.data(), piece.size())) > 0) {
    all.append(piece.data(), count);
  }
  return all;
}

TEST(BacktraceTest, NamesFunctionsThatAreNotExported) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(PrintFromHere(ends[1]), 0);
  close(ends[1]);
  const std::string trace = ReadAll(ends[0]);
  close(ends[0]);
  EXPECT_NE(trace.find("PrintFromHere+0x"), std::string::npos) << trace;
  EXPECT_NE(trace.find("in main+0x"), std::string::npos) << trace;
}

TEST(BacktraceDeathTest, CrashesPrintTheStackAfterInit) {
  setenv("GASNET_BACKTRACE", "1", 1);
  EXPECT_EXIT(
      {
        gasnett_backtrace_init(nullptr);
        raise(SIGFPE);
      },
      KilledBySignal(SIGFPE), "caught signal SIGFPE(.|\n)*in main\\+0x");
  unsetenv("GASNET_BACKTRACE");
}

TEST(BacktraceTest, FailsWhereTheUserHasNone) {
  gasnett_setenv("GASNET_BACKTRACE_TYPE", "USER");
  EXPECT_EQ(gasnett_backtrace_user.fnp, nullptr);
  EXPECT_NE(gasnett_print_backtrace(STDERR_FILENO), 0);
  gasnett_setenv("GASNET_BACKTRACE_TYPE", "");
}

TEST(FailureDeathTest, FatalErrorPrintsItsMessageAndAborts) {
  for (const auto fatal : {gasnett_fatalerror, gasnett_fatalerror_nopos}) {
    EXPECT_EXIT(fatal("number %d of %s", 7, "them"), KilledBySignal(SIGABRT),
                "GASNet FATAL ERROR \\(.*\\): number 7 of them");
  }
}

TEST(FailureDeathTest, FatalErrorPrintsTheStackIfAskedTo) {
  setenv("GASNET_BACKTRACE", "1", 1);
  EXPECT_EXIT(gasnett_fatalerror("over"), KilledBySignal(SIGABRT),
              "over\n.*backtrace.*\n#0 (.|\n)*gasnett_fatalerror\\+0x");
  unsetenv("GASNET_BACKTRACE");
}

TEST(FailureDeathTest, KillEndsWithTheExitCode) {
  EXPECT_EXIT(gasnett_killmyprocess(17), testing::ExitedWithCode(17), "");
}

TEST(FailureDeathTest, NumbersThatMakeNoSenseAreNamed) {
  EXPECT_DEATH(gasnett_parse_int("12 apples", 1),
               "'12 apples' is not accepted; it must be a number of bytes");
  EXPECT_DEATH(gasnett_parse_int("1K", 0), "'1K' is not accepted");
}

TEST(FailureDeathTest, BadSettingsAreNamed) {
  setenv("TOOLS_TEST_BAD", "perhaps", 1);
  EXPECT_DEATH(gasnett_getenv_yesno_withdefault("TOOLS_TEST_BAD", 1),
               "TOOLS_TEST_BAD is set to 'perhaps'; accepted: 1, yes");
  EXPECT_DEATH(gasnett_getenv_int_withdefault("TOOLS_TEST_BAD", 1, 0),
               "TOOLS_TEST_BAD is set to 'perhaps'; accepted: a whole number");
  EXPECT_DEATH(gasnett_getenv_dbl_withdefault("TOOLS_TEST_BAD", 1),
               "TOOLS_TEST_BAD is set to 'perhaps'; accepted: a number");
}

TEST(FailureDeathTest, AHandlerForNoSignalIsRefused) {
  EXPECT_DEATH(gasnett_reghandler(SIGKILL, SIG_IGN), "no handler for signal 9");
}

TEST(EnvironmentTest, ReportsEveryVariableOnceIfVerbose) {
  setenv("TOOLS_TEST_SET", "5", 1);
  gasnett_setenv("GASNET_VERBOSEENV", "1");
  testing::internal::CaptureStderr();
  gasnett_getenv_int_withdefault("TOOLS_TEST_SET", 3, 0);
  gasnett_getenv_int_withdefault("TOOLS_TEST_SET", 3, 0);
  gasnett_getenv_int_withdefault("TOOLS_TEST_SIZE", 1 << 20, 1);
  gasnett_getenv_yesno_withdefault("TOOLS_TEST_SWITCH", 0);
  gasnett_setenv("GASNET_VERBOSEENV", "0");
  gasnett_getenv("TOOLS_TEST_QUIET");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "ENV parameter: TOOLS_TEST_SET = 5\n"
            "ENV parameter: TOOLS_TEST_SIZE = 1 MB   (default)\n"
            "ENV parameter: TOOLS_TEST_SWITCH = NO   (default)\n");
}

TEST(EnvironmentTest, DisplaysWhatTheProgramHasRead) {
  gasnett_setenv("GASNET_VERBOSEENV", "1");
  testing::internal::CaptureStderr();
  gasnett_envint_display("GASNET_OF_CLIENT", 3 << 20, 0, 1);
  gasnett_envint_display("TOOLS_TEST_COUNT", 3 << 20, 1, 0);
  gasnett_envdbl_display("TOOLS_TEST_RATIO", 2.5, 0);
  gasnett_envstr_display("TOOLS_TEST_NAME", "some", 0);
  gasnett_envstr_display("TOOLS_TEST_NO_NAME", nullptr, 1);
  gasnett_setenv("GASNET_VERBOSEENV", "0");
  gasnett_envstr_display("TOOLS_TEST_HIDDEN", "some", 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "ENV parameter: GASNET_OF_CLIENT = 3 MB\n"
            "ENV parameter: TOOLS_TEST_COUNT = 3145728   (default)\n"
            "ENV parameter: TOOLS_TEST_RATIO = 2.5\n"
            "ENV parameter: TOOLS_TEST_NAME = some\n"
            "ENV parameter: TOOLS_TEST_NO_NAME =    (default)\n");
}

TEST(StreamsDeathTest, CloseHandsOverWhatTheyHold) {
  EXPECT_EXIT(
      {
        setvbuf(stderr, nullptr, _IOFBF, 4096);
        fputs("held back", stderr);
        gasnett_close_streams();
        _exit(write(STDERR_FILENO, "no", 2) < 0 ? 3 : 4);
      },
      testing::ExitedWithCode(3), "held back");
}

}  // namespace
