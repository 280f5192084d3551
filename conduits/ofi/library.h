// The libfabric of this machine. It is loaded only if a rank is on another
// host, because some builds take a third of a second or more to load.
//
// Functions are looked up by their symbol versions of release 1.17, regardless
// of the headers that this code was compiled with. Later releases keep these
// versions and append to structures, so one program runs with all of them. A
// look-up without a version would find the newest one. The newest version may
// write to fields that the program does not have. All other functions are
// called through the objects that these functions make.
#ifndef CONDUITS_OFI_LIBRARY_H_
#define CONDUITS_OFI_LIBRARY_H_

#include <rdma/fabric.h>

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace gasnet::ofi {

// A table of the library's functions. In tests a fake fabric replaces them.
struct FabricLibrary {
  int (*getinfo)(uint32_t version, const char* node, const char* service,
                 uint64_t flags, const fi_info* hints, fi_info** info);
  void (*freeinfo)(fi_info* info);
  // if the argument is null, returns an empty info
  fi_info* (*dupinfo)(const fi_info* info);
  int (*fabric)(fi_fabric_attr* attributes, fid_fabric** fabric, void* context);
  const char* (*strerror)(int error);
  uint32_t (*version)();
};

// The interface version that this code uses. Older libraries than 1.17 are
// refused.
inline constexpr uint32_t kInterface = FI_VERSION(1, 17);

// The value of FI_MR_BASIC. The name itself causes warnings with headers from
// 2.0 on.
inline constexpr int kBasicRegistration = 1 << 0;

// Loads the library with the given name or path. The library's constructors may
// change the processor affinity and the signal handlers of the process. This
// function undoes these changes.
absl::StatusOr<FabricLibrary> LoadLibrary(const std::string& name);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_LIBRARY_H_
