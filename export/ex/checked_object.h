// Access to the objects that the arguments of GASNet-EX's calls refer to. Debug
// builds reject null handles, with a message that names the call and the
// argument.
#ifndef EXPORT_EX_CHECKED_OBJECT_H_
#define EXPORT_EX_CHECKED_OBJECT_H_

#include "base/log.h"
#include "core/thread/mode.h"

namespace gasnet::exported {

// Returns the object of a handle. `argument` is the name of the argument, for
// example "client".
template <class Object>
Object& CheckedObject(const char* call, const char* argument, Object* handle) {
  if constexpr (thread::kChecks) {
    if (handle == nullptr) Fatal("%s: the %s is NULL", call, argument);
  }
  return *handle;
}

}  // namespace gasnet::exported

#endif  // EXPORT_EX_CHECKED_OBJECT_H_
