// Tests that no file does harm. A file of any bytes is refused with a message,
// or all reports can be made from the file.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/syscall.h"
#include "base/unique_fd.h"
#include "core/observe/trace_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/gasnet_trace/chrome.h"
#include "tools/gasnet_trace/event_lines.h"
#include "tools/gasnet_trace/job_trace.h"
#include "tools/gasnet_trace/output.h"
#include "tools/gasnet_trace/rank_trace.h"
#include "tools/gasnet_trace/summary.h"
#include "tools/gasnet_trace/testing/made_trace.h"

namespace gasnet::trace {
namespace {

using observe::TraceHeader;
using observe::TraceKind;
using testing::EndsWith;
using testing::HasSubstr;

// A stream that discards its output.
struct Nowhere {
  Nowhere() : stream(fopen("/dev/null", "w")) {}
  ~Nowhere() { fclose(stream); }
  FILE* stream;
};

// Makes all reports of a job whose only trace is the file `path`. Returns the
// error if the file is refused.
std::string Report(const std::string& path) {
  absl::StatusOr<RankTrace> rank = RankTrace::Open(path);
  if (!rank.ok()) return std::string(rank.status().message());
  JobTrace job;
  EXPECT_TRUE(job.Add(*std::move(rank)).ok());
  job.Align();
  const Nowhere nowhere;
  TextWriter out(nowhere.stream);
  WriteSummary(job, out);
  WriteEventLines(job, out);
  WriteChrome(job, out);
  EXPECT_EQ(out.Finish(), 0);
  return "";
}

class HostileTest : public testing::Test {
 protected:
  HostileTest() : made_(1) {
    made_.file().SetStartOffset({5, 6, 7});
    made_.file().SetEndOffset({8, 9, 10});
    made_.file().AddSource("a.c");
    made_.Store(10, TraceKind::kSourceLine, 0, 0, 0, 12);
    made_.Store(20, TraceKind::kCallBegins, 1, 1, 8, 200);
    made_.Store(30, TraceKind::kHandlerBegins, 200, 1, 8);
    made_.ring().AddText("a text that takes more than one cell");
    made_.Store(40, TraceKind::kHandlerEnds, 200);
    made_.Store(50, TraceKind::kWaited, 3, 2, 1, 15);
    made_.Store(60, TraceKind::kCallEnds, 1);
    made_.Store(70, TraceKind::kCallBegins, 0, 3, 8);
    made_.file().NameHandlers(MadeTrace::kHandlers);
    made_.Store(75, TraceKind::kSent, 5, 3, 8);
    made_.Store(80, TraceKind::kPosted, 1, 3, 8, 17);
    made_.Store(90, TraceKind::kCompleted, 1, 3, 8, 17);
    bytes_ = made_.Bytes();
  }
  ~HostileTest() override { unlink(copy_.c_str()); }

  // Writes `bytes` to a second file, and returns the path of that file.
  const std::string& Copy(const std::string& bytes) const {
    const UniqueFd file(
        open(copy_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600));
    if (!WriteFull(file.get(), bytes.data(), bytes.size())) abort();
    return copy_;
  }

  // Expects that the file is refused if the header has `value` at offset `at`.
  template <class Value>
  void ExpectRefused(size_t at, const Value& value,
                     const std::string& message) {
    std::string bytes = bytes_;
    bytes.replace(at, sizeof value, reinterpret_cast<const char*>(&value),
                  sizeof value);
    EXPECT_EQ(Report(Copy(bytes)), absl::StrCat("'", copy_, "': ", message));
  }

