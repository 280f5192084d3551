// The trace file of this rank: creates it, maps it, and gives rings to threads.
//
// The file's space is reserved before it is mapped, so a full disk is an error
// here and never a signal later. The file grows by a ring for each thread that
// finds none free. It has the name of an earlier trace or a new one; Create
// replaces no other file.
//
// Any thread, unless noted. A child that the rank forks must record nothing: it
// shares the rings of its parent.
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
#include "core/observe/trace_format.h"
#include "core/observe/trace_ring.h"

namespace gasnet::observe {

class TraceFile {
 public:
  struct Call {
    std::string_view name;  // at most 63 bytes; the rest is left out
    char group;
  };

  struct Description {
    uint32_t rank = 0;
    uint32_t ranks = 1;
    uint32_t host = 0;  // index of the host in the job
    std::string host_name;
    std::string conduit;
    std::string program;
    // An event's id of a call is its index here.
    std::vector<Call> calls;
    // Events in each ring: a power of two, kMinRingEvents to kMaxRingEvents.
    uint64_t ring_events = uint64_t{1} << 16;
    // The most rings, 1 to kMaxTraceRings.
    uint32_t ring_limit = 64;
  };

  // Creates the file, for its owner alone, without rings. An error names the
  // path, and leaves no file behind. InvalidArgument: the description is wrong.
  // AlreadyExists: the path names a file that is no trace. ResourceExhausted:
  // the disk or the quota is full, or the file is larger than the process may
  // make it.
  static absl::StatusOr<std::unique_ptr<TraceFile>> Create(
      const std::string& path, const Description& description);

  // No thread may use the file or its rings any more.
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  // Gives a ring to a thread, by the kernel's number of the thread. Returns
  // null, and counts the thread, if all rings are in use and the file cannot
  // grow; a full disk is reported once, as a warning. Pointers stay valid.
  TraceRing* AddThread(int32_t thread);
  // Takes the ring back from a thread that records no more.
  void RemoveThread(TraceRing& ring);

  // Returns the number of a source file, for events kSourceLine: the same for
  // the same name. Returns kNoTraceSource if the table is full. Keeps the end
  // of a name that is too long. Takes a lock; callers remember numbers.
  uint16_t AddSource(std::string_view name);

  // Record the offset of this rank's clock at the start and at the end of the
  // job. A file without them is readable. One thread at a time.
  void SetStartOffset(const TraceOffset& offset);
  void SetEndOffset(const TraceOffset& offset);

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
