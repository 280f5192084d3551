// How large messages may be, and their fragments, where datagrams have a
// certain size.
#ifndef CORE_DATAGRAM_MESSAGE_SIZE_H_
#define CORE_DATAGRAM_MESSAGE_SIZE_H_

#include <cstddef>

#include "core/am/message.h"
#include "core/datagram/packet_pool.h"
#include "core/datagram/path_size.h"

namespace gasnet::datagram {

// The largest Long. Ends the job with a message where datagrams are too small
// for any message.
size_t MaxLong(const PathSizes& sizes);

// The payload of a Medium that is no fragments, whatever its arguments.
size_t WholeMedium(size_t datagram);

// Payload of each of the message's fragments but the last: all that a datagram
// takes, but so that there are kLeastFragments of them.
size_t FragmentLength(const am::Message& message, size_t datagram);

// Buffers that the largest message takes, with datagrams of whatever size.
PacketPool::Counts LargestInBuffers(const PathSizes& sizes);

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_MESSAGE_SIZE_H_
