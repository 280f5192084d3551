// Flushing stdio when the process is about to end.
#ifndef JOB_STDIO_FLUSH_H_
#define JOB_STDIO_FLUSH_H_

#include <cstdint>

namespace gasnet::job {

// Flushes all streams, as fflush(nullptr) does, but does not wait for ever for
// one that another thread keeps locked, as a thread that sits in a read does.
// Profiles (job/profiles.h) are written last. stdout and stderr come first, as
// far as they are to be had. Where stdin is locked that is all; where flushing
// the client's own streams takes longer than the limit, the process ends with
// `code` then and there. Takes SIGALRM for that. Leaves the streams locked.
// Once.
void FlushStdioBeforeEnd(int code);

// The limit just named; until then it is a second.
void SetFlushLimit(int64_t nanos);

}  // namespace gasnet::job

#endif  // JOB_STDIO_FLUSH_H_
