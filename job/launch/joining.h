// Tracks the ranks that have joined (called gasnet_init), and the reasons why
// others cannot. All ranks need the same build configuration. If a rank can
// never join, the job ends once any other rank has joined. If no rank joins,
// the program does not use GASNet and may go on. Used by one thread.
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
  // A reason to end the job: the exit code, and the message.
  struct Failure {
    int code;
    std::string why;
  };

  explicit Joining(uint32_t ranks) : has_joined_(ranks, false) {}

  // Notes that a rank joins. `name` is the rank's name in messages. Returns a
  // failure if the job must end because the rank joins.
  std::optional<Failure> Add(uint32_t rank, std::string_view name,
                             std::string_view config);

  // Notes that a rank will never join. Returns `failure` if the job must end
  // because of this, and nothing if the job goes on for now.
  std::optional<Failure> Lose(uint32_t rank, Failure failure);

  bool HasJoined(uint32_t rank) const { return has_joined_[rank]; }
  bool HasAny() const { return joined_ > 0; }
  bool HasAll() const { return joined_ == has_joined_.size(); }

 private:
  std::vector<bool> has_joined_;
  uint32_t joined_ = 0;
  uint32_t first_ = 0;
  std::string config_;              // The first joined rank's configuration.
  std::optional<Failure> missing_;  // The first failure of a rank to join.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_JOINING_H_
