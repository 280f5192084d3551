// The keys of registered memory, for providers that do not choose keys
// themselves. The segment's key is random, and it is the only key that is sent
// to peers. Other keys may be guessed, because peers have no access to the
// memory that is not in the segment.
#ifndef CONDUITS_OFI_KEYS_H_
#define CONDUITS_OFI_KEYS_H_

#include <cstdint>

namespace gasnet::ofi {

inline constexpr uint64_t kSendKey = 1;
inline constexpr uint64_t kReceiveKey = 2;
inline constexpr uint64_t kBounceKey = 3;

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_KEYS_H_
