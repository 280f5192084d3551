// The job's secret, random: 128 bits that prove a control connection belongs to
// this job, and 256 that are a key for what its ranks send each other. It
// travels in an inherited descriptor, through ssh, or as the value that another
// launcher carries from rank 0 to all, never in an argument or the environment.
// The proof is shown on every connection, which strangers may read; the key
// never is.
#ifndef JOB_WIRE_SECRET_H_
#define JOB_WIRE_SECRET_H_

#include <array>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace gasnet::job {

class Secret {
 public:
  static constexpr size_t kProofBytes = 16;
  static constexpr size_t kKeyBytes = 32;
  static constexpr size_t kBytes = kProofBytes + kKeyBytes;

  // From the system's random source.
  static absl::StatusOr<Secret> Generate();

  // kBytes that were one before.
  static Secret FromBytes(std::string_view bytes);

  // The secret that ToDescriptor wrote to the file `fd`; its position does not
  // matter.
  static absl::StatusOr<Secret> ReadFrom(int fd);

  // An anonymous, close-on-exec, read-only descriptor that holds the secret.
  absl::StatusOr<UniqueFd> ToDescriptor() const;

  // Returns true if this process has such a descriptor, of whatever job.
  static bool IsAmongDescriptors();

  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }
  std::string_view proof() const { return bytes().substr(0, kProofBytes); }
  std::string_view key() const { return bytes().substr(kProofBytes); }

  // Whether it is the proof. Takes the same time whatever is different.
  bool Matches(std::string_view candidate) const;

 private:
  Secret() = default;

  std::array<char, kBytes> bytes_;
};

}  // namespace gasnet::job

#endif  // JOB_WIRE_SECRET_H_
