// In the stead of the object of this name in libabsl_cordz_functions.a. Cords
// are never sampled: nobody can ask a library for a profile of its own.
#include "absl/strings/internal/cordz_functions.h"

#include <cstdint>
#include <limits>

#include "absl/base/attributes.h"
#include "absl/base/config.h"

namespace absl {
ABSL_NAMESPACE_BEGIN
namespace cord_internal {

namespace {
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
}  // namespace

ABSL_CONST_INIT thread_local int64_t cordz_next_sample = kNever;

int32_t get_cordz_mean_interval() { return 0; }
void set_cordz_mean_interval(int32_t) {}

bool cordz_should_profile_slow() {
  cordz_next_sample = kNever;
  return false;
}

void cordz_set_next_sample_for_testing(int64_t) {}

}  // namespace cord_internal
ABSL_NAMESPACE_END
}  // namespace absl
