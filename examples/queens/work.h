// The tasks that wait on each rank, and the distribution of tasks to ranks that
// have none.
//
// Stealing: a rank without tasks asks another rank, the victim, for some. The
// request's handler on the victim takes the oldest half of the tasks (these
// contain the most work) and sends them with the reply. The reply's handler
// stores them on the rank that asked. After an empty reply that rank asks
// another victim. A victim's main() does no work for this except to poll.
//
// Termination: the job is done when no rank has tasks and no message carries
// any. But no rank can see this alone. A token (Safra's algorithm) goes around
// among idle ranks. It adds up, for each rank, the replies with tasks that the
// rank sent, minus those that it received. A rank that has received tasks since
// the token's last visit is "black". If the sum is zero and no rank is black,
// the job is done. Otherwise the token goes around again.
//
// main() and handlers share all state, so a handler-safe lock guards it. No
// message may be sent while the lock is held.

#ifndef EXAMPLES_QUEENS_WORK_H_
#define EXAMPLES_QUEENS_WORK_H_

#include <gasnet.h>

#include <cstdint>
#include <span>

#include "examples/queens/board.h"

namespace queens {

// Returns the handlers, to be registered when attaching.
std::span<gasnet_handlerentry_t> WorkHandlers();

// Gives rank 0 the first task and the token. Every rank calls it after
// attaching.
void StartWork(const Task& first);

// Adds a task to this rank's tasks.
void AddTask(const Task& task);

// Takes this rank's newest task, or steals one if there is none. Returns false
// once no rank has a task left.
bool TakeTask(Task* task);

// Returns how many of the tasks that this rank took were stolen from other
// ranks.
uint64_t TasksStolen();

}  // namespace queens

#endif  // EXAMPLES_QUEENS_WORK_H_
