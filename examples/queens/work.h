// The tasks that wait on each rank, and how they wander to ranks without any.
//
// Stealing: a rank without tasks asks another one for some. The request's
// handler there takes the oldest half of the tasks (those that have most work
// in them) and sends them along with the reply; the reply's handler stores them
// here. An empty reply means try elsewhere. The owner's main() is not disturbed
// beyond that.
//
// Ending: nobody has tasks and none are in a message under way, yet no rank can
// see that alone. A token (Safra's algorithm) goes around among idle ranks and
// adds up, for each, replies with tasks sent minus received. If the sum is zero
// and nobody received tasks behind the token's back since its last visit
// (such a rank is "black"), everything is done. Otherwise it goes around again.
//
// All state is shared between main() and handlers, so a handler-safe lock
// guards it. While the lock is held no message may be sent.

#ifndef EXAMPLES_QUEENS_WORK_H_
#define EXAMPLES_QUEENS_WORK_H_

#include <gasnet.h>

#include <cstdint>
#include <span>

#include "examples/queens/board.h"

namespace queens {

// To be registered when attaching.
std::span<gasnet_handlerentry_t> WorkHandlers();

// Gives rank 0 the first task, and the token. After attaching, on every rank.
void StartWork(const Task& first);

// Adds a task to the own ones.
void AddTask(const Task& task);

// Takes the newest own task; without any, steals. Answers false once there is
// no task left on any rank.
bool TakeTask(Task* task);

// How many of the tasks taken had been stolen from others.
uint64_t TasksStolen();

}  // namespace queens

#endif  // EXAMPLES_QUEENS_WORK_H_
