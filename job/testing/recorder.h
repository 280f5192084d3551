// For tests: an observer that records events, one line for each event, such as
// "hello 3 pid 42 debug". Keeps output apart from events, because output
// arrives in pieces of any size.
#ifndef JOB_TESTING_RECORDER_H_
#define JOB_TESTING_RECORDER_H_

#include <sys/types.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "job/launch/host.h"

namespace gasnet::job {

class Recorder : public RankObserver {
 public:
  void OnStarted(uint32_t rank, pid_t pid) override {
    Note(absl::StrCat("started ", rank, " pid ", pid));
  }
  void OnHello(uint32_t rank, const Hello& hello) override {
    Note(absl::StrCat("hello ", rank, " pid ", hello.pid, " ",
                      std::string(hello.config)));
  }
  void OnGather(uint32_t rank, const GatherPart& part) override {
    Note(absl::StrCat("gather ", rank, " number ", part.sequence, " ",
                      std::string(part.bytes)));
  }
  void OnExit(uint32_t rank, int code) override {
    Note(absl::StrCat("exit ", rank, " code ", code));
  }
  void OnChannelClosed(uint32_t rank, const std::string& why) override {
    Note(absl::StrCat("closed ", rank, " '", why, "'"));
  }
  void OnOutput(uint32_t, Stream stream, std::string_view lines) override {
    output[stream] += lines;
  }
  void OnLacksTerminal(uint32_t rank, int signal_number) override {
    Note(absl::StrCat("lacks terminal ", rank, " signal ", signal_number));
  }
  void OnEnded(uint32_t rank, int wait_status) override {
    Note(absl::StrCat("ended ", rank, " status ", wait_status));
  }

  void OnStatus(uint32_t rank, const RankStatus& status) override {
    Note(absl::StrCat("status ", rank, " ", status.waits.size(), " waits"));
  }

  void OnStatistics(uint32_t rank, const RankStatistics& statistics) override {
    Note(absl::StrCat("statistics ", rank, " elapsed ", statistics.elapsed,
                      " peers ", statistics.peers.size()));
  }

  bool Has(const std::string& event) const {
    return std::find(events.begin(), events.end(), event) != events.end();
  }

  std::vector<std::string> events;
  std::array<std::string, 2> output;

 private:
  void Note(std::string event) { events.push_back(std::move(event)); }
};

}  // namespace gasnet::job

#endif  // JOB_TESTING_RECORDER_H_
