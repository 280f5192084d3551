// An endpoint: the sender and receiver of messages in a rank. It has its own
// handlers, segment and rings, and shares the network with the other endpoints
// of its rank. GASNet's own functions use endpoint 0, which is created with the
// runtime.
//
// A message goes from one endpoint to any endpoint of any rank. If each thread
// uses and polls its own endpoint, these threads share no lock on the path of
// messages among the ranks of a host. A poll may also run handlers of other
// endpoints: it serves endpoints that no thread polls, and messages from the
// network.
#ifndef CORE_RUNTIME_ENDPOINT_H_
#define CORE_RUNTIME_ENDPOINT_H_

#include "core/am/engine.h"
#include "core/am/progress.h"
#include "core/endpoint_index.h"
#include "core/network/link.h"
#include "core/segment.h"

namespace gasnet {

using Engine = am::Engine<network::Link>;

class Endpoint {
 public:
  // progress: the progress functions of the rank.
  Endpoint(EndpointIndex index, am::Progress& progress)
      : index_(index), engine_(link_, progress) {}
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  EndpointIndex index() const { return index_; }
  Engine& engine() { return engine_; }
  network::Link& link() { return link_; }
  const network::Link& link() const { return link_; }
  const Segment& segment() { return engine_.dispatcher().segment(); }

 private:
  const EndpointIndex index_;
  network::Link link_;
  Engine engine_;
};

}  // namespace gasnet

#endif  // CORE_RUNTIME_ENDPOINT_H_
