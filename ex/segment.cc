#include "ex/segment.h"

#include <sys/mman.h>

gasneti_segment::~gasneti_segment() {
  if (owns_memory) munmap(address, size);
}

bool gasneti_segment::Take(void* its_address, uintptr_t length) {
  address = its_address;
  size = length;
  if (address != nullptr) return true;
  address = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  owns_memory = address != MAP_FAILED;
  return owns_memory;
}
