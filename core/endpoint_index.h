// The number of an endpoint within its rank (core/runtime/endpoint.h). GASNet's
// own functions use endpoint 0.
#ifndef CORE_ENDPOINT_INDEX_H_
#define CORE_ENDPOINT_INDEX_H_

#include <cstdint>

namespace gasnet {

using EndpointIndex = uint8_t;

// The maximum number of endpoints of a rank. A power of two, so that the XOR of
// two indices is also below it.
inline constexpr unsigned kMaxEndpoints = 32;

}  // namespace gasnet

#endif  // CORE_ENDPOINT_INDEX_H_
