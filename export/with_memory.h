// Calls that may run out of memory.
#ifndef EXPORT_WITH_MEMORY_H_
#define EXPORT_WITH_MEMORY_H_

#include <new>

#include "base/log.h"
#include "base/memory_limit.h"
#include "gasnet/types.h"

namespace gasnet::exported {

// Returns the result of call(). Turns a failed memory allocation into an error
// of the function `name`, which the call returns.
template <class Call>
int WithMemory(const char* name, Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    Warn("%s: no memory%s", name, DescribeMemory().text);
    return GASNET_ERR_RESOURCE;
  }
}

}  // namespace gasnet::exported

#endif  // EXPORT_WITH_MEMORY_H_
