// A trace file that a test makes, event by event.
#ifndef TOOLS_GASNET_TRACE_TESTING_MADE_TRACE_H_
#define TOOLS_GASNET_TRACE_TESTING_MADE_TRACE_H_

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/unique_fd.h"
#include "core/observe/handler_names.h"
#include "core/observe/trace_file.h"
#include "core/observe/trace_format.h"
#include "gtest/gtest.h"
#include "tools/gasnet_trace/rank_trace.h"

namespace gasnet::trace {

class MadeTrace {
 public:
  static constexpr uint64_t kEvents = observe::kMinRingEvents;
  static constexpr observe::HandlerNames kHandlers = {nullptr, "put_request"};

  // `rings` is the number of threads. The numbers of the threads begin with
  // 100.
  explicit MadeTrace(uint32_t rank, uint32_t ranks = 4, uint32_t host = 0,
                     uint32_t rings = 1)
      : path_(absl::StrCat(testing::TempDir(), "/made.", getpid(), ".", rank)) {
    observe::TraceFile::Description description;
    description.rank = rank;
    description.ranks = ranks;
    description.host = host;
    description.host_name = absl::StrCat("host", host);
    description.conduit = "udp";
    description.program = "program";
    description.calls = {{"put", 'P'}, {"request", 'A'}};
    description.ring_events = kEvents;
    description.ring_limit = rings;
    auto file = observe::TraceFile::Create(path_, description);
    EXPECT_TRUE(file.ok()) << file.status();
    file_ = *std::move(file);
    for (uint32_t i = 0; i < rings; ++i) {
      rings_.push_back(file_->AddThread(static_cast<int32_t>(100 + i)));
    }
  }
  ~MadeTrace() { unlink(path_.c_str()); }
  MadeTrace(const MadeTrace&) = delete;
  MadeTrace& operator=(const MadeTrace&) = delete;

  observe::TraceFile& file() { return *file_; }
  observe::TraceRing& ring(uint32_t number = 0) { return *rings_.at(number); }
  const std::string& path() const { return path_; }

  void Store(int64_t nanos, observe::TraceKind kind, uint16_t id,
             uint32_t peer = observe::kNoTracePeer, uint64_t bytes = 0,
             uint64_t argument = 0) {
    ring().Store(
        {nanos, static_cast<uint16_t>(kind), id, peer, bytes, argument});
  }

  // Overwrites the member of the header at offset `at`.
  template <class Value>
  void Patch(size_t at, const Value& value) {
    const UniqueFd file(open(path_.c_str(), O_WRONLY | O_CLOEXEC));
    EXPECT_EQ(pwrite(file.get(), &value, sizeof value, static_cast<off_t>(at)),
              static_cast<ssize_t>(sizeof value));
  }

  // Opens the file. The test fails if the file is refused.
  RankTrace Open() const {
    auto rank = RankTrace::Open(path_);
    EXPECT_TRUE(rank.ok()) << rank.status();
    return *std::move(rank);
  }

  std::string Bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  const std::string path_;
  std::unique_ptr<observe::TraceFile> file_;
  std::vector<observe::TraceRing*> rings_;
};

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_TESTING_MADE_TRACE_H_
