// The job's random secret: a 128-bit proof and a 256-bit key. The proof shows
// that a control connection belongs to this job. The key is used for messages
// between the job's ranks.
//
// The secret travels in an inherited descriptor, through ssh, or as the value
// that another launcher passes from rank 0 to all ranks. It is never in an
// argument or in the environment. The proof is sent on every control
// connection, and strangers may read it there. The key is never sent on such a
// connection.
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

  // Returns the secret that consists of these kBytes bytes.
  static Secret FromBytes(std::string_view bytes);

  // Reads the secret that ToDescriptor wrote to the file `fd`. The file
  // position does not matter.
  static absl::StatusOr<Secret> ReadFrom(int fd);

  // Returns an anonymous, close-on-exec, read-only descriptor with the secret.
  absl::StatusOr<UniqueFd> ToDescriptor() const;

  // Returns true if any descriptor of this process refers to a secret, of any
  // job.
  static bool IsAmongDescriptors();

  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }
  std::string_view proof() const { return bytes().substr(0, kProofBytes); }
  std::string_view key() const { return bytes().substr(kProofBytes); }

  // Returns true if the candidate equals the proof. The comparison takes the
  // same time wherever the first difference is. So the time reveals nothing
  // about the proof.
  bool Matches(std::string_view candidate) const;

 private:
  Secret() = default;

  std::array<char, kBytes> bytes_;
};

}  // namespace gasnet::job

#endif  // JOB_WIRE_SECRET_H_
