#include "tools/gasnetrun/remote/fingerprint.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/syscall.h"
#include "base/unique_fd.h"
#include "tools/gasnetrun/remote/tuning.h"

namespace gasnet::gasnetrun {
namespace {

// FNV-1a, over words of eight bytes for speed.
constexpr uint64_t kBasis = 14695981039346656037u;
constexpr uint64_t kPrime = 1099511628211u;

uint64_t Mix(uint64_t hash, const char* bytes, size_t size) {
  for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, bytes + at, std::min(sizeof word, size - at));
    hash = (hash ^ word) * kPrime;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

std::string Fingerprint(const std::string& path) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return {};
  std::vector<char> piece(kFingerprintPieceBytes);
  uint64_t size = 0;
  uint64_t hash = kBasis;
  for (;;) {
    const ssize_t got = ReadFull(file.get(), piece.data(), piece.size());
    if (got < 0) return {};
    if (got == 0) break;
    size += static_cast<uint64_t>(got);
    hash = Mix(hash, piece.data(), static_cast<size_t>(got));
  }
  const std::string_view bytes(reinterpret_cast<const char*>(&hash),
                               sizeof(hash));
  return absl::StrCat(size, " bytes, ", absl::BytesToHexString(bytes));
}

}  // namespace gasnet::gasnetrun
