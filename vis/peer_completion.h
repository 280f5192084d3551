// A message that follows a put in pieces once its data is at the target. There
// it runs a handler of the client (gex_VIS_SetPeerCompletionHandler). The call
// stores the request in the thread's record, and the thread sends the message
// after its next put.
#ifndef VIS_PEER_COMPLETION_H_
#define VIS_PEER_COMPLETION_H_

#include "core/rank.h"
#include "core/thread/thread_state.h"

namespace gasnet::vis {

// Returns true if a message follows the calling thread's next put.
inline bool IsArmed() { return thread::Self().peer_completion.handler != 0; }

// Sends the message, after a put that is complete, and clears the request.
void SendPeerCompletion(Rank node);

// Handles the message at the target. Delivers the payload to the client's
// handler, as a Medium reply without arguments.
void OnPeerCompletion(void* token, void* payload, size_t nbytes,
                      int32_t handler);

}  // namespace gasnet::vis

#endif  // VIS_PEER_COMPLETION_H_
