// The job of a program that hands none over: its launcher tells the peers.
//
// A library without this file has only its host.
#ifndef PORTALS_JOB_LAUNCHED_H_
#define PORTALS_JOB_LAUNCHED_H_

namespace gasnet::portals4 {

// Finds the job, by PMI, and hands it over, where PORTALS4_JOB asks for it, or
// PORTALS4_TRANSPORT for datagrams. Collective then; called by PtlInit, which
// works without it (weak). Once in a process; ends it with a message where the
// job cannot be found.
void FindLaunchedJob() __attribute__((weak));

}  // namespace gasnet::portals4

#endif  // PORTALS_JOB_LAUNCHED_H_
