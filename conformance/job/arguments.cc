// After gasnet_init every node has exactly the program's arguments (section
// 2.1.0.1). The runner starts this program with the arguments that are
// expected.
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

const char* const kExpected[] = {
    "plain",     "",
    "two words", "it's \"quoted\" \\",
    "one\ntwo",  "gr\xC3\xBC\xC3\x9F",
    "-n",        "--",
    "$HOME",
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kExpected;
  conformance::InitJob(&argc, &argv);
  CHECK_EQ(argc, COUNT_OF(kExpected) + 1);
  for (int i = 0; i < COUNT_OF(kExpected); ++i) {
    CHECK_EQ(strcmp(argv[i + 1], kExpected[i]), 0);
  }
  CHECK_EQ(argv[argc], nullptr);
  conformance::AttachJob(nullptr, 0, 0);
  return conformance::FinishJob();
}
