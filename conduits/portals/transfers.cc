#include "conduits/portals/transfers.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "conduits/portals/inside.h"

namespace gasnet::portals_conduit {

// Takes a record. Never fails, because there is a record for every op slot.
PortalsTransfers::Transfer& PortalsTransfers::Begin(
    Kind kind, Rank peer, size_t nbytes, rma::PendingCount* complete,
    rma::PendingCount* sources) {
  statistics_.Count(kind == Kind::kPut   ? Counted::kPuts
                    : kind == Kind::kGet ? Counted::kGets
                                         : Counted::kAtomics);
  Transfer& transfer = *pool_.Take();
  transfer.kind = kind;
  transfer.peer = peer;
  transfer.nbytes = nbytes;
  transfer.sources = sources;
  const bool gets = kind == Kind::kGet || kind == Kind::kFetch;
  transfer.completion.Begin(
      complete, gets ? rma::TransferKind::kGet : rma::TransferKind::kPut, peer,
      nbytes);
  if (sources != nullptr) sources->Begin();
  return transfer;
}

// Posts the whole payload, which must not exceed the largest message. The put
// is never volatile: if Portals refuses the put, it is sent again from its
// source.
void PortalsTransfers::PostLong(const rma::Put& put, PortalTable table,
                                uint64_t match_bits, uint64_t header_data) {
  Transfer& transfer =
      Begin(Kind::kPut, put.peer, put.nbytes, put.complete, put.sources);
  transfer.of_long = true;
  transfer.from = put.src;
  transfer.to = TargetOf(put.peer, put.dest);
  transfer.to.table = table;
  transfer.to.match_bits = match_bits;
  transfer.to.header_data = header_data;
  PutWhole(transfer, Tag(transfer, TagKind::kTransfer));
}

void PortalsTransfers::PostAgain(void* user) {
  PutWhole(Untag<Transfer>(user), user);
}

void PortalsTransfers::PutWhole(Transfer& transfer, void* user) {
  const DescriptorWindow& window =
      local_ == nullptr ? interface_.window(Descriptor::kPut)
                        : *local_->WindowOf(transfer.from, transfer.nbytes);
  interface_.Put(window, transfer.from, transfer.nbytes, transfer.to, user);
}

rma::Posted PortalsTransfers::Post(const rma::Put& put) {
  const Inside inside;
  if (!TakeOpSlot()) return {};
  if (local_ != nullptr) [[unlikely]]
    return OrGiveOpSlot(PostInPart(put, /*of_long=*/false));
  const size_t nbytes = std::min(put.nbytes, interface_.most_bytes());
  const bool is_volatile =
      put.sources != nullptr && nbytes <= interface_.most_volatile();
  Transfer& transfer = Begin(Kind::kPut, put.peer, nbytes, put.complete,
                             is_volatile ? nullptr : put.sources);
  interface_.Put(is_volatile ? Descriptor::kVolatilePut : Descriptor::kPut,
                 put.src, nbytes, TargetOf(put.peer, put.dest),
                 Tag(transfer, TagKind::kTransfer));
  return {rma::PostState::kPosted, nbytes};
}

rma::Posted PortalsTransfers::Post(const rma::Get& get) {
  const Inside inside;
  if (!TakeOpSlot()) return {};
  if (local_ != nullptr) [[unlikely]]
    return OrGiveOpSlot(
        PostInPart(get, TargetOf(get.peer, get.src), /*has_op_slot=*/true));
  const size_t nbytes = std::min(get.nbytes, interface_.most_bytes());
  Transfer& transfer =
      Begin(Kind::kGet, get.peer, nbytes, get.complete, nullptr);
  interface_.Get(get.dest, nbytes, TargetOf(get.peer, get.src),
                 Tag(transfer, TagKind::kTransfer));
  return {rma::PostState::kPosted, nbytes};
}

rma::Posted PortalsTransfers::OrGiveOpSlot(const rma::Posted& posted) {
  if (posted.state == rma::PostState::kRetry) op_slots_.Give(1);
  return posted;
}

rma::Posted PortalsTransfers::PostInPart(const rma::Put& put, bool of_long) {
  const LocalMemory::Piece piece =
      local_->ForPut(put.src, std::min(put.nbytes, interface_.most_bytes()));
  if (piece.nbytes == 0) return {};
  const bool is_copied = piece.hold.of == Hold::Of::kBounce;
  Transfer& transfer = Begin(Kind::kPut, put.peer, piece.nbytes, put.complete,
                             is_copied ? nullptr : put.sources);
  transfer.of_long = of_long;
  transfer.hold = piece.hold;
  interface_.Put(piece.window, piece.at, piece.nbytes,
                 TargetOf(put.peer, put.dest),
                 Tag(transfer, TagKind::kTransfer));
  return {rma::PostState::kPosted, piece.nbytes};
}

rma::Posted PortalsTransfers::PostInPart(const rma::Get& get,
                                         const RemoteTarget& from,
                                         bool has_op_slot) {
  const LocalMemory::Piece piece =
      local_->ForGet(get.dest, std::min(get.nbytes, interface_.most_bytes()));
  if (piece.nbytes == 0) return {};
  Transfer& transfer =
      Begin(Kind::kGet, get.peer, piece.nbytes, get.complete, nullptr);
  transfer.hold = piece.hold;
  transfer.dest = get.dest;
  transfer.has_op_slot = has_op_slot;
  interface_.Get(piece.window, piece.at, piece.nbytes, from,
                 Tag(transfer, TagKind::kTransfer));
  return {rma::PostState::kPosted, piece.nbytes};
}

void PortalsTransfers::Complete(const ptl_event_t& event) {
  auto& transfer = Untag<Transfer>(event.user_ptr);
  if (event.mlength != transfer.nbytes) [[unlikely]]
    EndShort(event);
  if (transfer.hold.of != Hold::Of::kNothing) [[unlikely]]
    TakeOut(transfer);
  if (transfer.sources != nullptr) transfer.sources->End();
  if (transfer.kind == Kind::kFetch) {
    std::memcpy(transfer.dest, &WordsOf(transfer).fetched, transfer.nbytes);
  }
  transfer.completion.End();
  Give(transfer);
}

void PortalsTransfers::EndShort(const ptl_event_t& event) {
  Fatal("Portals 4: %s moved %zu bytes", Describe(event.user_ptr).c_str(),
        static_cast<size_t>(event.mlength));
}

void PortalsTransfers::Abandon(void* user) {
  auto& transfer = Untag<Transfer>(user);
  if (transfer.of_long) transfer.completion.End();
  if (local_ != nullptr) Return(transfer);
  Give(transfer);
}

void PortalsTransfers::TakeOut(Transfer& transfer) {
  if (transfer.kind == Kind::kGet && transfer.hold.of == Hold::Of::kBounce) {
    std::memcpy(transfer.dest, local_->BouncedBy(transfer.hold),
                transfer.nbytes);
  }
  Return(transfer);
}

void PortalsTransfers::Return(Transfer& transfer) {
  local_->Return(transfer.hold);
  transfer.hold = {};
}

void PortalsTransfers::Give(Transfer& transfer) {
  transfer.of_long = false;
  const bool has_op_slot = std::exchange(transfer.has_op_slot, true);
  pool_.Give(transfer);
  if (has_op_slot) op_slots_.Give(1);
}

std::string PortalsTransfers::Describe(void* user) {
  const auto& transfer = Untag<Transfer>(user);
  static constexpr const char* kTexts[][2] = {
      {"put of ", " bytes to rank "},
      {"get of ", " bytes from rank "},
      {"atomic on ", " bytes of rank "},
      {"atomic on ", " bytes of rank "}};
  const auto& [what, where] = kTexts[static_cast<size_t>(transfer.kind)];
  return absl::StrCat(what, transfer.nbytes, where, transfer.peer);
}

Rank PortalsTransfers::PeerOf(void* user) { return Untag<Transfer>(user).peer; }

}  // namespace gasnet::portals_conduit
