// A reader's view of a trace file, and a fixture for tests that create one.
#ifndef CORE_OBSERVE_TESTING_FOUND_TRACE_H_
#define CORE_OBSERVE_TESTING_FOUND_TRACE_H_

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/syscall.h"
#include "base/unique_fd.h"
#include "core/observe/trace_file.h"
#include "core/observe/trace_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gasnet::observe {

inline constexpr uint64_t kEvents = kMinRingEvents;

// A trace file, read by pread.
class Found {
 public:
  explicit Found(const std::string& path)
      : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    header = Read<TraceHeader>(0);
  }

  TraceRingHeader Ring(uint32_t ring) const {
    return Read<TraceRingHeader>(RingAt(ring));
  }
  TraceEvent Event(uint32_t ring, uint64_t number) const {
    return Read<TraceEvent>(RingAt(ring) + sizeof(TraceRingHeader) +
                            number % header.ring_events * sizeof(TraceEvent));
  }
  std::string Source(uint32_t number) const {
    const auto source =
        Read<TraceSource>(header.sources_at + number * sizeof(TraceSource));
    return {source.data(), strnlen(source.data(), source.size())};
  }
  std::string Handler(uint32_t index) const {
    const auto name =
        Read<TraceHandler>(header.handlers_at + index * sizeof(TraceHandler));
    return {name.data(), strnlen(name.data(), name.size())};
  }
  TraceCall Call(uint32_t number) const {
    return Read<TraceCall>(header.calls_at + number * sizeof(TraceCall));
  }
  uint64_t Size() const {
    struct stat status;
    if (fstat(file_.get(), &status) != 0) abort();
    return static_cast<uint64_t>(status.st_size);
  }

  TraceHeader header;

 private:
  uint64_t RingAt(uint32_t ring) const {
    return header.rings_at + ring * header.ring_bytes;
  }
  template <class Data>
  Data Read(uint64_t at) const {
    Data data{};
    EXPECT_EQ(
        PreadFull(file_.get(), &data, sizeof data, static_cast<off_t>(at)),
        static_cast<ssize_t>(sizeof data));
    return data;
  }

  const UniqueFd file_;
};

class TraceFileTest : public testing::Test {
 protected:
  TraceFileTest() {
    description_.rank = 3;
    description_.ranks = 7;
    description_.host = 2;
    description_.host_name = "there";
    description_.conduit = "udp";
    description_.program = "/bin/program";
    description_.calls = {{"put", 'P'}, {"request", 'A'}};
    description_.ring_events = kEvents;
    description_.ring_limit = 2;
  }
  ~TraceFileTest() override { unlink(path_.c_str()); }

  std::unique_ptr<TraceFile> Create() const {
    auto file = TraceFile::Create(path_, description_);
    EXPECT_TRUE(file.ok()) << file.status();
    return *std::move(file);
  }
  void ExpectRefused(const char* message) const {
    const auto file = TraceFile::Create(path_, description_);
    EXPECT_THAT(std::string(file.status().message()),
                testing::HasSubstr(message));
    EXPECT_THAT(std::string(file.status().message()),
                testing::HasSubstr(path_));
  }
  bool Exists() const { return access(path_.c_str(), F_OK) == 0; }

  TraceFile::Description description_;
  const std::string path_ =
      absl::StrCat(testing::TempDir(), "/trace.", getpid());
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_TESTING_FOUND_TRACE_H_
