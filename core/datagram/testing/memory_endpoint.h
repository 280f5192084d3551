// The endpoint over memory, instantiated once for all tests.
#ifndef CORE_DATAGRAM_TESTING_MEMORY_ENDPOINT_H_
#define CORE_DATAGRAM_TESTING_MEMORY_ENDPOINT_H_

#include "core/datagram/endpoint.h"
#include "core/datagram/testing/memory_port.h"
#include "core/datagram/transmitter.h"

namespace gasnet::datagram {

extern template class Transmitter<testing::MemoryPort>;
extern template class Endpoint<testing::MemoryPort>;

namespace testing {
using MemoryEndpoint = Endpoint<MemoryPort>;
}  // namespace testing

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_TESTING_MEMORY_ENDPOINT_H_
