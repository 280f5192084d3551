// The agreement of all ranks of a job, though each has found its own: the
// provider, and the room of its receivers for messages.
#ifndef CONDUITS_OFI_AGREEMENT_H_
#define CONDUITS_OFI_AGREEMENT_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"

namespace gasnet::ofi {

// As ranks exchange it; unused bytes are 0.
struct Found {
  std::array<char, 30> provider;
  uint16_t window;  // MessageLimits
  uint16_t least;
  uint32_t frame_bytes;
  uint32_t version;  // of the library, as it reports
};

// By rank. An error lists what there is and who has it.
absl::Status CheckAlike(std::span<const Found> all);

// The same list, for a rank that has found nothing: "; rank 0 and 1 more: cxi
// of libfabric 1.17; rank 2: none". A rank that has found none has no name of a
// provider. Empty where nobody has any.
std::string WhatOthersHave(std::span<const Found> all);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_AGREEMENT_H_
