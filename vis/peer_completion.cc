#include "vis/peer_completion.h"

#include <cstdint>
#include <utility>

#include "core/am/dispatcher.h"
#include "core/am/message.h"
#include "core/runtime/runtime.h"
#include "vis/handler_indices.h"

namespace gasnet::vis {

void SendPeerCompletion(Rank node) {
  const thread::PeerCompletion armed =
      std::exchange(thread::Self().peer_completion, {});
  const int32_t args[] = {armed.handler};
  runtime->engine().Request(node, {.category = am::Category::kMedium,
                                   .handler = kPeerCompletionRequest,
                                   .num_args = 1,
                                   .args = args,
                                   .payload = armed.source,
                                   .nbytes = armed.nbytes});
}

void OnPeerCompletion(void* token, void* payload, size_t nbytes,
                      int32_t handler) {
  const auto& from = *static_cast<const am::Token*>(token);
  // Deliver rejects a handler that is not registered, and a handler of GASNet's
  // own.
  from.to->Deliver({.source = from.source,
                    .lane = am::Lane::kReply,
                    .category = am::Category::kMedium,
                    .handler = static_cast<uint8_t>(handler),
                    .num_args = 0,
                    .payload = payload,
                    .nbytes = nbytes,
                    .across = from.across});
}

}  // namespace gasnet::vis
