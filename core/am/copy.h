// Copies arguments and small payloads into a message. A call of memcpy would
// take several times as long as the few moves here.
#ifndef CORE_AM_COPY_H_
#define CORE_AM_COPY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/am/tuning.h"

namespace gasnet::am {

// Copies arguments. The client's call may just have stored the source one
// number at a time. A load of several numbers at once, as in memcpy, would wait
// for these stores. volatile prevents such loads. `to` is aligned for int32_t.
inline void CopyArguments(void* to, const int32_t* from, unsigned count) {
  auto* const out = static_cast<int32_t*>(to);
  const volatile int32_t* const in = from;
  for (unsigned i = 0; i < count; ++i) out[i] = in[i];
}

// Copies the first and the last sizeof(Word) bytes. The two parts may overlap.
template <class Word>
[[gnu::always_inline]] inline void CopyEnds(unsigned char* to,
                                            const unsigned char* from,
                                            size_t bytes) {
  Word first, last;
  std::memcpy(&first, from, sizeof(Word));
  std::memcpy(&last, from + bytes - sizeof(Word), sizeof(Word));
  std::memcpy(to, &first, sizeof(Word));
  std::memcpy(to + bytes - sizeof(Word), &last, sizeof(Word));
}

// Copies at most kMaxSmall bytes. The ranges do not overlap.
[[gnu::always_inline]] inline void CopySmall(unsigned char* to,
                                             const unsigned char* from,
                                             size_t bytes) {
  struct Half {
    unsigned char bytes[kMaxSmall / 2];
  };
  struct Quarter {
    unsigned char bytes[kMaxSmall / 4];
  };
  if (bytes >= sizeof(Half)) {
    CopyEnds<Half>(to, from, bytes);
  } else if (bytes >= sizeof(Quarter)) {
    CopyEnds<Quarter>(to, from, bytes);
  } else if (bytes >= sizeof(uint64_t)) {
    CopyEnds<uint64_t>(to, from, bytes);
  } else if (bytes >= sizeof(uint32_t)) {
    CopyEnds<uint32_t>(to, from, bytes);
  } else if (bytes >= sizeof(uint16_t)) {
    CopyEnds<uint16_t>(to, from, bytes);
  } else if (bytes == 1) {
    *to = *from;
  }
}

// Like CopySmall(), but for any number of bytes.
[[gnu::always_inline]] inline void CopyPayload(void* to, const void* from,
                                               size_t bytes) {
  if (bytes <= kMaxSmall) {
    CopySmall(static_cast<unsigned char*>(to),
              static_cast<const unsigned char*>(from), bytes);
  } else {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace gasnet::am

#endif  // CORE_AM_COPY_H_
