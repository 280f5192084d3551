// The limits on the memory of this process, for messages that some cannot be
// had.
#ifndef BASE_MEMORY_LIMIT_H_
#define BASE_MEMORY_LIMIT_H_

#include <cstdint>

namespace gasnet {

// Bytes of addresses that this process has mapped; 0 where the system does not
// say.
uint64_t MappedBytes();

// "; this process has 98 MiB of addresses, of the 100 that ulimit -v admits",
// or the like of ulimit -d or without a limit. No std::string: its caller has
// found no memory.
struct MemoryText {
  char text[160];
};
MemoryText DescribeMemory();

}  // namespace gasnet

#endif  // BASE_MEMORY_LIMIT_H_
