#include "conduits/ofi/library.h"

#include <dlfcn.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace gasnet::ofi {
namespace {

// The symbol versions of the functions in release 1.17 of libfabric.
constexpr const char* kInfoSymbols = "FABRIC_1.3";
constexpr const char* kFabricSymbols = "FABRIC_1.1";
constexpr const char* kFirstSymbols = "FABRIC_1.0";

#if FI_MAJOR_VERSION < 2
static_assert(kBasicRegistration == FI_MR_BASIC);
#endif

template <class Function>
bool Find(void* library, const char* name, const char* version,
          Function*& found) {
  found = reinterpret_cast<Function*>(dlvsym(library, name, version));
  return found != nullptr;
}

}  // namespace

absl::StatusOr<FabricLibrary> LoadLibrary(const std::string& name) {
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    return absl::NotFoundError(absl::StrCat(
        "libfabric cannot be loaded (GASNET_OFI_LIBRARY names it): ",
        why == nullptr ? name.c_str() : why));
  }
  FabricLibrary found;
  if (!Find(library, "fi_getinfo", kInfoSymbols, found.getinfo) ||
      !Find(library, "fi_freeinfo", kInfoSymbols, found.freeinfo) ||
      !Find(library, "fi_dupinfo", kInfoSymbols, found.dupinfo) ||
      !Find(library, "fi_fabric", kFabricSymbols, found.fabric) ||
      !Find(library, "fi_strerror", kFirstSymbols, found.strerror) ||
      !Find(library, "fi_version", kFirstSymbols, found.version)) {
    return absl::FailedPreconditionError(absl::StrCat(
        name, " is no libfabric that programs for version ",
        FI_MAJOR(kInterface), ".", FI_MINOR(kInterface), " can use"));
  }
  if (FI_VERSION_LT(found.version(), kInterface)) {
    return absl::FailedPreconditionError(
        absl::StrCat(name, " is libfabric ", FI_MAJOR(found.version()), ".",
                     FI_MINOR(found.version()), "; 1.17 or later is needed"));
  }
  return found;
}

}  // namespace gasnet::ofi
