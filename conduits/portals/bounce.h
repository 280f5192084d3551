// Bounce buffers: memory with its own descriptor. If no descriptor covers the
// client memory of a short put or get, the transfer holds a bounce buffer until
// it is complete. Thread-safe.
#ifndef CONDUITS_PORTALS_BOUNCE_H_
#define CONDUITS_PORTALS_BOUNCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/memory.h"
#include "conduits/portals/pool.h"

namespace gasnet::portals_conduit {

class Bounce {
 public:
  Bounce(size_t buffers, size_t bytes) : bytes_(bytes), pool_(buffers) {}

  // Maps the memory of the buffers and binds a descriptor over this memory.
  absl::Status Start(ConduitInterface& interface);

  // Takes a free buffer. Returns its number, or nullopt if no buffer is free.
  std::optional<uint32_t> Take() {
    const Buffer* const buffer = pool_.Take();
    if (buffer == nullptr) return std::nullopt;
    return static_cast<uint32_t>(pool_.IndexOf(*buffer));
  }
  void Give(uint32_t number) { pool_.Give(pool_.at(number)); }

  std::byte* At(uint32_t number) const {
    return memory_.base() + number * bytes_;
  }
  const DescriptorWindow& window() const { return window_; }
  size_t bytes() const { return bytes_; }  // size of each buffer

 private:
  struct Buffer {};

  const size_t bytes_;
  Pool<Buffer> pool_;
  Buffers memory_;
  DescriptorWindow window_ = {};
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_BOUNCE_H_
