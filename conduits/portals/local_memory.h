// The local memory of puts and gets, if no descriptor covers all memory. This
// class decides how many bytes an operation can use, and through which
// descriptor.
//
//   memory                    uses
//   in the segment            descriptors that stay (windows.h)
//   other, short              a bounce buffer (bounce.h), if one is free
//   other                     a region of the cache (md_cache.h), bound when
//                             it is first used; without firehose the region is
//                             released when its last user ends
//   other, if no region can   a bounce buffer, for any length
//   be bound
//
// No operation waits forever. Portals completes all operations that hold a
// resource of this class without help. Memory for which no region can be bound
// goes through bounce buffers, one after another.
//
// A region stays when the client unmaps its memory, as in every registration
// cache. If Portals pins the memory that it binds, a client that maps other
// memory at the addresses of a region must set GASNET_USE_FIREHOSE=0.
//
// Thread-safe.
#ifndef CONDUITS_PORTALS_LOCAL_MEMORY_H_
#define CONDUITS_PORTALS_LOCAL_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "conduits/portals/bounce.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/md_cache.h"
#include "conduits/portals/settings.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/windows.h"
#include "core/segment.h"
#include "core/thread/spin_lock.h"

namespace gasnet::portals_conduit {

// The limited resource that an operation holds until its completion event.
struct Hold {
  enum class Of : uint8_t { kNothing, kBounce, kRegion };
  Of of = Of::kNothing;
  uint32_t number = 0;
};

class LocalMemory {
 public:
  struct Piece {
    DescriptorWindow window = {};
    std::byte* at = nullptr;  // start of the piece; covered by the window
    // number of bytes; 0: try again later
    size_t nbytes = 0;
    Hold hold;
  };

  LocalMemory(ConduitInterface& interface, const PortalsSettings& settings,
              PortalsStatistics& statistics);

  // Set up the local memory. The caller calls Start first, then CoverSegment.
  absl::Status Start() { return bounce_.Start(interface_); }
  void CoverSegment(const Segment& segment);

  // Return a piece for the first bytes of the memory. If the piece is a bounce
  // buffer, ForPut has copied the bytes to the buffer.
  Piece ForPut(const void* source, size_t nbytes);
  Piece ForGet(void* destination, size_t nbytes);

  // Returns the window of the segment that covers all `nbytes` bytes, or null
  // if there is none. The windows of the segment are never removed.
  const DescriptorWindow* WindowOf(const void* address, size_t nbytes) const {
    const DescriptorWindow* const window = segment_.Of(address);
    return window != nullptr && segment_.Covered(address, nbytes) == nbytes
               ? window
               : nullptr;
  }

  // Returns the bounce buffer that a get has written to.
  const std::byte* BouncedBy(const Hold& hold) const {
    return bounce_.At(hold.number);
  }

  void Return(const Hold& hold);

 private:
  using Number = MdCache::Number;

  Piece For(std::byte* address, size_t nbytes, size_t bounce_limit);
  Piece InBounce(size_t nbytes);
  std::optional<Piece> InRegion(std::byte* address, size_t nbytes);
  std::optional<Number> TakeRegion(uintptr_t address, size_t nbytes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  BindResult BindRegion(const MdCache::Range& range, Number& number)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool MakeRoom(uint64_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool RemoveVictim() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool Remove(Number number) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void Report(const char* what, const MdCache::Range& range) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);

  ConduitInterface& interface_;
  PortalsStatistics& statistics_;
  const RegistrationSettings settings_;
  Windows segment_;
  Bounce bounce_;
  thread::SpinLock lock_;
  MdCache cache_ ABSL_GUARDED_BY(lock_);
  std::vector<DescriptorWindow> windows_
      ABSL_GUARDED_BY(lock_);  // indexed by region
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_LOCAL_MEMORY_H_
