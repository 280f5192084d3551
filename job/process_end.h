// The end of a rank's process. Either the client or the job may begin it, even
// at the same time. The client calls gasnet_exit, on any thread or in any
// signal handler. The job acts on the monitor thread, if the launcher ends the
// job or is gone. The first thread to begin completes the end. Other threads
// wait until the process is gone.
#ifndef JOB_PROCESS_END_H_
#define JOB_PROCESS_END_H_

#include <cstdint>

namespace gasnet::job {

class ControlLink;

// Reports the exit to the launcher (unless `link` is null), flushes stdio and
// ends the process. A signal handler on the same thread may interrupt this call
// and call EndByClient again. The process then ends at once.
[[noreturn]] void EndByClient(ControlLink* link, int code);

// Ends the process because the job has ended with `code`. Only the monitor
// thread may call this.
//
// If the client handles or ignores SIGQUIT, raises SIGQUIT and gives the client
// grace_nanos to call gasnet_exit. Then flushes the stdio streams that no
// thread is using, and ends the process. A SIGQUIT that was ignored when this
// program started does not count as ignored by the client. A shell does this
// for background commands of a script.
[[noreturn]] void EndByJob(int code, int64_t grace_nanos);

// Sets the report that this process prints at its end, unless it ends by a
// crash, a kill or _exit(). The ending thread calls `report` once, after it has
// notified the launcher and before it flushes stdio. The report must take no
// lock. Other threads, or the code that the end has interrupted, may hold it.
//
// Null removes the report. Once this function returns, the reported objects may
// be destroyed. The function does not return if the process is already ending.
void SetExitReport(void (*report)());

// Sets a function that is called before the exit report if the process ends by
// exit(), quick_exit() or a return from main. The call comes after the client's
// atexit functions and destructors, because these may still communicate. Forked
// children do not call the function. `patient` is true if the exit code is
// known to be 0. No other process then waits for this process to end.
void SetBeforeReturn(void (*finish)(bool patient));

// Turns SIGINT, SIGTERM and SIGHUP into SIGQUIT for a client that handles
// SIGQUIT (spec 2.1.0.5). Affects only signals that have no handler. The first
// signal of each kind becomes SIGQUIT, and the second has its default action.
// If the client does not handle SIGQUIT, the first has its default action too.
void TranslateTerminationSignals();
// Restores the default actions of the termination signals, except those that
// the client handles.
void LeaveTerminationSignals();

}  // namespace gasnet::job

#endif  // JOB_PROCESS_END_H_
