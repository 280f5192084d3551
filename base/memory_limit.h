// The limits on the memory of this process, for messages about memory that
// cannot be allocated.
#ifndef BASE_MEMORY_LIMIT_H_
#define BASE_MEMORY_LIMIT_H_

#include <cstdint>

namespace gasnet {

// Returns the bytes of address space that this process has mapped; 0 if
// unknown.
uint64_t MappedBytes();

// A text such as "; this process has 98 MiB of addresses, of the 100 that
// ulimit -v admits". The text may name ulimit -d instead, or no limit. It is an
// array and not a std::string because the caller has run out of memory.
struct MemoryText {
  char text[160];
};
MemoryText DescribeMemory();

}  // namespace gasnet

#endif  // BASE_MEMORY_LIMIT_H_
