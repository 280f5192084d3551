// The setting that asks for a progress thread: GASNET_COLL_PROGRESS=thread,
// only with GASNET_PAR. The progress thread drives collectives while the client
// computes. It is a thread::LibraryThread, and works while an operation is
// under way and for kLinger after that.
#ifndef COLL_PROGRESS_SETTING_H_
#define COLL_PROGRESS_SETTING_H_

namespace gasnet::coll {

// Returns true if GASNET_COLL_PROGRESS asks for the progress thread. Valid
// values are "poll" and, if `possible` is true, "thread". Any other value is
// fatal.
bool WantsProgressThread(bool possible);

}  // namespace gasnet::coll

#endif  // COLL_PROGRESS_SETTING_H_
