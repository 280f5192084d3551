#include "core/datagram/testing/memory_endpoint.h"

namespace gasnet::datagram {

template class Transmitter<testing::MemoryPort>;
template class Endpoint<testing::MemoryPort>;

}  // namespace gasnet::datagram
