// The job's random secret: 128 bits that prove that a control connection
// belongs to this job, and a 256-bit key for messages between its ranks. It
// travels in an inherited descriptor, through ssh, or as the value that another
// launcher passes from rank 0 to all; never in an argument or the environment.
// The proof is sent on every connection, which strangers may read. The key
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

  // Makes a secret from the system's random source.
  static absl::StatusOr<Secret> Generate();

  // Returns the secret with these kBytes bytes.
  static Secret FromBytes(std::string_view bytes);

  // Returns the secret that ToDescriptor wrote to the file `fd`; the file
  // position does not matter.
  static absl::StatusOr<Secret> ReadFrom(int fd);

  // Returns an anonymous, close-on-exec, read-only descriptor with the secret.
  absl::StatusOr<UniqueFd> ToDescriptor() const;

  // Returns true if this process has such a descriptor, of any job.
  static bool IsAmongDescriptors();

  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }
  std::string_view proof() const { return bytes().substr(0, kProofBytes); }
  std::string_view key() const { return bytes().substr(kProofBytes); }

  // Returns true if the candidate is the proof. Takes constant time, wherever
  // they differ.
  bool Matches(std::string_view candidate) const;

 private:
  Secret() = default;

  std::array<char, kBytes> bytes_;
};

}  // namespace gasnet::job

#endif  // JOB_WIRE_SECRET_H_
