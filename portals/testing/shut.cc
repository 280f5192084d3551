#include "portals/testing/shut.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace gasnet::portals4_tests::testing {
namespace {

void Require(bool is_so, const char* what) {
  if (is_so) return;
  perror(what);
  abort();
}

}  // namespace

void Shut() { Require(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0, "dumpable"); }

void LoseCapabilities() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  Require(syscall(SYS_capset, &header, none) == 0, "capset");
}

}  // namespace gasnet::portals4_tests::testing
