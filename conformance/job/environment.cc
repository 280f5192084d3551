// gasnet_getenv gives every node exactly the environment of the console that
// started the job (section 2.2.0.4). This holds even if the node has changed
// its own environment. The runner sets the variables.
#include <stdlib.h>
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

void CheckVariable(const char* name, const char* expected) {
  const char* value = gasnet_getenv(name);
  CHECK(value != nullptr);
  CHECK_EQ(strcmp(value, expected), 0);
}

void CheckEnvironment() {
  CheckVariable("CONFORMANCE_PLAIN", "value");
  CheckVariable("CONFORMANCE_EMPTY", "");
  CheckVariable("CONFORMANCE_EQUALS", "a=b=c");
  CheckVariable("CONFORMANCE_QUOTES", "it's \"quoted\" \\ and $spaced");
  CheckVariable("CONFORMANCE_LINES", "one\ntwo\n");
  CheckVariable("CONFORMANCE_LETTERS", "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC");
  CHECK_EQ(gasnet_getenv("CONFORMANCE_UNSET"), nullptr);
  CHECK_EQ(gasnet_getenv("CONFORMANCE_PLA"), nullptr);
  CHECK_EQ(gasnet_getenv("CONFORMANCE_PLAIN="), nullptr);
}

// Changes this node's environment. Then getenv gives wrong values.
void ChangeOwnEnvironment() {
  CHECK_EQ(setenv("CONFORMANCE_PLAIN", "changed", 1), 0);
  CHECK_EQ(setenv("CONFORMANCE_UNSET", "set", 1), 0);
  CHECK_EQ(unsetenv("CONFORMANCE_EMPTY"), 0);
  CHECK_EQ(unsetenv("CONFORMANCE_LINES"), 0);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::ChangeOwnEnvironment();
  conformance::InitJob(&argc, &argv);
  conformance::CheckEnvironment();
  conformance::AttachJob(nullptr, 0, 0);
  conformance::ChangeOwnEnvironment();
  conformance::CheckEnvironment();
  return conformance::FinishJob();
}
