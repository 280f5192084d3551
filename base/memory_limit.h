// The limits on the memory of this process, for messages about memory that
// cannot be allocated.
#ifndef BASE_MEMORY_LIMIT_H_
#define BASE_MEMORY_LIMIT_H_

#include <cstdint>

namespace gasnet {

// Returns the bytes of addresses that this process has mapped; 0 if the system
// does not say.
uint64_t MappedBytes();

// A text such as "; this process has 98 MiB of addresses, of the 100 that
// ulimit -v admits", or the same of ulimit -d, or without a limit. No
// std::string, since its caller has run out of memory.
struct MemoryText {
  char text[160];
};
MemoryText DescribeMemory();

}  // namespace gasnet

#endif  // BASE_MEMORY_LIMIT_H_
