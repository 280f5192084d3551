// Memory for buffers, obtained from the system. The memory is zero-filled, and
// the system allocates a page only when the page is touched.
#ifndef CONDUITS_PORTALS_MEMORY_H_
#define CONDUITS_PORTALS_MEMORY_H_

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "base/unique_fd.h"

namespace gasnet::portals_conduit {

class Buffers {
 public:
  Buffers() = default;
  Buffers(Buffers&& other) noexcept
      : file_(std::move(other.file_)),
        base_(std::exchange(other.base_, nullptr)),
        bytes_(other.bytes_) {}
  Buffers& operator=(Buffers&&) = delete;
  ~Buffers();

  // Maps at least `least` bytes; called once.
  absl::Status Map(size_t least);

  std::byte* base() const { return base_; }

 private:
  UniqueFd file_;  // kept open: software Portals lets peers map the file
  std::byte* base_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_MEMORY_H_
