// How the process of a rank ends. Two sides may want it, also at the same time:
// the client (gasnet_exit on any thread, in any signal handler) and the job
// (the monitor thread, when the launcher says so or is gone). The first thread
// that begins carries it through; the others wait for the process to end.
#ifndef JOB_PROCESS_END_H_
#define JOB_PROCESS_END_H_

#include <cstdint>

namespace gasnet::job {

class ControlLink;

// Reports the exit to the launcher (unless `link` is null), flushes stdio,
// ends. A handler that interrupts this on the same thread and calls it again
// ends at once.
[[noreturn]] void EndByClient(ControlLink* link, int code);

// The job has ended with `code`. Where the client handles or ignores SIGQUIT,
// it is raised and the client has `grace` to call gasnet_exit. Then stdio is
// flushed as far as no thread is in the middle of it, and the process ends. A
// SIGQUIT that this program was started without (a script's background) is not
// the client's to ignore. Monitor thread only.
[[noreturn]] void EndByJob(int code, int64_t grace_nanos);

// Sets the report that this process prints at its end, however it ends but by a
// crash, a kill or _exit(). It is called once, by the thread that carries the
// end through, after the launcher was notified and before stdio is flushed. Any
// other thread may hold any lock, and so may what the end has interrupted. Null
// takes it back: what it reports on may end once this returns, which it does
// not where the process is ending already.
void SetExitReport(void (*report)());

// Sets the work to be done before that report where the process ends by exit(),
// quick_exit() or a return from main. It is called after all that the client
// has std::atexit call, and its destructors, which may still communicate. Not
// in children that were forked. `patient`: the code is known to be 0, so that
// nobody waits for this process to have ended.
void SetBeforeReturn(void (*finish)(bool patient));

// From here on SIGINT, SIGTERM and SIGHUP, where nobody handles them, reach a
// client that handles SIGQUIT as SIGQUIT (spec 2.1.0.5); a second one, or one
// that comes without such a client, has its default action.
void TranslateTerminationSignals();
// From here on they have it again, but where the client handles them.
void LeaveTerminationSignals();

}  // namespace gasnet::job

#endif  // JOB_PROCESS_END_H_
