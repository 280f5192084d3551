// The keys of registered memory, for providers that do not choose keys
// themselves. Only the segment's key is random, and only this key is ever sent.
// Other keys may be guessed, because peers have no access to the other memory.
#ifndef CONDUITS_OFI_KEYS_H_
#define CONDUITS_OFI_KEYS_H_

#include <cstdint>

namespace gasnet::ofi {

inline constexpr uint64_t kSendKey = 1;
inline constexpr uint64_t kReceiveKey = 2;
inline constexpr uint64_t kBounceKey = 3;

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_KEYS_H_
