// A program for tests of core dumps. Each node has a segment of 400 MB. The
// node writes a text with its own number to some pages in the middle of the
// segment. Then the last node fails in the way that the argument names.
#include <gasnet.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vector>

namespace {

constexpr uintptr_t kSegment = uintptr_t{400} << 20;
constexpr uintptr_t kUsed = 1 << 20;
constexpr size_t kOwn = size_t{300} << 20;

void Barrier() {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

void Fill(char* to) {
  char text[64];
  const int length =
      snprintf(text, sizeof text, "%s %d! ", "used by", gasnet_mynode());
  for (uintptr_t at = 0; at + length <= kUsed; at += length) {
    memcpy(to + at, text, length);
  }
}

[[noreturn]] void Fail(const char* how) {
  if (strcmp(how, "fault") == 0) *static_cast<volatile int*>(nullptr) = 1;
  if (strcmp(how, "misuse") == 0) gasnet_barrier_wait(0, 0);
  // With "large", the program's own memory makes the core large.
  static std::vector<char> own;
  if (strcmp(how, "large") == 0) own.assign(kOwn, 'x');
  abort();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || gasnet_init(&argc, &argv) != GASNET_OK) return 2;
  if (gasnet_attach(nullptr, 0, kSegment, 0) != GASNET_OK) gasnet_exit(2);
  std::vector<gasnet_seginfo_t> segments(gasnet_nodes());
  gasnet_getSegmentInfo(segments.data(), static_cast<int>(gasnet_nodes()));
  Fill(static_cast<char*>(segments[gasnet_mynode()].addr) + kSegment / 2);
  Barrier();
  if (gasnet_mynode() + 1 == gasnet_nodes()) Fail(argv[1]);
  for (;;) pause();
}
