// Checks that all ranks of a job have found the same provider and the same
// limits on messages that a receiver can take.
#ifndef CONDUITS_OFI_AGREEMENT_H_
#define CONDUITS_OFI_AGREEMENT_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"

namespace gasnet::ofi {

// The findings of one rank. Ranks exchange findings as raw bytes. Unused bytes
// are 0.
struct ProviderFindings {
  std::array<char, 30> provider;
  uint16_t window;  // this and the next two: members of MessageLimits
  uint16_t least;
  uint32_t frame_bytes;
  uint32_t version;  // of libfabric, as the library reports it
};

// Checks that all ranks have the same findings. `all` is indexed by rank. An
// error lists the findings with their ranks.
absl::Status CheckAlike(std::span<const ProviderFindings> all);

// Returns a list of the findings of all ranks, such as "; rank 0 and 1 more:
// cxi of libfabric 1.17; rank 2: none". A rank that has found no provider adds
// this list to its error; its own provider name is empty. Returns "" if all
// ranks have the same findings.
std::string WhatOthersHave(std::span<const ProviderFindings> all);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_AGREEMENT_H_
