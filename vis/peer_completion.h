// A message that is sent after a put in pieces, once the put's data is at the
// target. The message runs a handler of the client at the target.
// gex_VIS_SetPeerCompletionHandler stores a request for the message in the
// thread's record. The thread sends the message after its next put.
#ifndef VIS_PEER_COMPLETION_H_
#define VIS_PEER_COMPLETION_H_

#include "core/rank.h"
#include "core/thread/thread_state.h"

namespace gasnet::vis {

// Returns true if the calling thread has requested a message after its next
// put.
inline bool IsArmed() { return thread::Self().peer_completion.handler != 0; }

// Sends the requested message, and clears the request. The put must be
// complete.
void SendPeerCompletion(Rank node);

// Handles the message at the target. Delivers the payload to the client's
// handler, as a Medium reply without arguments.
void OnPeerCompletion(void* token, void* payload, size_t nbytes,
                      int32_t handler);

}  // namespace gasnet::vis

#endif  // VIS_PEER_COMPLETION_H_
