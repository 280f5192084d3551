#include "portals/datagram/initiator.h"

#include <algorithm>
#include <cstring>

#include "portals/engine/arithmetic.h"

namespace gasnet::portals4 {
namespace {

constexpr uint8_t kAnyAnswer = OperationRecord::kAsks | OperationRecord::kQuiet;

// Returns the kind of an interface as two bits.
uint8_t KindIndex(uint32_t options) {
  return static_cast<uint8_t>(((options & PTL_NI_NO_MATCHING) != 0 ? 1U : 0U) |
                              ((options & PTL_NI_PHYSICAL) != 0 ? 2U : 0U));
}

void Hold(const View& view, Ref ref) {
  if (MdRecord* const md = view.Md(ref)) {
    md->pending.fetch_add(1, std::memory_order_relaxed);
  }
}

void Release(const View& view, Ref ref) {
  if (MdRecord* const md = view.Md(ref)) {
    md->pending.fetch_sub(1, std::memory_order_release);
  }
}

OperationRecord RecordOf(const PortalsOperation& operation, uint64_t physical,
                         const PeerInterface& owner) {
  OperationRecord record;
  record.kind = operation.kind;
  record.interface_kind = KindIndex(owner.view.header().kind);
  record.pt = operation.pt;
  record.pid = static_cast<uint32_t>(physical >> 32);
  record.uid = operation.uid;
  record.match_bits = operation.match_bits;
  record.remote_offset = operation.remote_offset;
  record.length = operation.length;
  record.hdr_data = operation.hdr_data;
  record.initiator = operation.initiator;
  if (operation.kind < OperationKind::kAtomic) return record;
  record.operation = static_cast<uint8_t>(operation.operation);
  record.datatype = static_cast<uint8_t>(operation.datatype);
  bool needs_operand = false;
  if (operation.kind == OperationKind::kSwap &&
      IsSwapFor(operation.operation, operation.datatype, needs_operand) &&
      needs_operand) {
    const size_t size = SizeOfType(operation.datatype);
    record.operand_bytes = static_cast<uint8_t>(size);
    std::memcpy(record.operand.data(), operation.operand, size);
  }
  return record;
}

// Returns the flags for the answer that the target must give.
uint8_t AnswerFlags(const InitiatorRequest& request) {
  switch (NoticesOf(request)) {
    case Notices::kNothing:
      return 0;
    case Notices::kFailure:
      return OperationRecord::kQuiet;
    case Notices::kEnd:
      break;
  }
  return OperationRecord::kAsks;
}

Outcome Failed(uint32_t fail) {
  Outcome outcome;
  outcome.fail = fail;
  return outcome;
}

}  // namespace

uint32_t Initiator::Take() {
  ++used_;
  if (free_.empty()) {
    all_.emplace_back();
    return static_cast<uint32_t>(all_.size() - 1);
  }
  const uint32_t index = free_.back();
  free_.pop_back();
  return index;
}

Initiator::Pending* Initiator::Find(uint64_t number) {
  const auto index = static_cast<uint32_t>(number);
  if (index >= all_.size()) return nullptr;
  Pending& pending = all_[index];
  return pending.used && pending.generation == number >> 32 ? &pending
                                                            : nullptr;
}

bool Initiator::IsQueued(uint64_t number) const {
  const Pending& pending = all_[static_cast<uint32_t>(number)];
  return pending.used && pending.queued && pending.generation == number >> 32;
}

uint64_t Initiator::Begin(Rank rank, uint64_t physical, PeerInterface& owner,
                          const InitiatorRequest& request,
                          const PortalsOperation& operation) {
  const uint32_t index = Take();
  Pending& pending = all_[index];
  const uint32_t generation = pending.generation + 1;
  pending = Pending();
  pending.generation = generation;
  pending.used = true;
  pending.queued = true;
  pending.rank = rank;
  pending.owner = &owner;
  pending.request = request;
  pending.record = RecordOf(operation, physical, owner);
  pending.record.number = uint64_t{generation} << 32 | index;
  pending.source = operation.source;
  pending.source_offset = operation.source_offset;
  pending.sink = operation.sink;
  pending.sink_offset = operation.sink_offset;
  const MdRecord* const md =
      request.put_md != nullptr ? request.put_md : request.get_md;
  pending.ordered = (md->options & PTL_MD_UNORDERED) == 0;
  pending.record.flags |= AnswerFlags(request);
  Hold(owner.view, request.put_ref);
  Hold(owner.view, request.get_ref);
  const uint64_t number = pending.record.number;
  To& to = peers_[rank];
  ++to.pending;
  to.queue.push_back(index);
  if (to.queue.size() > 1) return number;
  Pump(rank);
  if (!to.queue.empty()) crowded_.push_back(rank);
  return number;
}

void Initiator::Pump(Rank rank) {
  To& to = peers_[rank];
  while (!to.queue.empty()) {
    const uint32_t index = to.queue.front();
    if (!SendSome(all_[index])) return;
    to.queue.pop_front();
    Sent(index);
  }
}

void Initiator::PumpAll() {
  if (crowded_.empty()) [[likely]]
    return;
  for (const Rank rank : crowded_) Pump(rank);
  std::erase_if(crowded_,
                [this](Rank rank) { return peers_[rank].queue.empty(); });
}

// Sends as many parts as there is room for. Returns true if the operation needs
// no more packets, because all of it is in packets or its memory is unreadable.
bool Initiator::SendSome(Pending& pending) {
  OperationRecord& record = pending.record;
  const uint64_t carried = record.carried();
  const size_t head = BytesAt(record);
  for (;;) {
    const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(
        carried - record.offset, out_.Room(pending.rank) - head));
    const ReservedRecord place = out_.Reserve(
        pending.rank, Lane::kRequest, head + bytes, Outbox::kMaxWaiting);
    if (!place) return false;
    const bool readable = CopyOut(place.at() + head, pending.source,
                                  pending.source_offset + record.offset, bytes);
    if (!readable) {
      pending.fail = PTL_NI_SEGV;
      if (record.offset == 0) {
        out_.Drop(place);
        return true;
      }
      record.flags |= OperationRecord::kBroken;
    }
    To& to = peers_[pending.rank];
    if (pending.ordered && record.turn == 0) {
      record.turn = to.turn = NextTurn(to.turn);
    }
    const uint32_t used = readable ? bytes : 0;
    Encode(record, used, place.at());
    out_.Send(pending.rank, Lane::kRequest, place, head + used);
    record.offset += used;
    if (!readable || record.offset >= carried) return true;
  }
}

