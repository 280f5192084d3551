// The assembly of incoming messages that consist of several frames
// (core/am/fragment.h). The credit of a fragment goes back as soon as its bytes
// are copied, so messages may be larger than a window. The process bounds their
// memory for each lane (core/am/assembly.h).
//
//   frame --Take--> assembled --the last one--> complete --Release--> free
//             `--no room--> waits, with its credit --TakeWaiting--^
//
// A sender begins the next such message in a lane only when the previous one
// has been sent (message_fragments.cc). So all fragments of a message that has
// begun arrive, whatever waits. Frames that wait hold their credit, so the
// windows bound their number.
//
// Not thread-safe: used under the lock of the network. A complete message
// belongs to the thread that delivers it, until Release.
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
  // A frame whose bytes have been copied, and the message that it has
  // completed, if any.
  struct Taken {
    Rank source = 0;
    Lane lane = Lane::kRequest;
    size_t frame_bytes = 0;
    am::Assembly* complete = nullptr;
  };
  enum class Result : uint8_t { kTaken, kWaits, kMalformed };

  // `bytes`: the memory bound of each lane.
  IncomingFragments(Rank ranks, size_t bytes)
      : stores_{am::AssemblyStore(bytes), am::AssemblyStore(bytes)},
        begun_(ranks) {}
  ~IncomingFragments();

  // Takes a frame with a fragment; its bytes may be anything. It lies at a
  // multiple of 16. Ends the job if the fragment is of a Long that leaves the
  // segment.
  Result Take(Rank source, Lane lane, std::span<std::byte> frame,
              const am::RecordLimits& limits, Taken& taken);
  void Release(am::Assembly& complete);

  // Returns true if there may be room for a frame that waits.
  bool MayTakeWaiting() const { return may_take_[0] || may_take_[1]; }
  // Takes the first waiting frame that there is room for. Returns false if
  // there is none.
  bool TakeWaiting(const am::RecordLimits& limits, Taken& taken);

 private:
  struct Waiting {
    Rank source;
    size_t bytes;
    AlignedBytes frame;
  };

  // `waits`: the frame waits already. Other frames do not overtake those that
  // wait.
  am::AssemblyStore::Result Assemble(Rank source, Lane lane,
                                     std::span<std::byte> frame,
                                     const am::RecordLimits& limits, bool waits,
                                     Taken& taken);

  std::array<am::AssemblyStore, kLanes> stores_;
  std::vector<std::array<am::Assembly*, kLanes>> begun_;  // by rank
  // The waiting frames, in the order of their arrival. A message that has begun
  // may have further frames here, behind those of messages without room.
  std::array<std::deque<Waiting>, kLanes> waiting_;
  std::array<bool, kLanes> may_take_ = {};
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_INCOMING_FRAGMENTS_H_
