// The setting that asks for a progress thread, which drives collectives while
// the client computes (GASNET_COLL_PROGRESS=thread, only with GASNET_PAR). It
// is a thread::LibraryThread that serves while an operation is under way, and
// for a while after.
#ifndef COLL_PROGRESS_SETTING_H_
#define COLL_PROGRESS_SETTING_H_

namespace gasnet::coll {

// Returns true if GASNET_COLL_PROGRESS asks for the thread. Any value except
// "poll" is fatal, except that "thread" is valid if `possible` is true.
bool WantsProgressThread(bool possible);

}  // namespace gasnet::coll

#endif  // COLL_PROGRESS_SETTING_H_
