// For tests: a scripted host. It runs one step each time the supervisor has
// waited. It records the supervisor's requests, one line for each call, for
// example "end 2 code 7". If the host is obedient, it also ends the ranks that
// the supervisor asks to end. Every host ends the ranks that the supervisor
// kills.
#ifndef JOB_TESTING_FAKE_HOST_H_
#define JOB_TESTING_FAKE_HOST_H_

#include <signal.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "gtest/gtest.h"
#include "job/launch/host.h"
#include "job/wire/messages.h"

namespace gasnet::job {

class FakeHost : public Host {
 public:
  using Step = std::function<void()>;

  // The requests that a host has received. Outlives the host.
  struct Record {
    std::vector<std::string> calls;
    bool Has(const std::string& call) const { return Count(call) > 0; }
    int Count(const std::string& call) const {
      return static_cast<int>(std::count(calls.begin(), calls.end(), call));
    }
  };

  FakeHost(uint32_t number, uint32_t cpus, HostObserver& observer,
           Record& record)
      : name_(absl::StrCat("h", number)),
        cpus_(cpus),
        observer_(observer),
        record_(record) {}

  // Appends a step. Called before the supervisor starts, or by a step.
  void Then(Step step) { steps_.push_back(std::move(step)); }
  bool is_obedient = true;
  // The answers to AskStatus, by rank. The host gives them at once.
  std::map<uint32_t, RankStatus> statuses;
  absl::Status start = absl::OkStatus();

  void ThenStart(uint32_t rank) {
    Then([this, rank] {
      running_.insert(rank);
      observer_.OnStarted(rank, static_cast<pid_t>(100 + rank));
    });
  }
  void ThenJoin(uint32_t rank, const char* config = "PAR") {
    Then([this, rank, config] {
      observer_.OnHello(rank, {.rank = rank, .pid = 100, .config = config});
    });
  }
  // Appends a step that starts and joins all `ranks`.
  void ThenStartAndJoin(const std::vector<uint32_t>& ranks) {
    Then([this, ranks] {
      for (const uint32_t rank : ranks) {
        running_.insert(rank);
        observer_.OnStarted(rank, static_cast<pid_t>(100 + rank));
        observer_.OnHello(rank, {.rank = rank, .pid = 100, .config = "PAR"});
      }
    });
  }
  void ThenEnd(uint32_t rank, int wait_status) {
    Then([this, rank, wait_status] {
      if (running_.erase(rank) > 0) observer_.OnEnded(rank, wait_status);
    });
  }

  absl::StatusOr<std::optional<Handoff>> Start() override {
    Note("start");
    if (!start.ok()) return start;
    return std::nullopt;
  }
  const std::string& name() const override { return name_; }
  uint32_t cpus() const override { return cpus_; }

  void SendToAll(Frame frame) override { Note(Describe(*frame)); }
  void SendEnd(uint32_t rank, Frame frame) override {
    End end;
    EXPECT_TRUE(DecodeEnd(Payload(*frame), end));
    Note(absl::StrCat("end ", rank, " code ", end.code));
    if (is_obedient) ThenEnd(rank, end.code << 8);
  }
  void SignalGroups(int number) override {
    Note(absl::StrCat("groups ", number));
    if (number != SIGKILL) return;
    for (const uint32_t rank : running_) ThenEnd(rank, SIGKILL);
  }
  void SignalRanks(int number) override {
    Note(absl::StrCat("ranks ", number));
  }
  void Pause() override {}
  void Continue() override {}
  void AskStatus() override {
    Note("ask status");
    for (const auto& [rank, status] : statuses) {
      observer_.OnStatus(rank, status);
    }
  }
  void SetReading(Stream, bool) override {}
  bool HasOpenOutput() const override { return false; }
  void PollAll() override {}

  void Expire(int64_t) override {
    if (steps_.empty()) return;
    const Step step = std::move(steps_.front());
    steps_.pop_front();
    step();
  }
  int64_t deadline() const override { return steps_.empty() ? kNever : 0; }

  // Makes the host clean one step later.
  void CleanUp() override {
    Note("clean up");
    Then([this] {
      is_clean_ = true;
      Note("clean");
    });
  }
  bool IsClean() const override { return is_clean_; }

 private:
  static std::string_view Payload(std::string_view frame) {
    return frame.substr(kFrameHeaderBytes);
  }

  static std::string Describe(std::string_view frame) {
    Welcome welcome;
    std::vector<uint32_t> left;
    GatherPart all;
    switch (TypeOf(frame)) {
      case FrameType::kWelcome:
        EXPECT_TRUE(DecodeWelcome(Payload(frame), welcome));
        return absl::StrCat("welcome hosts ", Join(welcome.host_of), " cpus ",
                            Join(welcome.host_cpus), " ",
                            welcome.environment.size());
      case FrameType::kLeft:
        EXPECT_TRUE(DecodeLeft(Payload(frame), left));
        return absl::StrCat("left ", Join(left));
      case FrameType::kGathered:
        EXPECT_TRUE(DecodeGather(Payload(frame), all));
        return absl::StrCat("gathered ", all.sequence, " ",
                            std::string(all.bytes));
      case FrameType::kAskPolls:
        return "ask polls";
      case FrameType::kAskStatistics:
        return "ask statistics";
      default:
        return "no frame for all ranks";
    }
  }

  static FrameType TypeOf(std::string_view frame) {
    FrameLimits any;
    for (size_t type = 0; type < kFrameTypes; ++type) {
      any.Allow(static_cast<FrameType>(type), frame.size());
    }
    FrameReader reader(any);
    reader.Append(frame);
    job::Frame read;
    EXPECT_EQ(reader.Next(read), FrameReader::Result::kFrame);
    return read.type;
  }

  static std::string Join(const std::vector<uint32_t>& numbers) {
    std::string text;
    for (const uint32_t number : numbers) text += std::to_string(number);
    return text;
  }

  void Note(std::string call) { record_.calls.push_back(std::move(call)); }

  const std::string name_;
  const uint32_t cpus_;
  HostObserver& observer_;
  Record& record_;
  std::deque<Step> steps_;
  std::set<uint32_t> running_;
  bool is_clean_ = false;
};

}  // namespace gasnet::job

#endif  // JOB_TESTING_FAKE_HOST_H_
