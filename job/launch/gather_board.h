// Collects, at the launcher, the ranks' parts of successive all-gathers.
#ifndef JOB_LAUNCH_GATHER_BOARD_H_
#define JOB_LAUNCH_GATHER_BOARD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "job/wire/messages.h"

namespace gasnet::job {

class GatherBoard {
 public:
  explicit GatherBoard(uint32_t ranks) : has_part_(ranks, false) {}

  // Takes one rank's part. With the last part of a gather, returns the GATHERED
  // frame for all ranks. Returns an error if the part belongs to another
  // gather, is a duplicate, or differs in length from the other parts. Such an
  // error means that the ranks have not made the same calls.
  absl::StatusOr<std::optional<std::string>> Add(uint32_t rank,
                                                 const GatherPart& part);

  // Returns true if some ranks have contributed to a gather and others have
  // not.
  bool IsUnderWay() const { return parts_ > 0; }
  // Returns true if this rank has contributed to the present gather.
  bool HasPartOf(uint32_t rank) const { return has_part_[rank]; }

 private:
  absl::Status Check(uint32_t rank, const GatherPart& part) const;
  std::string Finish();

  uint32_t sequence_ = 0;
  uint32_t parts_ = 0;
  size_t part_bytes_ = 0;
  std::vector<bool> has_part_;
  std::string all_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_GATHER_BOARD_H_
