// The setting that asks for a thread that takes the steps of collectives while
// the client computes (GASNET_COLL_PROGRESS=thread, GASNET_PAR alone). The
// thread is a thread::LibraryThread that serves while an operation is under
// way, and for a while after.
#ifndef COLL_PROGRESS_SETTING_H_
#define COLL_PROGRESS_SETTING_H_

namespace gasnet::coll {

// Returns true if GASNET_COLL_PROGRESS asks for the thread. Any value except
// "poll" and, if `possible`, "thread" is fatal.
bool WantsProgressThread(bool possible);

}  // namespace gasnet::coll

#endif  // COLL_PROGRESS_SETTING_H_
