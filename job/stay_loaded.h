// Keeps the shared object that contains this code in memory.
#ifndef JOB_STAY_LOADED_H_
#define JOB_STAY_LOADED_H_

namespace gasnet::job {

// Prevents dlclose from unloading the shared object that contains this code,
// for example a client's plugin that is linked with the archive. Unloading
// would crash the process, because threads, signal handlers and the process's
// end still run this code. Does nothing if the code is in a program.
void StayLoaded();

}  // namespace gasnet::job

#endif  // JOB_STAY_LOADED_H_
