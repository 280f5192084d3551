#include "conduits/ofi/incoming_fragments.h"

#include "conduits/ofi/frame.h"
#include "core/am/fragment.h"

namespace gasnet::ofi {

IncomingFragments::~IncomingFragments() {
  for (std::array<am::Assembly*, kLanes>& lanes : begun_) {
    for (const Lane lane : {Lane::kRequest, Lane::kReply}) {
      stores_[static_cast<size_t>(lane)].ReleaseAll(
          lanes[static_cast<size_t>(lane)]);
    }
  }
}

void IncomingFragments::Release(am::Assembly& complete) {
  const auto lane = static_cast<size_t>(complete.message.lane);
  stores_[lane].Release(&complete);
  may_take_[lane] = !waiting_[lane].empty();
}

am::AssemblyStore::Result IncomingFragments::Assemble(
    Rank source, Lane lane, std::span<std::byte> frame,
    const am::RecordLimits& limits, bool waits, Taken& taken) {
  am::FragmentRecord fragment;
  if (!am::DecodeFragment(frame, kFrameHeaderBytes, fragment)) {
    return am::AssemblyStore::Result::kMalformed;
  }
  if (fragment.category == am::Category::kLong) {
    am::CheckLong(source, fragment, limits.segments);
  }
  const auto index = static_cast<size_t>(lane);
  am::Assembly*& newest = begun_[source][index];
  const bool may_begin = waits || waiting_[index].empty();
  if (!may_begin &&
      am::AssemblyStore::Find(newest, fragment.fragment.number) == nullptr) {
    return am::AssemblyStore::Result::kNoRoom;
  }
  const am::AssemblyStore::Taken assembled =
      stores_[index].Take(newest, fragment, source, lane, /*first=*/true);
  taken = {source, lane, frame.size(), assembled.complete};
  return assembled.result;
}

IncomingFragments::Result IncomingFragments::Take(
    Rank source, Lane lane, std::span<std::byte> frame,
    const am::RecordLimits& limits, Taken& taken) {
  switch (Assemble(source, lane, frame, limits, /*waits=*/false, taken)) {
    case am::AssemblyStore::Result::kMalformed:
      return Result::kMalformed;
    case am::AssemblyStore::Result::kNoRoom:
      break;
    case am::AssemblyStore::Result::kPart:
    case am::AssemblyStore::Result::kComplete:
      return Result::kTaken;
  }
  waiting_[static_cast<size_t>(lane)].push_back(
      {source, frame.size(), CopyAligned(frame)});
  return Result::kWaits;
}

// Takes the first waiting frame that there is room for. Drops this frame if it
// turns out to fit no message.
bool IncomingFragments::TakeWaiting(const am::RecordLimits& limits,
                                    Taken& taken) {
  for (const Lane lane : {Lane::kReply, Lane::kRequest}) {
    const auto index = static_cast<size_t>(lane);
    if (!may_take_[index]) continue;
    std::deque<Waiting>& waiting = waiting_[index];
    for (auto at = waiting.begin(); at != waiting.end(); ++at) {
      if (Assemble(at->source, lane, {at->frame.get(), at->bytes}, limits,
                   /*waits=*/true,
                   taken) == am::AssemblyStore::Result::kNoRoom) {
        continue;
      }
      waiting.erase(at);
      return true;
    }
    may_take_[index] = false;
  }
  return false;
}

}  // namespace gasnet::ofi
