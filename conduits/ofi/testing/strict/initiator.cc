#include "conduits/ofi/testing/strict/initiator.h"

#include <rdma/fi_errno.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "conduits/ofi/testing/rules/violation.h"
#include "conduits/ofi/testing/strict/objects.h"

namespace gasnet::ofi::strict {
namespace {

uint64_t FlagsOf(Kind kind) {
  switch (kind) {
    case Kind::kSend:
      return FI_SEND | FI_MSG;
    case Kind::kWrite:
      return FI_WRITE | FI_RMA;
    default:
      return FI_READ | FI_RMA;
  }
}

PacketKind PacketOf(Kind kind) {
  switch (kind) {
    case Kind::kSend:
      return PacketKind::kSend;
    case Kind::kWrite:
      return PacketKind::kWrite;
    default:
      return PacketKind::kRead;
  }
}

bool WaitsForAnswer(const Operation& operation) {
  return operation.kind == Kind::kRead ||
         (operation.flags & FI_DELIVERY_COMPLETE) != 0;
}

bool IsFinished(const Operation& operation) {
  return operation.error != 0 ||
         (operation.sent && (operation.answered || !WaitsForAnswer(operation)));
}

}  // namespace

void Initiator::Post(Operation operation) {
  Posted& posted = posted_[operation.peer];
  operation.number = ++numbers_;
  operation.due = domain_.Due();
  if (domain_.options.placed && operation.kind == Kind::kWrite) {
    operation.flags |= FI_DELIVERY_COMPLETE;
  }
  if (domain_.Fails(operation.kind)) {
    operation.error = FI_EIO;
  } else {
    operation.sends_before = posted.sends;
    operation.writes_before = posted.writes;
    posted.sends += operation.kind == Kind::kSend;
    posted.writes += operation.kind == Kind::kWrite;
  }
  if ((operation.flags & FI_INJECT) != 0) {
    operation.bytes.assign(operation.local, operation.local + operation.nbytes);
  }
  operations_.push_back(std::move(operation));
  if (domain_.options.late > 0) return;
  Move(operations_.back());
  domain_.core->Flush();
}

Operation* Initiator::Find(uint64_t number) {
  const auto found = std::find_if(
      operations_.begin(), operations_.end(),
      [number](const Operation& each) { return each.number == number; });
  return found == operations_.end() ? nullptr : &*found;
}

void Initiator::Sent(uint64_t number, int error) {
  Operation* const operation = Find(number);
  if (operation == nullptr) return;
  operation->sent = true;
  if (error != 0) operation->error = error;
}

void Initiator::Done(uint64_t number) {
  if (Operation* const operation = Find(number)) operation->answered = true;
}

void Initiator::Data(uint64_t number, std::span<const std::byte> bytes) {
  Operation* const operation = Find(number);
  if (operation == nullptr || operation->kind != Kind::kRead ||
      bytes.size() != operation->nbytes) {
    rules::Violation("data has arrived that nobody reads");
  }
  if (!bytes.empty()) {
    std::memcpy(operation->local, bytes.data(), bytes.size());
  }
  operation->answered = true;
}

void Initiator::Step() {
  std::vector<Operation*> moving;
  for (Operation& each : operations_) moving.push_back(&each);
  if (domain_.options.order == 0) {
    std::shuffle(moving.begin(), moving.end(), domain_.random);
  }
  for (Operation* const each : moving) Move(*each);
  operations_.remove_if([](const Operation& each) { return each.over; });
}

bool Initiator::IsQuiet() const {
  return std::all_of(
      operations_.begin(), operations_.end(),
      [](const Operation& each) { return each.left && !IsFinished(each); });
}

void Initiator::Move(Operation& operation) {
  if (operation.over) return;
  if (operation.due > 0) {
    --operation.due;
    return;
  }
  if (IsFinished(operation)) {
    Report(operation);
  } else if (!operation.left && !WaitsForFence(operation) &&
             !WaitsForItsTurn(operation)) {
    Leave(operation);
  }
}

// Returns true while a fence holds the operation back. There are two cases:
//
// - The operation is fenced, and an earlier operation to its peer is not over.
// - An earlier fenced operation to its peer still waits.
bool Initiator::WaitsForFence(const Operation& operation) const {
  if (!domain_.options.fence) return false;
  const bool fenced = (operation.flags & FI_FENCE) != 0;
  for (const Operation& each : operations_) {
    if (&each == &operation) return false;
    if (each.peer != operation.peer || each.over) continue;
    if (fenced || (!each.left && (each.flags & FI_FENCE) != 0)) return true;
  }
  return false;
}

// Returns true if an earlier send to the same peer has not left and the
// provider promises the order of sends. Only sends wait. Then the completion of
// a send shows that all earlier sends to the peer have left, including injected
// ones.
bool Initiator::WaitsForItsTurn(const Operation& operation) const {
  if (!domain_.Promises(FI_ORDER_SAS)) return false;
  if (operation.kind != Kind::kSend) return false;
  for (const Operation& each : operations_) {
    if (&each == &operation) return false;
    if (each.peer == operation.peer && each.kind == Kind::kSend && !each.left &&
        each.error == 0) {
      return true;
    }
  }
  return false;
}

void Initiator::Leave(Operation& operation) {
  operation.left = true;
  operation.due = domain_.Due();
  Header header;
  header.kind = PacketOf(operation.kind);
  header.operation = operation.number;
  header.sends_before = operation.sends_before;
  header.writes_before = operation.writes_before;
  header.address = operation.address;
  header.key = operation.key;
  header.nbytes = operation.nbytes;
  header.delivery = (operation.flags & FI_DELIVERY_COMPLETE) != 0;
  header.fenced = header.delivery != 0 && (operation.flags & FI_FENCE) != 0;
  std::span<const std::byte> bytes = operation.bytes;
  if ((operation.flags & FI_INJECT) == 0 && operation.kind != Kind::kRead) {
    bytes = {operation.local, operation.nbytes};
  }
  domain_.Send(domain_.AddressOf(domain_.peers[operation.peer]), header, bytes);
}

void Initiator::Report(Operation& operation) {
  operation.over = true;
  if (operation.reports || operation.error != 0) {
    domain_.Report({.context = operation.context,
                    .flags = FlagsOf(operation.kind),
                    .error = operation.error});
  } else {
    domain_.Release(operation.context);
  }
}

}  // namespace gasnet::ofi::strict
