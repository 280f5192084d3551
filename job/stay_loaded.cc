#include "job/stay_loaded.h"

#include <dlfcn.h>
#include <link.h>

namespace gasnet::job {

void StayLoaded() {
  Dl_info info;
  void* found = nullptr;
  if (dladdr1(reinterpret_cast<void*>(&StayLoaded), &info, &found,
              RTLD_DL_LINKMAP) == 0) {
    return;
  }
  // The dynamic linker gives the program itself an empty name.
  const char* const name = static_cast<const link_map*>(found)->l_name;
  if (name[0] != '\0') dlopen(name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace gasnet::job
