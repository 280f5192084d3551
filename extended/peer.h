// The destination of messages (an endpoint of a peer), and the endpoint of this
// rank that sends them.
#ifndef EXTENDED_PEER_H_
#define EXTENDED_PEER_H_

#include "core/am/message.h"
#include "core/runtime/runtime.h"
#include "extended/target.h"

namespace gasnet::extended {

struct Peer {
  // Describes messages from this rank's endpoint 0 to endpoint 0 of the
  // target's node.
  Peer(const Target& target)  // NOLINT
      : node(target.node),
        is_further(target.endpoint != 0),
        from(runtime->first()) {}
  Peer(Rank peer) : Peer(Target(peer)) {}  // NOLINT
  Peer(Endpoint& own, Rank peer, EndpointIndex to)
      : node(peer),
        across(static_cast<EndpointIndex>(own.index() ^ to)),
        from(own) {}

  Engine& engine() const { return from.engine(); }
  [[gnu::always_inline]] void Request(am::Message message) const {
    message.across = across;
    engine().Request(node, message);
  }

  Rank node;
  EndpointIndex across = 0;
  // True if the accessed memory belongs to an endpoint other than 0. Long
  // messages may not go there.
  bool is_further = false;
  Endpoint& from;
};

}  // namespace gasnet::extended

#endif  // EXTENDED_PEER_H_
