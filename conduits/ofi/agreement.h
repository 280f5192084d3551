// The check that all ranks of a job have found the same: the provider, and the
// room of receivers for messages.
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

// Checks that all ranks have found the same. `all` is indexed by rank. An error
// lists the findings with their ranks.
absl::Status CheckAlike(std::span<const Found> all);

// Returns the same list for the message of a rank that has found no provider:
// "; rank 0 and 1 more: cxi of libfabric 1.17; rank 2: none". The name of the
// provider is empty for a rank that has found none. Empty if no rank has found
// any.
std::string WhatOthersHave(std::span<const Found> all);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_AGREEMENT_H_
