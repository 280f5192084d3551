// Atomics of clients, by Portals.
#include <array>

#include "conduits/portals/inside.h"
#include "conduits/portals/transfers.h"

namespace gasnet::portals_conduit {
namespace {

ptl_datatype_t TypeOf(rma::WordType type) {
  constexpr std::array<ptl_datatype_t, rma::kWordTypes> kTypes = {
      PTL_INT32_T,  PTL_UINT32_T, PTL_INT64_T,
      PTL_UINT64_T, PTL_FLOAT,    PTL_DOUBLE};
  return kTypes[static_cast<size_t>(type)];
}

ptl_op_t OperationOf(rma::AtomicOperation operation) {
  constexpr std::array<ptl_op_t, rma::kAtomicOperations> kOperations = {
      PTL_SWAP, PTL_CSWAP, PTL_SUM, PTL_PROD, PTL_MIN,
      PTL_MAX,  PTL_BAND,  PTL_BOR, PTL_BXOR};
  return kOperations[static_cast<size_t>(operation)];
}

// Stores the low-order bytes of `bits` as a word.
void StoreWord(void* to, uint64_t bits, size_t nbytes) {
  if (nbytes == sizeof(uint32_t)) {
    const auto word = static_cast<uint32_t>(bits);
    std::memcpy(to, &word, sizeof word);
  } else {
    std::memcpy(to, &bits, sizeof bits);
  }
}

}  // namespace

rma::PostState PortalsTransfers::PostAtomic(const rma::Atomic& atomic) {
  const Inside inside;
  if (!TakeOpSlot()) return rma::PostState::kRetry;
  const size_t nbytes = rma::SizeOf(atomic.type);
  Transfer& transfer =
      Begin(atomic.result != nullptr ? Kind::kFetch : Kind::kAtomic,
            atomic.peer, nbytes, atomic.complete, nullptr);
  transfer.dest = atomic.result;
  AtomicWords& words = WordsOf(transfer);
  StoreWord(&words.operand, atomic.operand, nbytes);
  StoreWord(&words.compared, atomic.expected, nbytes);
  const bool is_swap =
      atomic.operation <= rma::AtomicOperation::kCompareAndSwap;
  const bool fetches = is_swap || atomic.result != nullptr;
  interface_.Operate({.operation = OperationOf(atomic.operation),
                      .type = TypeOf(atomic.type),
                      .nbytes = nbytes,
                      .is_swap = is_swap,
                      .source = &words.operand,
                      .fetched = fetches ? &words.fetched : nullptr,
                      .compared = &words.compared},
                     TargetOf(atomic.peer, atomic.target),
                     Tag(transfer, TagKind::kTransfer));
  return rma::PostState::kPosted;
}

}  // namespace gasnet::portals_conduit
