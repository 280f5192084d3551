// The ranks that have joined (called gasnet_init), and reasons why others
// cannot. All need the same build configuration. A rank that can never join
// ends the job if other ranks have joined or will join. If no rank joins, the
// program is no GASNet program and may go on. One thread.
#ifndef JOB_LAUNCH_JOINING_H_
#define JOB_LAUNCH_JOINING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasnet::job {

class Joining {
 public:
  // A reason to end the job: its code, and the message.
  struct Failure {
    int code;
    std::string why;
  };

  explicit Joining(uint32_t ranks) : has_joined_(ranks, false) {}

  // Notes that a rank joins; `name` is its name in messages. Returns the reason
  // if that makes the job fail.
  std::optional<Failure> Add(uint32_t rank, std::string_view name,
                             std::string_view config);

  // Notes that a rank will never join. Returns `failure`, or nothing as long as
  // the job does not fail for it.
  std::optional<Failure> Lose(uint32_t rank, Failure failure);

  bool HasJoined(uint32_t rank) const { return has_joined_[rank]; }
  bool HasAny() const { return joined_ > 0; }
  bool HasAll() const { return joined_ == has_joined_.size(); }

 private:
  std::vector<bool> has_joined_;
  uint32_t joined_ = 0;
  uint32_t first_ = 0;
  std::string config_;              // The first rank's.
  std::optional<Failure> missing_;  // The first rank that can never join.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_JOINING_H_
