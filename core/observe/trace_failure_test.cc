// Tests of trace files that cannot be created or cannot grow, and of files left
// by a rank that was killed.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/syscall.h"
#include "core/observe/testing/found_trace.h"
#include "core/observe/trace_file.h"
#include "core/observe/trace_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

using TraceFailureTest = TraceFileTest;

// Runs `work` in a child process. Returns the child's wait status.
template <class Work>
int InChild(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

TEST_F(TraceFailureTest, NothingIsLostIfTheRankIsKilled) {
  const int status = InChild([this] {
    const auto file = Create();
    TraceRing* const ring = file->AddThread(1);
    for (uint64_t i = 1; i < 10; ++i) ring->Add(TraceKind::kCallEnds, 0, 0, i);
    kill(getpid(), SIGKILL);
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
  const Found found(path_);
  EXPECT_EQ(found.header.magic, kTraceMagic);
  EXPECT_EQ(found.header.end.error_nanos, kNoTraceOffset);
  ASSERT_EQ(found.Ring(0).count, 10u);
  for (uint64_t i = 1; i < 10; ++i) EXPECT_EQ(found.Event(0, i).bytes, i);
}

// The rank is killed while it writes. Each event that the trace's count
// includes is complete, unless a newer event replaced it.
TEST_F(TraceFailureTest, EventsAreWholeIfTheRankIsKilledAtAnyTime) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto file = Create();
    TraceRing* const ring = file->AddThread(1);
    for (uint64_t i = 1;; ++i) {
      ring->Add(TraceKind::kCallEnds, 0, static_cast<uint32_t>(i), i, i);
      if (i == 10 * kEvents) WriteFull(ends[1], "x", 1);
    }
  }
  char byte;
  EXPECT_EQ(ReadFull(ends[0], &byte, 1), 1);
  kill(child, SIGKILL);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  for (const int end : ends) close(end);
  const Found found(path_);
  const uint64_t count = found.Ring(0).count;
  ASSERT_GE(count, 10 * kEvents);
  for (uint64_t i = count - kEvents + 1; i < count; ++i) {
    EXPECT_EQ(found.Event(0, i).bytes, i);
    EXPECT_EQ(found.Event(0, i).argument, i);
    EXPECT_EQ(found.Event(0, i).peer, static_cast<uint32_t>(i));
  }
}

// Limits the size of files that this process writes.
void LimitFiles(uint64_t bytes) {
  const rlimit limit{bytes, bytes};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(9);
}

TEST_F(TraceFailureTest, AFileThatMayNotBeSoLargeIsAnError) {
  EXPECT_EQ(InChild([this] {
              LimitFiles(8192);
              const auto file = TraceFile::Create(path_, description_);
              if (!absl::IsResourceExhausted(file.status())) _exit(1);
              if (file.status().message() !=
                  absl::StrCat("trace file '", path_,
                               "': cannot reserve its space: File too large")) {
                _exit(2);
              }
            }),
            0);
  EXPECT_FALSE(Exists()) << "nothing is left";
}

TEST_F(TraceFailureTest, AThreadForWhichTheFileCannotGrowHasNoRing) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(InChild([this] {
              const auto file = Create();
              if (file->AddThread(1) == nullptr) _exit(1);
              LimitFiles(Found(path_).Size());
              if (file->AddThread(2) != nullptr) _exit(2);
              if (file->AddThread(3) != nullptr) _exit(3);
            }),
            0);
  EXPECT_EQ(Found(path_).header.rings, 1u);
  EXPECT_EQ(Found(path_).header.threads_without_ring, 2u);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::EndsWith(absl::StrCat(
                  "): trace file '", path_,
                  "': cannot grow: File too large; further threads are not "
                  "traced\n")));
}

// The exit status of a child that cannot mount a disk.
constexpr int kNoMount = 77;

// Mounts a disk that only this process sees. size: a mount option.
void MountDisk(const char* size, const std::string& directory) {
  if (unshare(CLONE_NEWNS) != 0) _exit(kNoMount);
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    _exit(kNoMount);
  }
  mkdir(directory.c_str(), 0700);
  if (mount("trace", directory.c_str(), "tmpfs", 0, size) != 0) {
    _exit(kNoMount);
  }
}

TEST_F(TraceFailureTest, AFullDiskIsAnErrorAndNoSignal) {
  const std::string directory = absl::StrCat(path_, ".disk");
  const std::string path = absl::StrCat(directory, "/trace");
  const int status = InChild([&] {
    MountDisk("size=64k", directory);
    description_.ring_events = 1024;
    const auto file = TraceFile::Create(path, description_);
    if (!file.ok()) _exit(1);
    // The disk holds 64 KiB. The header takes 40 KiB, and a ring 36 KiB.
    if ((*file)->AddThread(1) != nullptr) _exit(2);
    const auto second = TraceFile::Create(path + "2", description_);
    if (second.status().message() !=
        absl::StrCat("trace file '", path,
                     "2': cannot reserve its space: No space left on "
                     "device")) {
      _exit(3);
    }
    if (access((path + "2").c_str(), F_OK) == 0) _exit(4);
  });
  rmdir(directory.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNoMount) GTEST_SKIP() << "only root can mount";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(TraceFailureTest, WrongSizesAreRefused) {
  description_.ring_events = 100;
  ExpectRefused(
      "the number of events of a ring is 100; accepted: a power of two from 64 "
      "to 67108864");
  description_.ring_events = 32;
  ExpectRefused("is 32");
  description_.ring_events = 2 * kMaxRingEvents;
  ExpectRefused("is 134217728");
  description_.ring_events = kEvents;
  description_.ring_limit = 0;
  ExpectRefused("the number of rings is 0; accepted: 1 to 4096");
  description_.ring_limit = kMaxTraceRings + 1;
  ExpectRefused("is 4097");
  description_.ring_limit = 1;
  description_.calls.resize(kMaxTraceCalls + 1);
  ExpectRefused("the number of calls is 4097; accepted: up to 4096");
  EXPECT_FALSE(Exists());
}

TEST_F(TraceFailureTest, AnEarlierTraceIsReplacedAndNotChanged) {
  const auto earlier = Create();
  TraceRing* const ring = earlier->AddThread(1);
  const Found found(path_);
  description_.rank = 5;
  const auto file = Create();
  ring->Add(TraceKind::kCallEnds, 0);
  EXPECT_EQ(found.Ring(0).count, 2u);
  EXPECT_EQ(found.header.rank, 3u);
  EXPECT_EQ(Found(path_).header.rank, 5u);
  EXPECT_EQ(Found(path_).header.rings, 0u);
}

TEST_F(TraceFailureTest, NoOtherFileIsReplaced) {
  std::ofstream(path_) << "int main() {}";
  ExpectRefused("is there already and is no trace; accepted: a new name");
  std::ifstream kept(path_);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}),
            "int main() {}");
  std::ofstream(path_) << "";
  Create();
}

TEST_F(TraceFailureTest, NothingButAFileIsReplaced) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  ExpectRefused("is there already and is no trace");
  EXPECT_TRUE(Exists());
}

TEST_F(TraceFailureTest, ADirectoryThatIsNotThereIsAnError) {
  const auto file = TraceFile::Create("/nowhere/trace", description_);
  EXPECT_EQ(file.status().message(),
            "trace file '/nowhere/trace': cannot be created: No such file or "
            "directory");
}

}  // namespace
}  // namespace gasnet::observe
