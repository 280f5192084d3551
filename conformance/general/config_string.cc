// The library contains GASNET_CONFIG_STRING. So a tool can find the string in a
// statically linked program (section 1.8). Tools search for the words around
// the string.
//
// This program must not contain the plain string itself, or the search would
// prove nothing. So it keeps the string disguised.
#include <string.h>

#include <fstream>
#include <iterator>
#include <string>

#include "conformance/harness.h"

namespace conformance {
namespace {

#define EMBEDDED "$GASNetConfig: " GASNET_CONFIG_STRING " $"

constexpr size_t kLength = sizeof(EMBEDDED) - 1;
constexpr char kMask = 0x55;

struct Disguised {
  char text[kLength];
};

constexpr Disguised Disguise() {
  Disguised disguised{};
  for (size_t i = 0; i < kLength; ++i) {
    disguised.text[i] = EMBEDDED[i] ^ kMask;
  }
  return disguised;
}

constexpr Disguised kDisguised = Disguise();
static_assert(kLength > 0);

std::string ThisProgram() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void CheckEmbedded() {
  std::string expected(kDisguised.text, kLength);
  for (char& letter : expected) letter ^= kMask;
  CHECK(ThisProgram().find(expected) != std::string::npos);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  conformance::CheckEmbedded();
  return conformance::FinishJob();
}
