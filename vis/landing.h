// The destination of a get in flight, addressed by offset in its stream. Data
// of a reply are unpacked only to the addresses that this rank has recorded,
// regardless of the data that the peer sends.
//
// It is made for one operation and shared by its packets in flight. The holder
// that releases the last share deletes it: the initiator, or the thread that
// handles the last reply. The lists belong to the client until the operation is
// synced; strides are copied.
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
  // Make a landing with one share, the initiator's. The source of a shape is
  // not used.
  static Landing* Of(const Strided& shape) { return new Landing(shape); }
  static Landing* Of(const IndexedList& to) { return new Landing(to); }
  static Landing* Of(const VectorList& to) { return new Landing(Ends(to)); }

  void Share() { shares_.fetch_add(1, std::memory_order_relaxed); }
  void GiveUp() {
    if (shares_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  // Unpacks data. offset: the first byte's offset in the stream. In a shape it
  // is the beginning of a run, and nbytes is a whole number of runs.
  void Scatter(uint64_t offset, const std::byte* data, size_t nbytes) const;

 private:
  // A list, and for each entry the offset of its end in the stream.
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
