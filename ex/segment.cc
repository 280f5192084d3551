#include "ex/segment.h"

#include <sys/mman.h>

#include <new>

namespace gasnet::ex {

gasneti_segment* MakeSegment(gasneti_client& client, void* address,
                             uintptr_t length) {
  auto* const segment = new (std::nothrow) gasneti_segment;
  if (segment == nullptr) return nullptr;
  segment->client = &client;
  segment->address = address;
  segment->size = length;
  if (address != nullptr) return segment;
  segment->address = mmap(nullptr, segment->size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  segment->owns_memory = segment->address != MAP_FAILED;
  if (segment->owns_memory) return segment;
  delete segment;
  return nullptr;
}

void DestroySegment(gasneti_segment* segment) {
  if (segment->owns_memory) munmap(segment->address, segment->size);
  delete segment;
}

}  // namespace gasnet::ex
