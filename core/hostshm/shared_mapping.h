// A part of the host memory (job/memory/host_memory.h), mapped into this
// process until the object ends. Meanwhile it is left out of core dumps
// (base/core_dump.h) and, if it has a name, guarded
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
    uint64_t offset;  // in the host memory
    size_t bytes;     // not 0
  };
  // The owner of the bytes. A core dump of this process includes the used bytes
  // that it owns.
  enum class Owner : uint8_t { kThisProcess, kOther };

  SharedMapping() = default;
  // Maps the part, at `address` if that is not 0, replacing the mapping there.
  // Not valid, with errno set, on failure. what: a name for the message when
  // memory is short. If empty, the caller guards named parts, and the guards
  // end with the object.
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
