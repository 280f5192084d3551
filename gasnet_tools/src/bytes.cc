#include <string.h>

#include <algorithm>

#include "gasnet_tools/number.h"
#include "gasnet_tools/src/export.h"

namespace {

template <typename Word>
int CountZeroBytes(Word value) {
  int count = 0;
  for (size_t i = 0; i < sizeof value; ++i) {
    count += ((value >> (8 * i)) & 0xFF) == 0;
  }
  return count;
}

}  // namespace

GASNETTI_EXPORT size_t gasnett_count0s(const void* src, size_t nbytes) {
  const auto* bytes = static_cast<const unsigned char*>(src);
  return std::count(bytes, bytes + nbytes, 0);
}

GASNETTI_EXPORT size_t gasnett_count0s_copy(void* GASNETT_RESTRICT dst,
                                            const void* GASNETT_RESTRICT src,
                                            size_t nbytes) {
  if (nbytes != 0) memcpy(dst, src, nbytes);
  return gasnett_count0s(src, nbytes);
}

GASNETTI_EXPORT int gasnett_count0s_uint32_t(uint32_t value) {
  return CountZeroBytes(value);
}

GASNETTI_EXPORT int gasnett_count0s_uint64_t(uint64_t value) {
  return CountZeroBytes(value);
}

GASNETTI_EXPORT int gasnett_count0s_uintptr_t(uintptr_t value) {
  return CountZeroBytes(value);
}

// FNV-1a. Every step is a bijection of the sum, so a difference in a single
// byte always changes the result.
GASNETTI_EXPORT uint64_t gasnett_checksum(const void* src, int nbytes) {
  uint64_t sum = 0xCBF29CE484222325;
  const auto* bytes = static_cast<const unsigned char*>(src);
  for (int i = 0; i < nbytes; ++i) {
    sum = (sum ^ bytes[i]) * 0x100000001B3;
  }
  return sum;
}
