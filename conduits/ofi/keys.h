// Keys of registered memory, where the provider does not choose them. Only the
// segment's is ever sent, so only that one is random: who guesses another finds
// memory that nobody may reach.
#ifndef CONDUITS_OFI_KEYS_H_
#define CONDUITS_OFI_KEYS_H_

#include <cstdint>

namespace gasnet::ofi {

inline constexpr uint64_t kSendKey = 1;
inline constexpr uint64_t kReceiveKey = 2;
inline constexpr uint64_t kBounceKey = 3;

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_KEYS_H_
