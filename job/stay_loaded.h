// Keeps the shared object that contains this code in memory.
#ifndef JOB_STAY_LOADED_H_
#define JOB_STAY_LOADED_H_

namespace gasnet::job {

// Prevents dlclose from unloading the shared object that contains this code,
// for example a client's plugin that is linked with the archive. Unloading
// would crash: threads run in this code, and signal handlers and the process's
// end call it. Does nothing if the code is in a program.
void StayLoaded();

}  // namespace gasnet::job

#endif  // JOB_STAY_LOADED_H_
