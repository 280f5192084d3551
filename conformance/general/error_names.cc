// gasnet_ErrorName and gasnet_ErrorDesc have a text for every error (section
// 1.6.0.1).
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

struct Error {
  int value;
  const char* name;
};

constexpr Error kErrors[] = {
    {GASNET_OK, "GASNET_OK"},
    {GASNET_ERR_RESOURCE, "GASNET_ERR_RESOURCE"},
    {GASNET_ERR_BAD_ARG, "GASNET_ERR_BAD_ARG"},
    {GASNET_ERR_NOT_INIT, "GASNET_ERR_NOT_INIT"},
    {GASNET_ERR_BARRIER_MISMATCH, "GASNET_ERR_BARRIER_MISMATCH"},
    {GASNET_ERR_NOT_READY, "GASNET_ERR_NOT_READY"},
};

void CheckError(const Error& error) {
  const char* name = gasnet_ErrorName(error.value);
  const char* description = gasnet_ErrorDesc(error.value);
  CHECK(name != nullptr && description != nullptr);
  CHECK_EQ(strcmp(name, error.name), 0);
  CHECK(strlen(description) > 0);
}

void CheckDescriptionsDiffer() {
  for (const Error& one : kErrors) {
    for (const Error& other : kErrors) {
      const bool same = strcmp(gasnet_ErrorDesc(one.value),
                               gasnet_ErrorDesc(other.value)) == 0;
      CHECK_EQ(same, one.value == other.value);
    }
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  for (const conformance::Error& error : conformance::kErrors) {
    conformance::CheckError(error);
  }
  conformance::CheckDescriptionsDiffer();
  return conformance::FinishJob();
}
