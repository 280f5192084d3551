// Refusals, and system messages.
#include <vector>

#include "base/log.h"
#include "conduits/portals/messages.h"

namespace gasnet::portals {

void Messages::Refused(const ptl_event_t& event) {
  const Kind kind = KindOf(event.user_ptr);
  if (kind == Kind::kRequest && UseOf(event.user_ptr) == 0) return;
  statistics_.Note(Counted::kRefusals);
  const Rank peer = kind == Kind::kTransfer ? Transfers::PeerOf(event.user_ptr)
                                            : PeerOf(event.user_ptr, kind);
  ReportOverflow(peer);
  if (pauses_.Refused(peer, event.user_ptr)) {
    SendSystem(peer, {.kind = SystemMessage::Kind::kBlocked});
  }
}

// Credits see to it that there is room: that there was none is told, once.
void Messages::ReportOverflow(Rank peer) {
  if (credit_mode_ == credits::Mode::kOff ||
      has_reported_overflow_.exchange(true, std::memory_order_relaxed)) {
    return;
  }
  credits::Peer seen;
  {
    const thread::Holder hold(credit_lock_);
    seen = credits_.Look(peer);
  }
  Warn(
      "rank %u has refused a message although there are credits: %u of the %u "
      "that this rank has there are in use, and that rank has %u here; it is "
      "sent again, and further refusals are not reported",
      peer, seen.in_use, seen.send, seen.loan);
}

void Messages::Resume(Rank peer) {
  for (void* const operation : pauses_.Resume(peer)) {
    statistics_.Note(Counted::kResent);
    if (KindOf(operation) == Kind::kTransfer) {
      transfers_.PostAgain(operation);
    } else {
      const uint32_t use = UseOf(operation);
      if (use == 0) continue;
      auto& slot = Untag<RequestSlot>(operation);
      // To this peer, whatever the slot has become.
      Outgoing again = slot.outgoing;
      again.target.peer = peer;
      PutRequest(slot, again, use);
    }
  }
}

void Messages::OpenGate() {
  const std::vector<Rank> blocked = gate_.Open(buffers_.HasRoom(), [this] {
    interface_.Enable(Table::kRequests);
    interface_.Enable(Table::kLongs);
  });
  for (const Rank peer : blocked) {
    SendSystem(peer, {.kind = SystemMessage::Kind::kResume});
  }
}

void Messages::SendSystem(Rank peer, const SystemMessage& message) {
  statistics_.Note(Counted::kSystemSent);
  interface_.SendEmpty({.peer = peer,
                        .table = Table::kSystem,
                        .header_data = message.HeaderData()},
                       TagRank(peer, Kind::kSystem));
}

void Messages::TakeSystem(const ptl_event_t& event) {
  static constexpr const char* kWhat = "system message";
  const auto source = static_cast<Rank>(event.initiator.rank);
  const SystemMessage message = SystemMessage::Of(event.hdr_data);
  switch (message.kind) {
    case SystemMessage::Kind::kRevoke:
      return AnswerRevoke(source, message.epoch);
    case SystemMessage::Kind::kReturn: {
      const thread::Holder hold(credit_lock_);
      if (const char* const why = credits_.ReturnArrived(
              source, {message.credits, message.epoch})) {
        Malformed(source, kWhat, why);
      }
      return;
    }
    case SystemMessage::Kind::kBlocked:
      return gate_.Blocked(source);
    case SystemMessage::Kind::kResume:
      return Resume(source);
  }
  Malformed(source, kWhat, "it is of no kind");
}

void Messages::AnswerRevoke(Rank peer, bool epoch) {
  credits::Answer answer;
  {
    const thread::Holder hold(credit_lock_);
    const char* const why = credits_.RevokeArrived(peer, epoch, &answer);
    if (why != nullptr) Malformed(peer, "system message", why);
  }
  SendSystem(peer, {.kind = SystemMessage::Kind::kReturn,
                    .epoch = answer.epoch,
                    .credits = answer.returned});
}

// The byte of a reply; and where the bank is low, peers are asked.
uint8_t Messages::CreditOfReply(Rank peer, uint8_t request) {
  credits::Revokes revokes;
  uint8_t credit;
  {
    const thread::Holder hold(credit_lock_);
    credit = credits_.ReplyTo(peer, request);
    if (!credits_.WantsToScavenge()) [[likely]]
      return credit;
    revokes = credits_.Scavenge();
  }
  for (const credits::Revokes::To& to : revokes) {
    SendSystem(to.peer,
               {.kind = SystemMessage::Kind::kRevoke, .epoch = to.epoch});
  }
  return credit;
}

}  // namespace gasnet::portals
