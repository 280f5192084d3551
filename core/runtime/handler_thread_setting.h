// The setting that asks for a thread that runs handlers while the client
// computes (handler_thread.h).
#ifndef CORE_RUNTIME_HANDLER_THREAD_SETTING_H_
#define CORE_RUNTIME_HANDLER_THREAD_SETTING_H_

namespace gasnet {

// Returns true if GASNET_PROGRESS_THREAD asks for the thread. Ends the job if
// the setting asks for it but `possible` is false, or if the setting is not a
// boolean.
bool WantsHandlerThread(bool possible);

}  // namespace gasnet

#endif  // CORE_RUNTIME_HANDLER_THREAD_SETTING_H_