  MadeTrace made_;
  std::string bytes_;
  const std::string copy_ =
      absl::StrCat(testing::TempDir(), "/copy.", getpid());
};

TEST_F(HostileTest, AGoodFileIsReported) {
  EXPECT_EQ(Report(Copy(bytes_)), "");
}

TEST_F(HostileTest, ACutFileIsRefused) {
  const UniqueFd file(open(Copy(bytes_).c_str(), O_WRONLY | O_CLOEXEC));
  for (size_t size = bytes_.size(); size-- > 0;) {
    ASSERT_EQ(ftruncate(file.get(), static_cast<off_t>(size)), 0);
    const std::string message = Report(copy_);
    ASSERT_THAT(message, HasSubstr(absl::StrCat("the size is ", size)));
    if (size >= sizeof(TraceHeader)) {
      ASSERT_THAT(message,
                  EndsWith(absl::StrCat("accepted: ", bytes_.size(),
                                        " or more; the file was cut")));
    }
  }
}

// Changes every byte of the header, and every nonzero byte behind the header,
// in three ways each.
TEST_F(HostileTest, NoChangedByteDoesHarm) {
  const UniqueFd file(open(Copy(bytes_).c_str(), O_WRONLY | O_CLOEXEC));
  for (size_t at = 0; at < bytes_.size(); ++at) {
    if (at >= sizeof(TraceHeader) && bytes_[at] == 0) continue;
    for (const int change : {0x01, 0x80, 0xff}) {
      const auto changed = static_cast<char>(bytes_[at] ^ change);
      ASSERT_EQ(pwrite(file.get(), &changed, 1, static_cast<off_t>(at)), 1);
      Report(copy_);
    }
    ASSERT_EQ(pwrite(file.get(), &bytes_[at], 1, static_cast<off_t>(at)), 1);
  }
  EXPECT_EQ(Report(copy_), "");
}

TEST_F(HostileTest, NoEventsDoHarm) {
  std::minstd_rand random(1);
  const size_t ring = made_.Open().RingAt(0);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = bytes_;
    const uint64_t count = random() % 200;
    bytes.replace(ring + offsetof(observe::TraceRingHeader, count),
                  sizeof count, reinterpret_cast<const char*>(&count),
                  sizeof count);
    for (size_t at = ring + sizeof(observe::TraceRingHeader); at < bytes.size();
         ++at) {
      // Makes kinds and times small. Then many events are valid.
      const size_t in_event = at % sizeof(observe::TraceEvent);
      const bool is_high = in_event > 3 && in_event < 8;
      bytes[at] = is_high || in_event == 9 ? 0
                  : in_event == 8          ? static_cast<char>(random() % 15)
                  : in_event == 10         ? static_cast<char>(random() % 4)
                                           : static_cast<char>(random());
    }
    EXPECT_EQ(Report(Copy(bytes)), "");
  }
}

TEST_F(HostileTest, OtherFilesAreRefused) {
  EXPECT_EQ(Report("/nowhere/trace"),
            "'/nowhere/trace' cannot be read: No such file or directory");
  EXPECT_EQ(Report("/dev/null"),
            "'/dev/null': it is no regular file; accepted: a trace file");
  ASSERT_EQ(mkfifo(copy_.c_str(), 0600), 0);
  EXPECT_THAT(Report(copy_), HasSubstr("it is no regular file"));
  unlink(copy_.c_str());
  EXPECT_THAT(Report(Copy(std::string(10'000, 'x'))),
              EndsWith("': it is no trace of GASNet; accepted: a file that "
                       "GASNET_TRACEFILE named"));
}

TEST_F(HostileTest, WrongHeadersAreRefused) {
  ExpectRefused(offsetof(TraceHeader, version), uint32_t{7},
                "the version of the file is 7; accepted: 2");
  ExpectRefused(offsetof(TraceHeader, ranks), uint32_t{0},
                "the number of ranks is 0; accepted: 1 or more");
  ExpectRefused(offsetof(TraceHeader, rank), uint32_t{4},
                "the rank is 4; accepted: 0 to 3");
  ExpectRefused(offsetof(TraceHeader, ring_limit), uint32_t{4097},
                "the limit of rings is 4097; accepted: 1 to 4096");
  ExpectRefused(offsetof(TraceHeader, rings), uint32_t{2},
                "the number of rings is 2; accepted: 0 to 1");
  ExpectRefused(offsetof(TraceHeader, ring_events), uint64_t{65},
                "the number of events of a ring is 65; accepted: a power of "
                "two from 64 to 67108864");
  ExpectRefused(offsetof(TraceHeader, ring_bytes), uint64_t{2111},
                "the size of a ring is 2111; accepted: 2112 to 1050688");
  ExpectRefused(offsetof(TraceHeader, calls), uint32_t{4097},
                "the number of calls is 4097; accepted: 0 to 4096");
  ExpectRefused(offsetof(TraceHeader, sources), uint32_t{257},
                "the number of sources is 257; accepted: 0 to 256");
  ExpectRefused(offsetof(TraceHeader, rings_at), uint64_t{1} << 41,
                "the place of rings is 2199023255552; accepted: 4096 to "
                "1099511627776");
  ExpectRefused(offsetof(TraceHeader, handlers_at), uint64_t{1},
                "the place of handlers is 1; accepted: 4096 to 1099511627776");
  ExpectRefused(offsetof(TraceHeader, calls_at), uint64_t{0},
                "the place of calls is 0; accepted: 4096 to 1099511627776");
  ExpectRefused(offsetof(TraceHeader, start_nanos), int64_t{-1},
                "the time of the start is -1; accepted: 0 to "
                "1152921504606846975");
  ExpectRefused(offsetof(TraceHeader, end.error_nanos), int64_t{-2},
                "the last clock offset is uncertain by -2; accepted: 0 to "
                "1152921504606846975");
  ExpectRefused(offsetof(TraceHeader, start.nanos), kTimeLimit,
                "the first clock offset is 1152921504606846976; accepted: "
                "-1152921504606846975 to 1152921504606846975");
}

}  // namespace
}  // namespace gasnet::trace
