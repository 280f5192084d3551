// The core API's C functions (spec 2).
#include "base/env.h"
#include "core/only_library.h"
#include "core/phase.h"
#include "core/runtime/conduit.h"
#include "core/runtime/runtime.h"
#include "core/thread/handler_safe_lock.h"
#include "core/thread/rules.h"
#include "export/job_functions.h"
#include "export/linked_library.h"
#include "gasnet.h"
#include "gasnet_finalize.h"
#include "gasnet_tools/system.h"

namespace {
using JobFunctions = gasnet::exported::JobFunctions;
}  // namespace

extern "C" {

// A client refers to these symbols (gasnet/link_check.h) if it was compiled for
// this threading mode and this kind of segment. Other clients fail to link.
const char GASNETI_LINK_THREADS = 1;
const char GASNETI_LINK_SEGMENT = 1;
#if defined(GASNET_PARSYNC)
// Files that use only the tools may be compiled for a single thread, since only
// the inlined code differs. They refer to this symbol.
extern const char gasnetti_tools_compiled_for_SEQ
    __attribute__((weak, visibility("default")));
const char gasnetti_tools_compiled_for_SEQ = 1;
#endif
const char GASNETI_LINK_CHECKS = 1;
const char GASNETI_LINK_CONDUIT = 1;

int gasneti_core_init(int* argc, char*** argv, const gasnet::Conduit* conduit,
                      const char* config) {
  return JobFunctions::Init(config, [=] {
    return gasnet::Runtime::Start(*conduit, argc, argv, config);
  });
}
void gasneti_core_refuse_two_libraries(const char* first, const char* second) {
  gasnet::RefuseTwoLibraries(first, second);
}
int gasnet_attach(gasnet_handlerentry_t* table, int numentries,
                  uintptr_t segsize, uintptr_t minheapoffset) {
  return JobFunctions::Attach(table, numentries, {segsize, minheapoffset});
}
void gasneti_require_initialised(const char* call) {
  gasnet::RequireInitialised(call);
}
uintptr_t gasnet_getMaxLocalSegmentSize(void) {
  return JobFunctions::MaxLocalSegment();
}
uintptr_t gasnet_getMaxGlobalSegmentSize(void) {
  return JobFunctions::MaxGlobalSegment();
}
int gasnet_finalize(void) { return JobFunctions::Finalize(); }
void gasnet_exit(int exitcode) { JobFunctions::Exit(exitcode); }
int gasnet_getSegmentInfo(gasnet_seginfo_t* table, int numentries) {
  return JobFunctions::SegmentInfo(table, numentries);
}
int gasnet_getNodeInfo(gasnet_nodeinfo_t* table, int numentries) {
  return JobFunctions::NodeInfo(table, numentries);
}
const char* gasnet_conduit_name(void) {
  gasnet::RequireInitialised("gasnet_conduit_name");
  return gasnet::runtime->conduit().name;
}
char* gasnet_getenv(const char* name) {
  gasnet::RequireInitialised("gasnet_getenv");
  return const_cast<char*>(gasnet::GetEnv(name));
}
const char* gasneti_gethostname(void) { return gasnett_gethostname(); }
int gasnet_set_waitmode(int wait_mode) {
  return JobFunctions::SetWaitMode(wait_mode);
}
gasnet_threadinfo_t gasneti_threadinfo(void) {
  gasnet::RequireInitialised("GASNET_GET_THREADINFO");
  return &gasnet::thread::Self();
}

void gasneti_hold_interrupts(void) { gasnet::thread::HoldInterrupts(); }
void gasneti_resume_interrupts(void) { gasnet::thread::ResumeInterrupts(); }
void gasnet_hsl_init(gasnet_hsl_t* hsl) { gasnet::thread::Init(*hsl); }
void gasnet_hsl_destroy(gasnet_hsl_t* hsl) { gasnet::thread::Destroy(*hsl); }
void gasneti_hsl_lock(gasnet_hsl_t* hsl) { gasnet::thread::Acquire(*hsl); }
int gasneti_hsl_trylock(gasnet_hsl_t* hsl) {
  return gasnet::thread::TryAcquire(*hsl) ? GASNET_OK : GASNET_ERR_NOT_READY;
}
void gasneti_hsl_unlock(gasnet_hsl_t* hsl) { gasnet::thread::Release(*hsl); }

}  // extern "C"
