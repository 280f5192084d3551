// In the stead of the object of this name in libabsl_base.a.
#include "absl/base/internal/sysinfo.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "absl/base/config.h"

namespace absl {
ABSL_NAMESPACE_BEGIN
namespace base_internal {

// What Abseil answers where it cannot know.
double NominalCPUFrequency() { return 1.0; }

int NumCPUs() {
  static const int cpus = static_cast<int>(std::thread::hardware_concurrency());
  return cpus;
}

pid_t GetTID() { return static_cast<pid_t>(syscall(SYS_gettid)); }

pid_t GetCachedTID() {
  static thread_local const pid_t id = GetTID();
  return id;
}

}  // namespace base_internal
ABSL_NAMESPACE_END
}  // namespace absl
