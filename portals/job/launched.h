// Finds the job of a program that hands no job over. This code learns of the
// job's other processes from the launcher.
//
// A library without this file knows only the processes of its host.
#ifndef PORTALS_JOB_LAUNCHED_H_
#define PORTALS_JOB_LAUNCHED_H_

namespace gasnet::portals4 {

// Finds the job by PMI and hands it over, if PORTALS4_JOB asks for that or
// PORTALS4_TRANSPORT asks for datagrams. In both cases the call is collective.
// PtlInit calls this weak function if it is linked. The function runs once in a
// process. If it cannot find the job, it prints a message and ends the process.
void FindLaunchedJob() __attribute__((weak));

}  // namespace gasnet::portals4

#endif  // PORTALS_JOB_LAUNCHED_H_
