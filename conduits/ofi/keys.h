// Keys of registered memory, if the provider does not choose them. Only the
// segment's key is ever sent, so only that one is random: a guess of another
// leads to memory that no peer may reach.
#ifndef CONDUITS_OFI_KEYS_H_
#define CONDUITS_OFI_KEYS_H_

#include <cstdint>

namespace gasnet::ofi {

inline constexpr uint64_t kSendKey = 1;
inline constexpr uint64_t kReceiveKey = 2;
inline constexpr uint64_t kBounceKey = 3;

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_KEYS_H_
