// Supernodes: sets of ranks that reach each other by loads and stores.
//
// The ranks of a host, in order of rank, are divided into groups of a given
// size (the last group may be smaller). Each group is a supernode. Supernodes
// are numbered from 0, in the order of their first ranks.
#ifndef CORE_SUPERNODES_H_
#define CORE_SUPERNODES_H_

#include <cstdint>
#include <span>
#include <vector>

namespace gasnet {

// Returns the supernode of each rank. host_of: the host of each rank. size: the
// maximum number of ranks of a supernode, at least 1.
std::vector<uint32_t> Supernodes(std::span<const uint32_t> host_of,
                                 uint32_t size);

}  // namespace gasnet

#endif  // CORE_SUPERNODES_H_
