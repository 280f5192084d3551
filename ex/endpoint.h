// An endpoint of GASNet-EX: a source and target of messages and transfers in
// its process, identified by an index. Index 0 is the primordial endpoint,
// which is the runtime's endpoint 0. Other endpoints have no rings of their
// own: their messages travel between endpoints 0 (further_messages.h). So do
// accesses to their segments (core/further_segments.h).
#ifndef EX_ENDPOINT_H_
#define EX_ENDPOINT_H_

#include <atomic>
#include <memory>

#include "core/am/dispatcher.h"
#include "core/endpoint_index.h"
#include "ex/client_data.h"
#include "ex/handler_entries.h"
#include "ex/segment.h"
#include "gasnet/ex_types.h"

struct gasneti_ep {
  explicit gasneti_ep(
      gasneti_client& owner, gasnet::EndpointIndex its_index = 0,
      gex_EP_Capabilities_t its_capabilities = GEX_EP_CAPABILITY_ALL,
      gex_Flags_t its_flags = 0)
      : client(owner),
        index(its_index),
        capabilities(its_capabilities),
        flags(its_flags) {}

  bool Can(gex_EP_Capabilities_t wanted) const {
    return (capabilities & wanted) == wanted;
  }

  gasneti_client& client;
  const gasnet::EndpointIndex index;
  const gex_EP_Capabilities_t capabilities;
  const gex_Flags_t flags;
  // Null until a segment is bound. Set before the client may use the segment.
  std::atomic<gasneti_segment*> segment{nullptr};
  // The number of teams whose local member is this endpoint.
  std::atomic<unsigned> teams{0};
  // Runs the endpoint's handlers. Null if the endpoint receives no messages.
  gasnet::am::Dispatcher* dispatcher = nullptr;
  // Null if the endpoint has index 0.
  std::unique_ptr<gasnet::am::Dispatcher> own_dispatcher;
  gasnet::ex::HandlerEntries entries;
  gasnet::ex::ClientData data;
};

#endif  // EX_ENDPOINT_H_
