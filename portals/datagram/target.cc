#include "portals/datagram/target.h"

#include <algorithm>
#include <cstring>

#include "portals/api/library.h"

namespace gasnet::portals4 {
namespace {

uint32_t OptionsOf(uint8_t interface_kind) {
  const uint32_t matching =
      (interface_kind & 1) != 0 ? PTL_NI_NO_MATCHING : PTL_NI_MATCHING;
  const uint32_t names =
      (interface_kind & 2) != 0 ? PTL_NI_PHYSICAL : PTL_NI_LOGICAL;
  return matching | names;
}

PortalsOperation OperationOf(const OperationRecord& record) {
  PortalsOperation operation;
  operation.kind = record.kind;
  operation.pt = record.pt;
  operation.uid = record.uid;
  operation.operation = record.operation;
  operation.datatype = record.datatype;
  operation.match_bits = record.match_bits;
  operation.remote_offset = record.remote_offset;
  operation.length = record.length;
  operation.hdr_data = record.hdr_data;
  operation.initiator = record.initiator;
  return operation;
}

// Returns an extent of this process's memory. The memory is known to be
// present.
Extent Own(PeerInterface& target, const void* start) {
  Extent extent;
  extent.space = &target.space;
  extent.start = reinterpret_cast<uintptr_t>(start);
  extent.trust = Extent::Trust::kTrusted;
  return extent;
}

Outcome Unreachable() {
  Outcome outcome;
  outcome.fail = PTL_NI_UNDELIVERABLE;
  return outcome;
}

AnswerRecord AnswerOf(uint64_t number, const Outcome& outcome) {
  AnswerRecord record;
  record.fail = static_cast<uint8_t>(outcome.fail);
  record.list = static_cast<uint8_t>(outcome.list);
  record.number = number;
  record.mlength = outcome.mlength;
  record.remote_offset = outcome.remote_offset;
  return record;
}

}  // namespace

DatagramTarget::Arriving* DatagramTarget::Find(const From& from,
                                               uint64_t number) {
  for (const std::unique_ptr<Arriving>& arriving : from.arriving) {
    if (arriving->record.number == number) return arriving.get();
  }
  return nullptr;
}

DatagramTarget::Verdict DatagramTarget::Judge(
    Rank rank, std::span<const std::byte> contents, bool is_next) const {
  const From& from = peers_[rank];
  TransportRecordReader reader(contents);
  OperationRecord record;
  uint32_t turn = from.turn;
  size_t arriving = arriving_;
  size_t leaving = from.leaving.size();
  for (;;) {
    switch (reader.Next(record)) {
      case TransportRecordReader::Result::kMalformed:
        return Verdict::kMalformed;
      case TransportRecordReader::Result::kEnd:
        return arriving <= (is_next ? kMaxArriving : kMaxArriving / 2) ||
                       arriving == arriving_
                   ? Verdict::kTake
                   : Verdict::kNotNow;
      case TransportRecordReader::Result::kReceipt:
        continue;
      case TransportRecordReader::Result::kRecord:
        break;
    }
    if (!record.IsWhole() && Find(from, record.number) != nullptr) continue;
    if (record.turn != 0) {
      if (record.turn != NextTurn(turn)) return Verdict::kNotNow;
      turn = record.turn;
    }
    if (!record.IsWhole()) ++arriving;
    if (record.kind == OperationKind::kGet && record.length > kWholeBytes)
      ++leaving;
    if (leaving > kMaxLeaving || !from.late.empty() || out_.OwesMost(rank)) {
      return Verdict::kNotNow;
    }
  }
}

void DatagramTarget::Take(Rank rank, const OperationRecord& record) {
  if (!record.IsWhole()) {
    DoPart(rank, record);
    return;
  }
  if (record.turn != 0) peers_[rank].turn = record.turn;
  if (record.kind == OperationKind::kGet && record.length > kWholeBytes) {
    BeginLeaving(rank, record);
  } else {
    DoWhole(rank, record);
  }
}

PeerInterface* DatagramTarget::FindTarget(const OperationRecord& record) const {
  return GetLibrary().FindOwn(PackPhysical(nid_, record.pid),
                              OptionsOf(record.interface_kind));
}

void DatagramTarget::DoWhole(Rank rank, const OperationRecord& record) {
  PeerInterface* const target = FindTarget(record);
  const bool fetches = Fetches(record.kind);
  // In a job, the limits of an interface let a program fetch at most
  // kWholeBytes in one atomic operation. So only a faulty peer requests more.
  if (target == nullptr || (fetches && record.length > kWholeBytes)) {
    Answer(rank, record, Unreachable());
    return;
  }
  PortalsOperation operation = OperationOf(record);
  operation.source = Own(*target, record.bytes.data());
  operation.operand = record.operand.data();
  if (fetches) operation.sink = Own(*target, scratch_.data());
  const Outcome outcome = Deliver(*target, operation);
  const size_t bytes =
      fetches && outcome.fail == PTL_NI_OK ? outcome.mlength : 0;
  Answer(rank, record, outcome, {scratch_.data(), bytes});
}

DatagramTarget::Arriving& DatagramTarget::Begin(From& from,
                                                const OperationRecord& record) {
  if (record.turn != 0) from.turn = record.turn;
  from.arriving.push_back(std::make_unique<Arriving>());
  ++arriving_;
  Arriving& arriving = *from.arriving.back();
  arriving.record = record;
  arriving.record.bytes = {};
  arriving.expected = record.length;
  arriving.operation = OperationOf(record);
  arriving.outcome = Unreachable();
  arriving.target = FindTarget(record);
  arriving.is_open = arriving.target != nullptr &&
                     BeginDelivery(*arriving.target, arriving.operation,
                                   arriving.open, arriving.outcome);
  return arriving;
}

void DatagramTarget::DoPart(Rank rank, const OperationRecord& record) {
  From& from = peers_[rank];
  Arriving* const known = Find(from, record.number);
  Arriving& arriving = known != nullptr ? *known : Begin(from, record);
  // This record is part of another operation with the same number. Only a
  // faulty peer sends such a record.
  if (record.length != arriving.record.length) return;
  const ClaimedEntry& claim = arriving.open.claim;
  if (arriving.is_open && record.offset < claim.mlength &&
      !CopyIn(arriving.open.memory, claim.offset + record.offset,
              record.bytes.data(),
              std::min<uint64_t>(record.bytes.size(),
                                 claim.mlength - record.offset))) {
    arriving.fail = PTL_NI_SEGV;
  }
  if ((record.flags & OperationRecord::kBroken) != 0) {
    arriving.fail = PTL_NI_SEGV;
    arriving.expected = record.offset;
  }
  arriving.arrived += record.bytes.size();
  if (arriving.arrived >= arriving.expected) Finish(rank, arriving);
}

void DatagramTarget::Finish(Rank rank, Arriving& arriving) {
  if (arriving.is_open) {
    arriving.outcome = EndDelivery(*arriving.target, arriving.operation,
                                   arriving.open, arriving.fail);
  }
  Answer(rank, arriving.record, arriving.outcome);
  std::erase_if(peers_[rank].arriving,
                [&](const auto& one) { return one.get() == &arriving; });
  --arriving_;
}

void DatagramTarget::BeginLeaving(Rank rank, const OperationRecord& record) {
  Leaving leaving;
  leaving.number = record.number;
  leaving.target = FindTarget(record);
  leaving.operation = OperationOf(record);
  Outcome outcome = Unreachable();
  if (leaving.target == nullptr ||
      !BeginDelivery(*leaving.target, leaving.operation, leaving.open,
                     outcome)) {
    Answer(rank, record, outcome);
    return;
  }
  peers_[rank].leaving.push_back(leaving);
  MarkBusy(rank);
  Pump(rank);
}

// Sends as many parts as there is room for. Returns true if the last part has
// left.
bool DatagramTarget::SendLeaving(Rank rank, Leaving& leaving) {
  const ClaimedEntry& claim = leaving.open.claim;
  Outcome outcome;
  outcome.list = claim.list;
  outcome.mlength = claim.mlength;
  outcome.remote_offset = claim.offset;
  do {
    const size_t bytes = std::min<uint64_t>(claim.mlength - leaving.left,
                                            out_.Room(rank) - kAnswerBytes);
    const ReservedRecord place = out_.Reserve(
        rank, Lane::kReply, kAnswerBytes + bytes, Outbox::kMaxWaiting);
    if (!place) return false;
    AnswerRecord record = AnswerOf(leaving.number, outcome);
    record.offset = leaving.left;
    const bool there = CopyOut(place.at() + kAnswerBytes, leaving.open.memory,
                               claim.offset + leaving.left, bytes);
    if (!there) record.fail = PTL_NI_SEGV;
    const size_t used = there ? bytes : 0;
    leaving.left += bytes;
    if (!there || leaving.left == claim.mlength) {
      // Ends the delivery before the initiator can notice the last part.
      EndDelivery(*leaving.target, leaving.operation, leaving.open,
                  record.fail);
    }
    Encode(record, static_cast<uint32_t>(used), place.at());
    out_.Send(rank, Lane::kReply, place, kAnswerBytes + used);
    if (!there) return true;
  } while (leaving.left < claim.mlength);
  return true;
}

void DatagramTarget::Answer(Rank rank, const OperationRecord& record,
                            const Outcome& outcome,
                            std::span<const std::byte> bytes) {
  const bool is_quiet = (record.flags & OperationRecord::kQuiet) != 0;
  if (is_quiet && outcome.fail == PTL_NI_OK) {
    out_.OweReceipt(rank, record.number);
    return;
  }
  if (!is_quiet && (record.flags & OperationRecord::kAsks) == 0) return;
  const AnswerRecord answer = AnswerOf(record.number, outcome);
  From& from = peers_[rank];
  if (from.late.empty() && Send(rank, answer, bytes)) return;
  from.late.push_back({answer, {bytes.begin(), bytes.end()}});
  MarkBusy(rank);
}

bool DatagramTarget::Send(Rank rank, const AnswerRecord& record,
                          std::span<const std::byte> bytes) {
  const ReservedRecord place = out_.Reserve(
      rank, Lane::kReply, kAnswerBytes + bytes.size(), datagram::kMaxUnsent);
  if (!place) return false;
  Encode(record, static_cast<uint32_t>(bytes.size()), place.at());
  std::copy(bytes.begin(), bytes.end(), place.at() + kAnswerBytes);
  out_.Send(rank, Lane::kReply, place, kAnswerBytes + bytes.size());
  return true;
}

void DatagramTarget::MarkBusy(Rank rank) {
  if (!std::exchange(peers_[rank].busy, true)) busy_.push_back(rank);
}

void DatagramTarget::Pump(Rank rank) {
  From& from = peers_[rank];
  while (!from.late.empty()) {
    const Late& late = from.late.front();
    if (!Send(rank, late.record, late.bytes)) return;
    from.late.pop_front();
  }
  while (!from.leaving.empty() && SendLeaving(rank, from.leaving.front())) {
    from.leaving.pop_front();
  }
}

void DatagramTarget::PumpAll() {
  if (busy_.empty()) [[likely]]
    return;
  for (const Rank rank : busy_) Pump(rank);
  std::erase_if(busy_, [this](Rank rank) {
    From& from = peers_[rank];
    return !(from.busy = from.HasWork());
  });
}

void DatagramTarget::Lose(Rank rank) {
  From& from = peers_[rank];
  for (const std::unique_ptr<Arriving>& arriving : from.arriving) {
    if (!arriving->is_open) continue;
    EndDelivery(*arriving->target, arriving->operation, arriving->open,
                PTL_NI_UNDELIVERABLE);
  }
  for (const Leaving& leaving : from.leaving) {
    EndDelivery(*leaving.target, leaving.operation, leaving.open,
                PTL_NI_UNDELIVERABLE);
  }
  arriving_ -= from.arriving.size();
  from.arriving.clear();
  from.leaving.clear();
  from.late.clear();
}

void DatagramTarget::Forget() {
  for (Rank rank = 0; rank < peers_.size(); ++rank) Lose(rank);
}

}  // namespace gasnet::portals4
