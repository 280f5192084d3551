#include "job/launch/gather_board.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace gasnet::job {

absl::StatusOr<std::optional<std::string>> GatherBoard::Add(
    uint32_t rank, const GatherPart& part) {
  const absl::Status status = Check(rank, part);
  if (!status.ok()) return status;
  if (parts_ == 0) {
    part_bytes_ = part.bytes.size();
    all_.resize(part_bytes_ * has_part_.size());
  }
  std::copy(part.bytes.begin(), part.bytes.end(),
            all_.begin() + rank * part_bytes_);
  has_part_[rank] = true;
  if (++parts_ < has_part_.size()) return std::nullopt;
  return Finish();
}

absl::Status GatherBoard::Check(uint32_t rank, const GatherPart& part) const {
  if (rank >= has_part_.size() || part.sequence != sequence_ ||
      has_part_[rank]) {
    return absl::FailedPreconditionError(
        absl::StrCat("rank ", rank, " contributes to gather ", part.sequence,
                     ", but gather ", sequence_, " is under way"));
  }
  if (parts_ > 0 && part.bytes.size() != part_bytes_) {
    return absl::FailedPreconditionError(absl::StrCat(
        "rank ", rank, " contributes ", part.bytes.size(),
        " bytes to a gather of ", part_bytes_, " bytes from each rank"));
  }
  return absl::OkStatus();
}

std::string GatherBoard::Finish() {
  const std::string frame =
      EncodeGather(FrameType::kGathered, {sequence_, all_});
  ++sequence_;
  parts_ = 0;
  all_.clear();
  std::fill(has_part_.begin(), has_part_.end(), false);
  return frame;
}

}  // namespace gasnet::job
