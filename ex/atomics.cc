#include "ex/atomics.h"

#include <array>
#include <bit>
#include <cinttypes>
#include <cstring>

#include "base/log.h"
#include "core/rma/atomic.h"
#include "core/rma/pending_count.h"
#include "ex/handler_indices.h"
#include "ex/native_atomic.h"
#include "extended/handler_indices.h"
#include "extended/native.h"
#include "extended/repliers.h"
#include "extended/reply_check.h"
#include "extended/request_check.h"
#include "extended/wire.h"

namespace gasnet::ex {
namespace {

using extended::Attempt;
using extended::Direction;
using extended::High;
using extended::Iop;
using extended::Join;
using extended::Low;
using extended::Native;
using extended::Operation;
using extended::Operations;
using extended::Short;
using extended::Transfer;

// Kind() encodes a type and an operation in one argument: the number of the
// type's bit above kTypeShift, and the number of the operation's bit below.
constexpr unsigned kTypeShift = 8;
int32_t Kind(gex_DT_t type, gex_OP_t operation) {
  return std::countr_zero(type) << kTypeShift | std::countr_zero(operation);
}
// Returns the value of the bit with this number, or 0 if there is no such bit.
uint32_t Bit(uint32_t number) {
  return number < 32 ? uint32_t{1} << number : 0;
}
gex_DT_t TypeOfKind(int32_t kind) {
  return Bit(static_cast<uint32_t>(kind) >> kTypeShift);
}
gex_OP_t OperationOfKind(int32_t kind) {
  return Bit(static_cast<uint32_t>(kind) & ((1u << kTypeShift) - 1));
}

size_t SizeOf(gex_DT_t type) {
  constexpr gex_DT_t kOfFourBytes = GEX_DT_I32 | GEX_DT_U32 | GEX_DT_FLT;
  return (type & kOfFourBytes) != 0 ? sizeof(uint32_t) : sizeof(uint64_t);
}

bool Fetches(gex_OP_t operation) { return (operation & kFetchingOps) != 0; }

Transfer& Start(Rank node, const AtomicRequest& request, Iop* iop) {
  Operations& mine = Operations::Mine();
  switch (request.operation) {
    case GEX_OP_SET:
      return mine.StartPut(node, iop);
    case GEX_OP_GET:
      return mine.StartGet(node, request.result, request.nbytes, iop);
    default:
      return mine.StartRmw(node, request.result,
                           Fetches(request.operation) ? request.nbytes : 0,
                           iop);
  }
}

am::Token& TokenOf(void* token) { return *static_cast<am::Token*>(token); }

// The following handlers run at the target.

void* CheckedTarget(const am::Token& token, int32_t kind, uint64_t address) {
  const gex_DT_t type = TypeOfKind(kind);
  if ((OpsOf(type) & OperationOfKind(kind)) == 0) [[unlikely]] {
    Fatal("rank %u asked for an atomic of kind 0x%x, which does not exist",
          token.source, static_cast<unsigned>(kind));
  }
  const size_t nbytes = SizeOf(type);
  if (address % nbytes != 0) [[unlikely]] {
    Fatal("rank %u asked for an atomic of %zu bytes on 0x%" PRIx64
          " here, which is not aligned",
          token.source, nbytes, address);
  }
  return extended::CheckRequest(token.to->segment(),
                                runtime->further_segments(), token.source,
                                "gex_AD_Op", address, nbytes);
}

// Performs the operation. If there is no room for the reply, only the reply is
// tried again (core/am/unattended.h), so the operation is performed once.
template <class Replier>
void OnRequest(void* token, int32_t index, int32_t generation, int32_t kind,
               int32_t target_low, int32_t target_high, int32_t operand1_low,
               int32_t operand1_high, int32_t operand2_low,
               int32_t operand2_high) {
  void* const target =
      CheckedTarget(TokenOf(token), kind, Join(target_low, target_high));
  const gex_OP_t operation = OperationOfKind(kind);
  const uint64_t old = ApplyBits(TypeOfKind(kind), operation, target,
                                 Join(operand1_low, operand1_high),
                                 Join(operand2_low, operand2_high));
  const auto reply = [&](uint8_t handler, const auto& args) {
    Replier::Reply(TokenOf(token), Short(handler, args));
  };
  if (Fetches(operation)) {
    reply(operation == GEX_OP_GET ? kAtomicGetReply : kAtomicFetchReply,
          std::array{index, generation, Low(old), High(old)});
  } else {
    reply(operation == GEX_OP_SET ? uint8_t{extended::kPutDoneReply}
                                  : uint8_t{kAtomicDoneReply},
          std::array{index, generation});
  }
}

// The following handlers run at the initiator.

void OnDone(void* token, int32_t index, int32_t generation) {
  Operations::Finish(extended::ClaimGet(TokenOf(token).source,
                                        extended::Id(index, generation), 0,
                                        Direction::kRmw));
}

template <Direction direction>
void OnValue(void* token, int32_t index, int32_t generation, int32_t low,
             int32_t high) {
  Transfer& transfer = extended::ClaimValue(
      TokenOf(token).source, extended::Id(index, generation), direction);
  uint64_t value = Join(low, high);
  std::memcpy(transfer.destination, extended::LowBytes(value, transfer.nbytes),
              transfer.nbytes);
  Operations::Finish(transfer);
}

// The following functions start operations.

// Sends a request. Returns null if it is refused.
Operation* Send(Rank node, const AtomicRequest& request, Iop* iop,
                Attempt* attempt) {
  Transfer& transfer = Start(node, request, iop);
  const std::array args = {extended::Index(transfer),
                           extended::Generation(transfer),
                           Kind(request.type, request.operation),
                           Low(request.target),
                           High(request.target),
                           Low(request.operand1),
                           High(request.operand1),
                           Low(request.operand2),
                           High(request.operand2)};
  if (extended::Send(node, Short(kAtomicRequest, args), attempt)) [[likely]]
    return &transfer;
  Operations::Mine().Cancel(transfer);
  return nullptr;
}

// Returns true if the network performs the operation. It does so only in the
// segments of primordial endpoints. If the target is not aligned, the message's
// handler reports the error. A network's GET writes (native_atomic.h), and a
// segment of everything has memory that is only read.
bool IsNative(Rank node, const AtomicRequest& request) {
  const Segment& segment = runtime->segments()[node];
  return Native::Mine().HasAtomics(node) &&
         segment.Contains(request.target, request.nbytes) &&
         reinterpret_cast<uintptr_t>(request.target) % request.nbytes == 0 &&
         (request.operation != GEX_OP_GET || segment.size != UINTPTR_MAX);
}

rma::PendingCount& CounterOf(Iop& iop, gex_OP_t operation) {
  switch (operation) {
    case GEX_OP_SET:
      return iop.native_puts;
    case GEX_OP_GET:
      return iop.native_gets;
    default:
      return iop.native_rmws;
  }
}

void Post(Rank node, const AtomicRequest& request, Iop& iop, Attempt* attempt) {
  rma::Atomic atomic = ExpressNatively(request.type, request.operation,
                                       request.operand1, request.operand2);
  atomic.peer = node;
  atomic.target = request.target;
  if (Fetches(request.operation)) atomic.result = request.result;
  atomic.complete = &CounterOf(iop, request.operation);
  Native::Mine().Atomic(atomic, attempt);
}

}  // namespace

void Atomics::RegisterHandlers() {
  am::HandlerTable& to = runtime->engine().handlers();
  to.RegisterInternal(kAtomicRequest, am::Lane::kRequest,
                      &OnRequest<extended::WaitingReply>);
  to.RegisterUnattended(kAtomicRequest, &OnRequest<extended::UnattendedReply>);
  to.RegisterInternal(kAtomicDoneReply, am::Lane::kReply, &OnDone);
  to.RegisterInternal(kAtomicGetReply, am::Lane::kReply,
                      &OnValue<Direction::kGet>);
  to.RegisterInternal(kAtomicFetchReply, am::Lane::kReply,
                      &OnValue<Direction::kRmw>);
}

Operation* Atomics::StartFar(Rank node, const AtomicRequest& request, Iop* iop,
                             Attempt* attempt) {
  if (!IsNative(node, request)) return Send(node, request, iop, attempt);
  if (iop != nullptr) {
    Post(node, request, *iop, attempt);
    return nullptr;
  }
  Iop& own = Operations::Mine().TakeIop();
  Post(node, request, own, attempt);
  return Operations::Mine().KeepUnless(extended::IsRefused(attempt), own);
}

}  // namespace gasnet::ex
