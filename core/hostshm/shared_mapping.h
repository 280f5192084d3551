// A part of the host memory (job/memory/host_memory.h), mapped into this
// process until the object ends. Until then, the part is excluded from core
// dumps (base/core_dump.h). A part with a name is also guarded
// (job/memory/memory_shortage.h).
#ifndef CORE_HOSTSHM_SHARED_MAPPING_H_
#define CORE_HOSTSHM_SHARED_MAPPING_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace gasnet::hostshm {

class SharedMapping {
 public:
  struct Part {
    uint64_t offset;  // offset in the host memory
    size_t bytes;     // not 0
  };
  // The owner of the part. A core dump of this process includes the used bytes
  // of the parts that it owns.
  enum class Owner : uint8_t { kThisProcess, kOther };

  SharedMapping() = default;
  // Maps the part, replacing the mapping at `address` unless `address` is 0. On
  // failure the object is not valid and errno is set. what: names the part in
  // the message when memory is short. If `what` is empty, the caller guards
  // named parts itself; these guards end with the object.
  SharedMapping(int host_memory, const Part& part, Owner owner,
                const std::string& what, uintptr_t address = 0);
  SharedMapping(SharedMapping&& other) noexcept
      : base_(std::exchange(other.base_, nullptr)), bytes_(other.bytes_) {}
  SharedMapping& operator=(SharedMapping&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~SharedMapping();

  bool valid() const { return base_ != nullptr; }
  unsigned char* base() const { return base_; }

 private:
  unsigned char* base_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_SHARED_MAPPING_H_
