// Assembles incoming messages that consist of several frames
// (core/am/fragment.h). The credit of a fragment goes back as soon as its bytes
// are copied, so messages may be larger than a window. In each lane the memory
// for incomplete messages is limited (core/am/assembly.h).
//
//   frame --Take--> assembled --the last one--> complete --Release--> free
//             `--no room--> waits, with its credit --TakeWaiting--^
//
// A sender sends the fragmented messages of a lane one after another
// (message_fragments.cc). So all fragments of a message that has begun arrive,
// even if other frames wait. Waiting frames hold their credit, so the windows
// limit the number of waiting frames.
//
// Not thread-safe: used under the lock of the network. A complete message
// belongs to the thread that delivers it, until Release().
#ifndef CONDUITS_OFI_INCOMING_FRAGMENTS_H_
#define CONDUITS_OFI_INCOMING_FRAGMENTS_H_

#include <array>
#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "conduits/ofi/aligned_bytes.h"
#include "core/am/assembly.h"
#include "core/am/check_records.h"
#include "core/am/message.h"
#include "core/lane.h"
#include "core/rank.h"

namespace gasnet::ofi {

class IncomingFragments {
 public:
  // A frame whose bytes have been copied. `complete` is the message that the
  // frame has completed, or null.
  struct Taken {
    Rank source = 0;
    Lane lane = Lane::kRequest;
    size_t frame_bytes = 0;
    am::Assembly* complete = nullptr;
  };
  enum class Result : uint8_t { kTaken, kWaits, kMalformed };

  // `bytes`: the maximum memory, in bytes, for messages of each lane.
  IncomingFragments(Rank ranks, size_t bytes)
      : stores_{am::AssemblyStore(bytes), am::AssemblyStore(bytes)},
        begun_(ranks) {}
  ~IncomingFragments();

  // Takes a frame with a fragment. The frame's bytes are unchecked data. The
  // frame must be aligned to 16 bytes. Ends the job if the fragment belongs to
  // a Long that would reach outside of the segment.
  Result Take(Rank source, Lane lane, std::span<std::byte> frame,
              const am::RecordLimits& limits, Taken& taken);
  void Release(am::Assembly& complete);

  // Returns true if there may be room for a frame that waits.
  bool MayTakeWaiting() const { return may_take_[0] || may_take_[1]; }
  // Takes the first waiting frame that there is room for. Returns false if
  // there is room for none.
  bool TakeWaiting(const am::RecordLimits& limits, Taken& taken);

 private:
  struct Waiting {
    Rank source;
    size_t bytes;
    AlignedBytes frame;
  };

  // Adds the frame's fragment to its message. `waits` is true if the frame
  // comes from the waiting list. New frames never overtake waiting ones.
  am::AssemblyStore::Result Assemble(Rank source, Lane lane,
                                     std::span<std::byte> frame,
                                     const am::RecordLimits& limits, bool waits,
                                     Taken& taken);

  std::array<am::AssemblyStore, kLanes> stores_;
  std::vector<std::array<am::Assembly*, kLanes>> begun_;  // indexed by rank
  // The waiting frames, in the order of arrival. Further frames of a message
  // that has begun may be here, behind frames of messages that have no room.
  std::array<std::deque<Waiting>, kLanes> waiting_;
  std::array<bool, kLanes> may_take_ = {};
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_INCOMING_FRAGMENTS_H_
