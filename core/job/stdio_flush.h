// Flushing stdio when the process is about to end.
#ifndef GASNET_CORE_JOB_STDIO_FLUSH_H_
#define GASNET_CORE_JOB_STDIO_FLUSH_H_

namespace gasnet::job {

// Flushes all streams, as fflush(nullptr) does, but does not wait for a stream
// that another thread keeps locked (one that sits in getchar() keeps stdin, and
// would keep fflush(nullptr) waiting for ever): then only stdout and stderr, as
// far as they are to be had. Leaves the streams locked. Once.
void FlushStdioBeforeEnd();

}  // namespace gasnet::job

#endif  // GASNET_CORE_JOB_STDIO_FLUSH_H_
