// The job's secret: 128 random bits that prove a control connection belongs to
// this job. It travels in an inherited descriptor, never in an argument or the
// environment.
#ifndef GASNET_CORE_JOB_SECRET_H_
#define GASNET_CORE_JOB_SECRET_H_

#include <array>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace gasnet::job {

class Secret {
 public:
  static constexpr size_t kBytes = 16;

  // From the system's random source.
  static absl::StatusOr<Secret> Generate();

  // kBytes that were one before.
  static Secret FromBytes(std::string_view bytes);

  // What ToDescriptor wrote to the file `fd`; its position does not matter.
  static absl::StatusOr<Secret> ReadFrom(int fd);

  // An anonymous, close-on-exec, read-only descriptor that holds the secret.
  absl::StatusOr<UniqueFd> ToDescriptor() const;

  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }

  // Takes the same time whatever is different.
  bool Matches(std::string_view candidate) const;

 private:
  Secret() = default;

  std::array<char, kBytes> bytes_;
};

}  // namespace gasnet::job

#endif  // GASNET_CORE_JOB_SECRET_H_
