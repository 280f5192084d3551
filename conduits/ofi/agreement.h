// The agreement of all ranks of a job on what each has found for itself: the
// provider, and the room of its receivers for messages.
#ifndef CONDUITS_OFI_AGREEMENT_H_
#define CONDUITS_OFI_AGREEMENT_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"

namespace gasnet::ofi {

// A rank's contribution to the exchange; unused bytes are 0.
struct Found {
  std::array<char, 30> provider;
  uint16_t window;  // of MessageLimits
  uint16_t least;
  uint32_t frame_bytes;
  uint32_t version;  // of the library, as it reports it
};

// Checks that all ranks, by which `all` is indexed, have found the same. An
// error lists what was found and on which ranks.
absl::Status CheckAlike(std::span<const Found> all);

// Returns the same list for a rank that has found nothing: "; rank 0 and 1
// more: cxi of libfabric 1.17; rank 2: none". A rank that has found none has an
// empty name of a provider. Empty if no rank has found any.
std::string WhatOthersHave(std::span<const Found> all);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_AGREEMENT_H_
