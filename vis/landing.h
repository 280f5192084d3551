// The destination of a get in flight, addressed by offset in the get's stream
// of bytes. The data of a reply are unpacked only to addresses that this rank
// has recorded, regardless of what the peer sends.
//
// A landing is made for one operation, and shared by the operation's packets in
// flight. The holder that releases the last share deletes the landing: the
// initiator, or the thread that handles the last reply. The lists belong to the
// client, and must stay until the operation is synced. Strides are copied.
#ifndef VIS_LANDING_H_
#define VIS_LANDING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "vis/lists.h"
#include "vis/strided.h"

namespace gasnet::vis {

class ScatterLanding {
 public:
  // Make a landing with one share for the initiator. Use only the destination
  // of a shape.
  static ScatterLanding* Of(const Strided& shape) {
    return new ScatterLanding(shape);
  }
  static ScatterLanding* Of(const IndexedList& to) {
    return new ScatterLanding(to);
  }
  static ScatterLanding* Of(const VectorList& to) {
    return new ScatterLanding(Ends(to));
  }

  void Share() { shares_.fetch_add(1, std::memory_order_relaxed); }
  void GiveUp() {
    if (shares_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  // Unpacks data. `offset` is the first byte's offset in the stream. In a
  // strided shape, `offset` must be the beginning of a run, and `nbytes` a
  // whole number of runs.
  void Scatter(uint64_t offset, const std::byte* data, size_t nbytes) const;

 private:
  // A list, and for each entry the offset of its end in the stream.
  struct Ended {
    VectorList to;
    std::vector<uint64_t> ends;
  };
  static Ended Ends(const VectorList& to);

  template <class Side>
  explicit ScatterLanding(Side&& side) : to_(std::forward<Side>(side)) {}
  ~ScatterLanding() = default;

  const std::variant<Strided, IndexedList, Ended> to_;
  std::atomic<uint64_t> shares_{1};
};

}  // namespace gasnet::vis

#endif  // VIS_LANDING_H_
