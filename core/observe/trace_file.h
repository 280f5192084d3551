// Creates and maps the trace file of this rank, and gives each thread a ring of
// the file (trace_ring.h).
//
// Space in the file is reserved before it is mapped. So a full disk causes an
// error at that time, and never a signal later. If a thread finds no free ring,
// the file grows by a ring. Create replaces only a file that is empty or an
// earlier trace.
//
// Any thread may call these functions, unless noted. A child that the rank
// forks must record nothing, since it shares the rings of its parent.
#ifndef CORE_OBSERVE_TRACE_FILE_H_
#define CORE_OBSERVE_TRACE_FILE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "base/unique_fd.h"
#include "core/observe/handler_names.h"
#include "core/observe/trace_format.h"
#include "core/observe/trace_ring.h"

namespace gasnet::observe {

class TraceFile {
 public:
  struct Call {
    std::string_view name;  // at most 63 bytes are kept
    char group;
  };

  struct Description {
    uint32_t rank = 0;
    uint32_t ranks = 1;
    uint32_t host = 0;  // index of the host in the job
    std::string host_name;
    std::string conduit;
    std::string program;
    // The names of calls. An event identifies its call by an index into this
    // table.
    std::vector<Call> calls;
    // The number of events in each ring: a power of two from kMinRingEvents to
    // kMaxRingEvents.
    uint64_t ring_events = uint64_t{1} << 16;
    // The maximum number of rings, 1 to kMaxTraceRings.
    uint32_t ring_limit = 64;
  };

  // Creates the file without rings, accessible to its owner alone. On failure
  // leaves no file behind, and returns an error that names the path:
  //
  // - InvalidArgument: the description is wrong.
  // - AlreadyExists: the path names a file that is not a trace.
  // - ResourceExhausted: the disk or the quota is full, or the process may not
  //   create a file of that size.
  static absl::StatusOr<std::unique_ptr<TraceFile>> Create(
      const std::string& path, const Description& description);

  // Unmaps the file. Called when no thread uses the file or its rings any more.
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  // Gives a ring to a thread. thread: the kernel's number of the thread. If all
  // rings are in use and the file cannot grow, returns null and counts the
  // thread as untraced. Reports a full disk once, as a warning. The ring stays
  // valid until the file is destroyed.
  TraceRing* AddThread(int32_t thread);
  // Takes the ring back from a thread. The thread must not use the ring any
  // more.
  void RemoveThread(TraceRing& ring);

  // Returns the number of a source file, for kSourceLine events. The same name
  // always has the same number. Returns kNoTraceSource if the table is full.
  // Keeps only the end of a long name. Takes a lock, so callers should remember
  // the numbers.
  uint16_t AddSource(std::string_view name);

  // Records the names of the library's handlers. One thread at a time.
  void NameHandlers(const HandlerNames& names);

  // SetStartOffset() records the offset of this rank's clock at the start of
  // the job, SetEndOffset() at its end. A file without offsets is still
  // readable. One thread at a time.
  void SetStartOffset(const TraceOffset& offset);
  void SetEndOffset(const TraceOffset& offset);

  // Records that messages may be missing from now on. Only the first call has
  // an effect. Called before the mask changes, by one thread at a time.
  void EndMessages();

  const std::string& path() const { return path_; }

 private:
  TraceFile(std::string path, UniqueFd file, TraceHeader* header);

  absl::Status Grow() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  TraceSource* Sources() const;

  const std::string path_;
  const UniqueFd file_;
  TraceHeader* const header_;
  absl::Mutex mutex_;
  std::vector<std::unique_ptr<TraceRing>> rings_ ABSL_GUARDED_BY(mutex_);
  std::vector<TraceRing*> free_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, uint16_t> sources_ ABSL_GUARDED_BY(mutex_);
  bool has_warned_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_TRACE_FILE_H_
