// Flushes stdio when the process is about to end.
#ifndef JOB_STDIO_FLUSH_H_
#define JOB_STDIO_FLUSH_H_

#include <cstdint>

namespace gasnet::job {

// Flushes all streams, as fflush(nullptr) does, but does not wait forever for a
// stream that another thread keeps locked, for example in a blocking read.
// stdout and stderr come first, if they can be locked. If stdin is locked, no
// other stream is flushed. If flushing the client's own streams exceeds the
// limit, the process ends at once with `code`; SIGALRM is used for that.
// Profiles (job/profiles.h) are written last. Leaves the streams locked. Called
// once.
void FlushStdioBeforeEnd(int code);

// Sets that limit; the default is one second.
void SetFlushLimit(int64_t nanos);

}  // namespace gasnet::job

#endif  // JOB_STDIO_FLUSH_H_
