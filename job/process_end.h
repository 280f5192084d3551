// The end of a rank's process. Two sides may begin it, even at the same time:
// the client (gasnet_exit on any thread or in any signal handler) and the job
// (the monitor thread, if the launcher ends the job or is gone). The first
// thread completes it; the others wait for the process to end.
#ifndef JOB_PROCESS_END_H_
#define JOB_PROCESS_END_H_

#include <cstdint>

namespace gasnet::job {

class ControlLink;

// Reports the exit to the launcher (unless `link` is null), flushes stdio and
// ends the process. If a handler interrupts this on the same thread and calls
// it again, the process ends at once.
[[noreturn]] void EndByClient(ControlLink* link, int code);

// Ends the process since the job has ended with `code`. If the client handles
// or ignores SIGQUIT, the signal is raised and the client has grace_nanos to
// call gasnet_exit. Then stdio streams that no thread is using are flushed, and
// the process ends. If SIGQUIT was already ignored when this program was
// started (as by a script in the background), that does not count as ignored by
// the client. Monitor thread only.
[[noreturn]] void EndByJob(int code, int64_t grace_nanos);

// Sets the report that this process prints at its end, unless it ends by a
// crash, a kill or _exit(). The ending thread calls it once, after the launcher
// was notified and before stdio is flushed. The report must take no lock: other
// threads, and the code that the end has interrupted, may hold it. Null removes
// the report: once this returns, the reported objects may be destroyed. It does
// not return if the process is already ending.
void SetExitReport(void (*report)());

// Sets a function that is called before that report if the process ends by
// exit(), quick_exit() or a return from main. It is called after the client's
// atexit functions and destructors, which may still communicate. It is not
// called in forked children. `patient` is true if the code is known to be 0, so
// that no other process waits for the end of this one.
void SetBeforeReturn(void (*finish)(bool patient));

// Makes a SIGINT, SIGTERM or SIGHUP that has no handler reach a client that
// handles SIGQUIT as SIGQUIT (spec 2.1.0.5). A second one, or one without such
// a client, has its default action.
void TranslateTerminationSignals();
// Restores the default actions of these signals, except those that the client
// handles.
void LeaveTerminationSignals();

}  // namespace gasnet::job

#endif  // JOB_PROCESS_END_H_
