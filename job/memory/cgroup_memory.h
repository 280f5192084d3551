// The memory that this process's control groups leave available.
#ifndef JOB_MEMORY_CGROUP_MEMORY_H_
#define JOB_MEMORY_CGROUP_MEMORY_H_

#include <cstdint>
#include <string>

namespace gasnet::job {

// Returns the least memory that a control group of this process leaves, in
// bytes: the group's limit minus its use. The use excludes reclaimable page
// cache. The groups are the process's own and all above it, of version 1 or 2.
// Returns UINT64_MAX if there is no limit. `root` is prepended to every path.
// It is "" for the system's own files, and another directory in tests.
uint64_t AvailableCgroupMemory(const std::string& root = "");

}  // namespace gasnet::job

#endif  // JOB_MEMORY_CGROUP_MEMORY_H_
