#include "core/only_library.h"

#include <sys/auxv.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/own_env.h"

namespace gasnet {
namespace {

constexpr const char* kVariable = "GASNETI_LIBRARY";

// Returns a name for the running program. The name is made of the random bytes
// that the kernel gives to each program that it starts. It marks this program's
// own note in the environment. A program that this one starts inherits the
// note, but has another name. Half of the bytes remain secret, since the C
// library makes the guards of stacks and pointers from them.
std::string NameOfProcess() {
  uint64_t random[2] = {};
  const auto* const given = reinterpret_cast<const void*>(getauxval(AT_RANDOM));
  if (given != nullptr) memcpy(random, given, sizeof random);
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
  return absl::StrCat((random[0] ^ random[1] * kOdd) * kOdd >> 32, " ");
}

// The configuration of this library, or null while the library is not in use.
// After a failed gasnet_init, the library may start again.
const char* ours = nullptr;

}  // namespace

void RequireOnlyLibrary(const char* config) {
  if (ours != nullptr) {
    if (std::string_view(ours) != config) RefuseTwoLibraries(ours, config);
    return;
  }
  const std::string process = NameOfProcess();
  const char* const noted = OwnEnv(kVariable);
  ours = config;
  if (noted != nullptr && std::string_view(noted).starts_with(process)) {
    RefuseTwoLibraries(noted + process.size(), config);
  }
  setenv(kVariable, (process + config).c_str(), /*overwrite=*/1);
}

void ForgetOnlyLibrary() {
  ours = nullptr;
  unsetenv(kVariable);
}

void RefuseTwoLibraries(const char* first, const char* second) {
  Fatal(
      "this process has two libraries of GASNet, and may have only one: %s and "
      "%s",
      first, second);
}

}  // namespace gasnet
