// The conduit of this library, as the conduit's export file says it
// (linked_library.inc).
#ifndef EXPORT_LINKED_LIBRARY_H_
#define EXPORT_LINKED_LIBRARY_H_

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/runtime/runtime.h"

namespace gasnet::exported {

struct LinkedLibrary {
  // GASNET_CONFIG_STRING of this library.
  const char* config;
  // Runtime::Start with its conduit.
  absl::StatusOr<std::unique_ptr<Runtime>> (*start)(int* argc, char*** argv,
                                                    std::string_view config);
};

const LinkedLibrary& Linked();

}  // namespace gasnet::exported

#endif  // EXPORT_LINKED_LIBRARY_H_
