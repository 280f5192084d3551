// The end of a rank's process. Two sides may begin it, even at the same time:
// the client (gasnet_exit on any thread or in any signal handler) and the job
// (the monitor thread, if the launcher ends the job or is gone). The first
// thread completes the end. The others wait until the process is gone.
#ifndef JOB_PROCESS_END_H_
#define JOB_PROCESS_END_H_

#include <cstdint>

namespace gasnet::job {

class ControlLink;

// Reports the exit to the launcher (unless `link` is null), flushes stdio and
// ends the process. If a signal handler on the same thread interrupts this call
// and calls it again, the process ends at once.
[[noreturn]] void EndByClient(ControlLink* link, int code);

// Ends the process because the job has ended with `code`. Only the monitor
// thread may call this.
//
// If the client handles or ignores SIGQUIT, raises SIGQUIT and gives the client
// grace_nanos to call gasnet_exit. Then flushes the stdio streams that no
// thread is using, and ends the process. A SIGQUIT that was already ignored
// when this program started (for example by a script that runs it in the
// background) does not count as ignored by the client.
[[noreturn]] void EndByJob(int code, int64_t grace_nanos);

// Sets the report that this process prints at its end, unless it ends by a
// crash, a kill or _exit(). The ending thread calls `report` once, after it has
// notified the launcher and before it flushes stdio. The report must take no
// lock: other threads, or the code that the end has interrupted, may hold it.
//
// Null removes the report: once this function returns, the reported objects may
// be destroyed. It does not return if the process is already ending.
void SetExitReport(void (*report)());

// Sets a function that is called before the exit report if the process ends by
// exit(), quick_exit() or a return from main. It is called after the client's
// atexit functions and destructors, which may still communicate. It is not
// called in forked children. `patient` is true if the exit code is known to be
// 0: then no other process waits for this one to end.
void SetBeforeReturn(void (*finish)(bool patient));

// Turns SIGINT, SIGTERM and SIGHUP into SIGQUIT for a client that handles
// SIGQUIT (spec 2.1.0.5). Does so only for signals that have no handler, and
// only for the first of each kind: a second one has its default action. If the
// client does not handle SIGQUIT, the first one has its default action too.
void TranslateTerminationSignals();
// Restores the default actions of the termination signals, except those that
// the client handles.
void LeaveTerminationSignals();

}  // namespace gasnet::job

#endif  // JOB_PROCESS_END_H_
