#include "job/launch/joining.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace gasnet::job {

std::optional<Joining::Failure> Joining::Add(uint32_t rank,
                                             std::string_view name,
                                             std::string_view config) {
  has_joined_[rank] = true;
  if (joined_++ == 0) {
    first_ = rank;
    config_ = config;
  }
  if (missing_.has_value()) return missing_;
  if (config == config_) return std::nullopt;
  return Failure{
      .code = 1,
      .why = absl::StrCat(name, " is built with GASNet '", config,
                          "' but rank ", first_, " with '", config_,
                          "'; all ranks need the same configuration")};
}

std::optional<Joining::Failure> Joining::Lose(uint32_t rank, Failure failure) {
  if (HasJoined(rank)) return failure;
  if (missing_.has_value()) return std::nullopt;
  missing_ = std::move(failure);
  return HasAny() ? missing_ : std::nullopt;
}

}  // namespace gasnet::job
