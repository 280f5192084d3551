#include "job/wire/secret.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/syscall.h"
#include "job/memory/anonymous_file.h"

namespace gasnet::job {
namespace {

constexpr char kLabel[] = "gasnet-job";

// Reopens the file with a read-only descriptor.
UniqueFd ReopenReadOnly(int fd) {
  const std::string path = absl::StrCat("/proc/self/fd/", fd);
  return UniqueFd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

}  // namespace

absl::StatusOr<Secret> Secret::Generate() {
  Secret secret;
  const ssize_t got = RetryOnEintr(
      [&] { return getrandom(secret.bytes_.data(), kBytes, /*flags=*/0); });
  if (got != kBytes) return absl::ErrnoToStatus(errno, "getrandom");
  return secret;
}

Secret Secret::FromBytes(std::string_view bytes) {
  Secret secret;
  bytes.copy(secret.bytes_.data(), kBytes);
  return secret;
}

absl::StatusOr<Secret> Secret::ReadFrom(int fd) {
  Secret secret;
  const ssize_t got = PreadFull(fd, secret.bytes_.data(), kBytes, 0);
  if (got < 0) return absl::ErrnoToStatus(errno, "cannot read the job secret");
  if (got != kBytes) return absl::DataLossError("the job secret is too short");
  return secret;
}

absl::StatusOr<UniqueFd> Secret::ToDescriptor() const {
  const absl::Status allowed = CheckFileLimit(kBytes);
  if (!allowed.ok()) return allowed;
  UniqueFd file = CreateMemfd(kLabel);
  if (!file.valid()) file = CreateUnlinkedFile(TemporaryDirectory());
  if (!file.valid() || !WriteFull(file.get(), bytes_.data(), kBytes)) {
    return absl::ErrnoToStatus(errno, "cannot store the job secret");
  }
  UniqueFd read_only = ReopenReadOnly(file.get());
  if (!read_only.valid()) return absl::ErrnoToStatus(errno, "/proc/self/fd");
  return read_only;
}

bool Secret::IsAmongDescriptors() {
  const std::unique_ptr<DIR, int (*)(DIR*)> files(opendir("/proc/self/fd"),
                                                  &closedir);
  if (files == nullptr) return false;
  const std::string wanted = absl::StrCat("/memfd:", kLabel, " (deleted)");
  while (const dirent* const entry = readdir(files.get())) {
    char target[64];
    const ssize_t length =
        readlinkat(dirfd(files.get()), entry->d_name, target, sizeof target);
    if (length > 0 &&
        wanted == std::string_view(target, static_cast<size_t>(length))) {
      return true;
    }
  }
  return false;
}

bool Secret::Matches(std::string_view candidate) const {
  if (candidate.size() != kProofBytes) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < kProofBytes; ++i)
    difference |= candidate[i] ^ bytes_[i];
  return difference == 0;
}

}  // namespace gasnet::job
