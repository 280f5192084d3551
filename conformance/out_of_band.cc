#include "conformance/out_of_band.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

namespace conformance {
namespace {

struct alignas(64) Line {
  std::atomic<uint32_t> word;
};

constexpr size_t kBytes = kOutOfBandWords * sizeof(Line);

[[noreturn]] void Fail(const std::string& what) {
  fprintf(stderr, "*** CONFORMANCE_SCRATCH: %s\n", what.c_str());
  abort();
}

Line* Map() {
  const char* const directory = getenv("CONFORMANCE_SCRATCH");
  if (directory == nullptr) Fail("is not set; name an empty directory");
  const std::string path = std::string(directory) + "/words";
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, kBytes) != 0) Fail("cannot make " + path);
  void* const words =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (words == MAP_FAILED) Fail("cannot map " + path);
  close(fd);
  return static_cast<Line*>(words);
}

}  // namespace

std::atomic<uint32_t>& OutOfBand(int which) {
  static Line* const lines = Map();
  return lines[which].word;
}

}  // namespace conformance
