// Copies of payloads that fit a cell. A call of memcpy costs several times as
// much as the two or four moves that these take.
#ifndef CORE_HOSTSHM_COPY_H_
#define CORE_HOSTSHM_COPY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/hostshm/layout.h"

namespace gasnet::hostshm {

// The first and the last sizeof(Word) bytes; they may overlap.
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

// bytes: at most kLine. The two places do not overlap.
[[gnu::always_inline]] inline void CopyUpToLine(unsigned char* to,
                                                const unsigned char* from,
                                                size_t bytes) {
  struct Half {
    unsigned char bytes[kLine / 2];
  };
  struct Quarter {
    unsigned char bytes[kLine / 4];
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

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_COPY_H_
