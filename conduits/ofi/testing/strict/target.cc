#include "conduits/ofi/testing/strict/target.h"

#include <rdma/fi_errno.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "conduits/ofi/testing/rules/violation.h"
#include "conduits/ofi/testing/strict/objects.h"

namespace gasnet::ofi::strict {

void Row::Place(uint64_t number) {
  beyond_.insert(number);
  while (beyond_.erase(next_) > 0) ++next_;
}

// Takes a receive buffer and overwrites it. The provider owns the buffer from
// now on. So the user must not need the old content.
void Target::Post(const Receive& receive) {
  constexpr std::byte kGarbage{0xa5};
  std::fill_n(receive.buffer, receive.nbytes, kGarbage);
  receives_.push_back(receive);
}

void Target::Arrived(const Header& header, std::span<const std::byte> bytes) {
  Arrival arrival = {header, {bytes.begin(), bytes.end()}};
  arrival.due = domain_.Due();
  if (header.kind != PacketKind::kSend) FindMemory(arrival);
  const bool is_told_of =
      header.kind == PacketKind::kWrite && header.delivery == 0;
  if (is_told_of) arrival.due = domain_.Below(20 * domain_.options.late + 1);
  arrivals_.push_back(std::move(arrival));
}

// Finds the memory that an operation accesses. Called on arrival: if the memory
// is not found, the initiator may still exist and can be debugged.
void Target::FindMemory(Arrival& arrival) const {
  const Header& header = arrival.header;
  const bool writes = header.kind == PacketKind::kWrite;
  if (domain_.Find(header.key, header.address, header.nbytes,
                   writes ? FI_REMOTE_WRITE : FI_REMOTE_READ,
                   arrival.at) != nullptr) {
    return;
  }
  rules::Violation(
      "a %s of %zu bytes at 0x%zx with key 0x%zx reaches no memory here",
      writes ? "write" : "read", static_cast<size_t>(header.nbytes),
      static_cast<size_t>(header.address), static_cast<size_t>(header.key));
}

void Target::Step() {
  std::vector<Arrival*> moving;
  for (Arrival& each : arrivals_) moving.push_back(&each);
  if (domain_.options.order == 0) {
    std::shuffle(moving.begin(), moving.end(), domain_.random);
  }
  for (Arrival* const each : moving) Move(*each);
  std::erase_if(arrivals_, [](const Arrival& each) { return each.over; });
}

bool Target::IsQuiet() const {
  return receives_.empty()
             ? std::all_of(arrivals_.begin(), arrivals_.end(),
                           [](const Arrival& each) {
                             return each.header.kind == PacketKind::kSend;
                           })
             : arrivals_.empty();
}

void Target::Move(Arrival& arrival) {
  if (arrival.due > 0) {
    --arrival.due;
    return;
  }
  arrival.due = domain_.Due();
  switch (arrival.header.kind) {
    case PacketKind::kSend:
      PlaceSend(arrival);
      return;
    case PacketKind::kWrite:
      PlaceWrite(arrival);
      return;
    default:
      AnswerRead(arrival);
  }
}

void Target::Confirm(Arrival& arrival) {
  arrival.over = true;
  if (arrival.header.delivery == 0) return;
  Header done;
  done.kind = PacketKind::kDone;
  done.operation = arrival.header.operation;
  domain_.Send(domain_.AddressOf(arrival.header.source()), done, {});
}

void Target::PlaceWrite(Arrival& arrival) {
  const size_t half = arrival.bytes.size() / 2;
  const std::byte* const bytes = arrival.bytes.data();
  if (!arrival.half) {
    std::copy(bytes + half, bytes + arrival.bytes.size(), arrival.at + half);
    arrival.half = true;
    return;
  }
  std::copy(bytes, bytes + half, arrival.at);
  rows_[arrival.header.source()].writes.Place(arrival.header.writes_before);
  Confirm(arrival);
}

void Target::AnswerRead(Arrival& arrival) {
  const Header& header = arrival.header;
  if (domain_.Promises(FI_ORDER_RMA_RAW) &&
      !rows_[header.source()].writes.HasAllBefore(header.writes_before)) {
    return;
  }
  arrival.over = true;
  Header data;
  data.kind = PacketKind::kData;
  data.operation = arrival.header.operation;
  domain_.Send(domain_.AddressOf(arrival.header.source()), data,
               {arrival.at, arrival.header.nbytes});
}

// Returns true if a promised order or a fence makes the operation wait for an
// earlier one.
bool Target::MustWait(const Header& header) {
  const Rows& rows = rows_[header.source()];
  if (domain_.Promises(FI_ORDER_SAS) &&
      !rows.sends.HasAllBefore(header.sends_before)) {
    return true;
  }
  return (domain_.Promises(FI_ORDER_SAW) || header.fenced != 0) &&
         !rows.writes.HasAllBefore(header.writes_before);
}

void Target::PlaceSend(Arrival& arrival) {
  if (receives_.empty()) {
    if (domain_.options.manages) return;
    rules::Violation("a message has arrived and no buffer is posted");
  }
  if (MustWait(arrival.header)) return;
  const auto all = static_cast<unsigned>(receives_.size());
  const size_t which = domain_.options.in_turn ? domain_.Below(all) : 0;
  Completion completion = {};
  Take(receives_[which], arrival, completion);
  Told(which, completion);
  rows_[arrival.header.source()].sends.Place(arrival.header.sends_before);
  Confirm(arrival);
}

void Target::Take(Receive& receive, const Arrival& arrival,
                  Completion& completion) {
  domain_.Scribble(receive.context);
  const size_t nbytes =
      std::min(arrival.bytes.size(), receive.nbytes - receive.used);
  std::byte* const at = receive.buffer + receive.used;
  std::copy_n(arrival.bytes.begin(), nbytes, at);
  receive.used += nbytes;
  completion.context = receive.context;
  completion.flags = FI_RECV | FI_MSG;
  completion.nbytes = nbytes;
  completion.buffer = receive.multiple ? at : nullptr;
  if (nbytes < arrival.bytes.size()) completion.error = FI_ETRUNC;
  if (domain_.Fails(Kind::kReceive)) completion.error = FI_EIO;
  if (domain_.options.misaligned) receive.used += 1 + domain_.Below(15);
}

// Reports a message. If its buffer is full, also reports the release of the
// buffer.
void Target::Told(size_t which, Completion& completion) {
  const Receive receive = receives_[which];
  const bool ends = !receive.multiple || receive.used >= receive.nbytes ||
                    receive.nbytes - receive.used < least_room_;
  if (ends) receives_.erase(receives_.begin() + static_cast<ptrdiff_t>(which));
  const bool released = ends && receive.multiple;
  const bool alone = released && domain_.options.alone;
  if (released && !alone) completion.flags |= FI_MULTI_RECV;
  domain_.Report(completion);
  if (alone) {
    domain_.Report({.context = receive.context, .flags = FI_MULTI_RECV});
  }
}

}  // namespace gasnet::ofi::strict
