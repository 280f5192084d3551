// The sizes that messages and their fragments can have in datagrams of a given
// size.
#ifndef CORE_DATAGRAM_MESSAGE_SIZE_H_
#define CORE_DATAGRAM_MESSAGE_SIZE_H_

#include <cstddef>

#include "core/am/message.h"
#include "core/datagram/packet_pool.h"
#include "core/datagram/path_size.h"

namespace gasnet::datagram {

// Returns the size of the largest Long. Ends the job with a message if
// datagrams are too small for any message.
size_t MaxLong(const PathSizes& sizes);

// Returns the largest payload of a Medium that is sent without fragments, for
// any number of arguments.
size_t WholeMedium(size_t datagram);

// Returns the payload size of each fragment of the message, except the last.
// That is the capacity of a datagram, or less if the message would otherwise
// have fewer than kMinFragments fragments.
size_t FragmentLength(const am::Message& message, size_t datagram);

// Returns the maximum number of buffers that the largest message takes, over
// all possible datagram sizes.
PacketPool::Counts LargestInBuffers(const PathSizes& sizes);

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_MESSAGE_SIZE_H_
