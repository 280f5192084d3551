// The job of a program that does not hand one over: its launcher names the
// peers.
//
// A library without this file knows only its host.
#ifndef PORTALS_JOB_LAUNCHED_H_
#define PORTALS_JOB_LAUNCHED_H_

namespace gasnet::portals4 {

// Finds the job by PMI and hands it over, if PORTALS4_JOB asks for it, or
// PORTALS4_TRANSPORT asks for datagrams; then it is collective. PtlInit calls
// it if it is linked (weak). It runs once in a process, and ends the process
// with a message if the job cannot be found.
void FindLaunchedJob() __attribute__((weak));

}  // namespace gasnet::portals4

#endif  // PORTALS_JOB_LAUNCHED_H_
