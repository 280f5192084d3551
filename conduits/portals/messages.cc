#include "conduits/portals/messages.h"

#include "absl/status/statusor.h"
#include "base/log.h"
#include "conduits/portals/credits/credit_byte.h"

namespace gasnet::portals {

constinit thread_local Messages::Serving* Messages::serving_ = nullptr;

Messages::Messages(const Parts& parts, const Plan& plan,
                   const Settings& settings, Rank me, Rank ranks)
    : interface_(parts.interface),
      tickets_(parts.tickets),
      transfers_(parts.transfers),
      statistics_(parts.statistics),
      chunk_(plan.chunk),
      packed_long_(settings.packed_long),
      servers_(plan.servers),
      credit_mode_(settings.credits.mode),
      credits_({.ranks = ranks,
                .self = me,
                .least = credits::LeastCredits(plan.chunk),
                .per_node = plan.credits.per_node,
                .bank = plan.credits.bank},
               settings.credits),
      buffers_(parts.interface, plan, parts.statistics),
      pauses_(ranks),
      requests_(settings.sb_chunks),
      replies_(settings.rpl_chunks),
      left_since_(ranks) {}

absl::Status Messages::Start() {
  const size_t request_bytes = requests_.size() * chunk_;
  const size_t all_bytes = request_bytes + replies_.size() * chunk_;
  absl::Status status = memory_.Map(all_bytes);
  request_chunks_ = memory_.base();
  reply_chunks_ = memory_.base() + request_bytes;
  if (status.ok() && !interface_.covers_all()) {
    status = interface_.CoverChunks(memory_.base(), all_bytes);
  }
  if (status.ok()) {
    status = interface_.Append({.table = Table::kReplies,
                                .start = request_chunks_,
                                .length = request_bytes,
                                .options = PTL_ME_OP_PUT});
  }
  // Nothing has a body there.
  for (const Table table : {Table::kSystem, Table::kBell}) {
    if (status.ok()) {
      status = interface_.Append({.table = table, .options = PTL_ME_OP_PUT});
    }
  }
  if (status.ok()) status = buffers_.Start();
  return status;
}

void Messages::Release(RequestSlot& slot) {
  requests_.Give(slot);
  tickets_.Give(1);
}

void Messages::RequestLost(const ptl_event_t& event) {
  auto& slot = Untag<RequestSlot>(event.user_ptr);
  if (slot.Claim(UseOf(event.user_ptr))) Release(slot);
}

uint32_t Messages::UseOf(void* user) {
  const uint32_t use = Untag<RequestSlot>(user).Use();
  return use % 2 != 0 && use / 2 % kTurns == TurnOf(user) ? use : 0;
}

// Nothing is sent there any more, and what comes from there is ignored.
void Messages::GiveUp(Rank peer) {
  for (void* const operation : pauses_.Close(peer)) {
    if (KindOf(operation) == Kind::kTransfer) transfers_.Abandon(operation);
  }
}

void Messages::ReleaseGivenUp() {
  for (size_t i = 0; i < requests_.size(); ++i) {
    RequestSlot& slot = requests_.at(i);
    const uint32_t use = slot.Use();
    if (pauses_.IsClosed(slot.Peer()) && slot.Claim(use)) Release(slot);
  }
}

Rank Messages::PeerOf(void* user, Kind kind) {
  return kind == Kind::kRequest ? Untag<RequestSlot>(user).Peer()
                                : Untag<ReplySlot>(user).peer;
}

void Messages::Malformed(Rank source, const char* what, const char* why) {
  Fatal("malformed %s from rank %u: %s", what, source, why);
}

}  // namespace gasnet::portals
