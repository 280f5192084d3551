// Flushes stdio when the process is about to end.
#ifndef JOB_STDIO_FLUSH_H_
#define JOB_STDIO_FLUSH_H_

#include <cstdint>

namespace gasnet::job {

// Flushes all streams, as fflush(nullptr) does. Unlike fflush, it does not wait
// forever for a stream that another thread keeps locked, for example in a
// blocking read.
//
// stdout and stderr come first, if they can be locked. If one of them or stdin
// stays locked, no other stream is flushed. If the flush of the client's own
// streams exceeds the time limit, SIGALRM ends the process at once with `code`.
// Profiles (job/profiles.h) are written last, after the client's own streams.
//
// Leaves the streams locked. Called once.
void FlushStdioBeforeEnd(int code);

// Sets the time limit of FlushStdioBeforeEnd. The default is one second.
void SetFlushLimit(int64_t nanos);

}  // namespace gasnet::job

#endif  // JOB_STDIO_FLUSH_H_
