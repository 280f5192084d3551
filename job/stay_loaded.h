// A shared object that holds this code stays in memory.
#ifndef JOB_STAY_LOADED_H_
#define JOB_STAY_LOADED_H_

namespace gasnet::job {

// From here on dlclose leaves the shared object that this is part of where it
// is: a plugin of the client's, for example, into which it has linked the
// archive. Threads run in it, signal handlers and the process's end call it.
// Nothing to do in a program.
void StayLoaded();

}  // namespace gasnet::job

#endif  // JOB_STAY_LOADED_H_
