// Joins the halves of a Long: its header and payload are sent by two puts. The
// puts may arrive in either order. The sender gives both halves the same
// number, the LID. This class joins the halves by the LID.
//
//   first half --kept--> second half --both are here--> the message
//
// A sender has an op slot for each half. So its limit of operations bounds the
// number of halves that are kept. LIDs wrap around long after the halves of an
// old LID are joined. Thread-safe.
#ifndef CONDUITS_PORTALS_LONG_REASSEMBLY_H_
#define CONDUITS_PORTALS_LONG_REASSEMBLY_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "conduits/portals/arrived.h"
#include "core/lane.h"
#include "core/rank.h"
#include "core/thread/spin_lock.h"

namespace gasnet::portals_conduit {

class LongReassembly {
 public:
  struct Name {
    Rank source;
    Lane lane;
    uint32_t lid;
  };
  enum class Which : uint8_t { kHeader, kPayload };

  // Returns the whole message if the second half is here. If only one half is
  // here, keeps it and returns nullopt. `half` is the message that the header
  // describes, or the place of the payload. Sets `why` to the error in the
  // message, or to null.
  std::optional<Arrived> Join(const Name& name, Which which,
                              const Arrived& half, const char*& why) {
    why = nullptr;
    const thread::Holder hold(lock_);
    const auto [at, is_first] = kept_.try_emplace(KeyOf(name), which, half);
    if (is_first) return std::nullopt;
    const Kept& other = at->second;
    if (other.which == which) {
      why = "one half of it has arrived twice";
      return std::nullopt;
    }
    if (other.half.payload != half.payload ||
        other.half.nbytes != half.nbytes) {
      why = "its halves do not fit together";
      return std::nullopt;
    }
    std::optional<Arrived> whole = which == Which::kHeader ? half : other.half;
    kept_.erase(at);
    return whole;
  }

  bool IsEmpty() {
    const thread::Holder hold(lock_);
    return kept_.empty();
  }

 private:
  struct Kept {
    Kept(Which the_which, const Arrived& the_half)
        : which(the_which), half(the_half) {}

    Which which;
    Arrived half;
  };

  // A rank has fewer than 31 bits. So the parts of the key do not overlap.
  static uint64_t KeyOf(const Name& name) {
    return uint64_t{name.source} << 33 |
           static_cast<uint64_t>(name.lane) << 32 | name.lid;
  }

  thread::SpinLock lock_;
  absl::flat_hash_map<uint64_t, Kept> kept_ ABSL_GUARDED_BY(lock_);
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_LONG_REASSEMBLY_H_
