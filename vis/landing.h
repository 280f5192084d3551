// Where the bytes of a get in flight go, by their place in its stream: what a
// reply brings is unpacked as this rank has written it down, whatever the peer
// says.
//
// Made for one operation, shared by the packets of it that are in flight, and
// deleted by the holder that gives up the last share: the initiator, or the
// thread that handles the last reply. The lists stay the client's until the
// operation is synced; strides are copied.
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

class Landing {
 public:
  // With one share, the initiator's. Of a shape its destination counts.
  static Landing* Of(const Strided& shape) { return new Landing(shape); }
  static Landing* Of(const IndexedList& to) { return new Landing(to); }
  static Landing* Of(const VectorList& to) { return new Landing(Ends(to)); }

  void Share() { shares_.fetch_add(1, std::memory_order_relaxed); }
  void GiveUp() {
    if (shares_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  // offset: of the first byte, in the stream. Of a shape it is the beginning of
  // a run, and whole runs come.
  void Scatter(uint64_t offset, const std::byte* data, size_t nbytes) const;

 private:
  // For each entry, the bytes of the stream up to its end.
  struct Ended {
    VectorList to;
    std::vector<uint64_t> ends;
  };
  static Ended Ends(const VectorList& to);

  template <class Side>
  explicit Landing(Side&& side) : to_(std::forward<Side>(side)) {}
  ~Landing() = default;

  const std::variant<Strided, IndexedList, Ended> to_;
  std::atomic<uint64_t> shares_{1};
};

}  // namespace gasnet::vis

#endif  // VIS_LANDING_H_