void Initiator::Sent(uint32_t index) {
  Pending& pending = all_[index];
  pending.queued = false;
  if (pending.request.put_md != nullptr) {
    ReportSent(*pending.owner, pending.request, pending.record.length);
  }
  const bool left = pending.fail == PTL_NI_OK || pending.record.offset > 0;
  const bool asks = (pending.record.flags & kAnyAnswer) != 0;
  if (!left || !asks) End(index, Failed(pending.fail));
}

// Returns null if the number is invalid. Also returns null if the operation is
// over, not sent yet, or on another rank.
Initiator::Pending* Initiator::FindSent(Rank rank, uint64_t number) {
  Pending* const found = Find(number);
  return found != nullptr && found->rank == rank && !found->queued ? found
                                                                   : nullptr;
}

void Initiator::Take(Rank rank, const Receipt& receipt) {
  for (size_t i = 0; i < receipt.count(); ++i) {
    const uint64_t number = receipt.number(i);
    const Pending* const pending = FindSent(rank, number);
    if (pending == nullptr ||
        (pending->record.flags & OperationRecord::kQuiet) == 0) {
      continue;
    }
    End(static_cast<uint32_t>(number), Outcome());
  }
}

void Initiator::Take(Rank rank, const AnswerRecord& answer) {
  Pending* const found = FindSent(rank, answer.number);
  if (found == nullptr || answer.mlength > found->record.length) return;
  Pending& pending = *found;
  const bool fetches = Fetches(pending.record.kind);
  if (!answer.bytes.empty()) {
    if (!fetches) return;
    if (!CopyIn(pending.sink, pending.sink_offset + answer.offset,
                answer.bytes.data(), answer.bytes.size())) {
      pending.fail = PTL_NI_SEGV;
    }
    pending.arrived += answer.bytes.size();
  }
  if (pending.record.kind == OperationKind::kGet && answer.fail == PTL_NI_OK &&
      pending.arrived < answer.mlength) {
    return;
  }
  Outcome outcome;
  outcome.fail = answer.fail != PTL_NI_OK ? answer.fail : pending.fail;
  outcome.list = answer.list;
  outcome.mlength = answer.mlength;
  outcome.remote_offset = answer.remote_offset;
  End(static_cast<uint32_t>(answer.number), outcome);
}

void Initiator::End(uint32_t index, const Outcome& outcome) {
  const Pending& pending = all_[index];
  ReportDone(*pending.owner, pending.request, outcome);
  Free(index);
}

void Initiator::Free(uint32_t index) {
  Pending& pending = all_[index];
  Release(pending.owner->view, pending.request.put_ref);
  Release(pending.owner->view, pending.request.get_ref);
  pending.used = false;
  --peers_[pending.rank].pending;
  --used_;
  free_.push_back(index);
}

void Initiator::Lose(Rank rank) {
  peers_[rank].queue.clear();
  std::erase(crowded_, rank);
  for (uint32_t index = 0; index < all_.size(); ++index) {
    Pending& pending = all_[index];
    if (!pending.used || pending.rank != rank) continue;
    if (pending.queued && pending.request.put_md != nullptr) {
      ReportSent(*pending.owner, pending.request, pending.record.length);
    }
    End(index, Failed(PTL_NI_UNDELIVERABLE));
  }
}

void Initiator::Forget() {
  for (uint32_t index = 0; index < all_.size(); ++index) {
    if (all_[index].used) Free(index);
  }
  for (To& to : peers_) to.queue.clear();
  crowded_.clear();
}

}  // namespace gasnet::portals4
