// Finds the job of a program that hands no job over. The launcher tells this
// code the other processes of the job.
//
// A library without this file knows only the processes of its host.
#ifndef PORTALS_JOB_LAUNCHED_H_
#define PORTALS_JOB_LAUNCHED_H_

namespace gasnet::portals4 {

// Finds the job by PMI and hands it over, if PORTALS4_JOB asks for it or
// PORTALS4_TRANSPORT asks for datagrams. In these cases the call is collective.
// PtlInit calls this function if it is linked (weak). It runs once in a
// process, and ends the process with a message if it cannot find the job.
void FindLaunchedJob() __attribute__((weak));

}  // namespace gasnet::portals4

#endif  // PORTALS_JOB_LAUNCHED_H_
