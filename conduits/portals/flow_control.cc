#include "conduits/portals/flow_control.h"

#include "base/log.h"
#include "conduits/portals/tagged.h"

namespace gasnet::portals_conduit {
namespace {

constexpr const char* kSystemMessage = "system message";

}  // namespace

FlowControl::FlowControl(ConduitInterface& interface,
                         PortalsStatistics& statistics, const Plan& plan,
                         const credits::CreditSettings& settings, Rank me,
                         Rank ranks)
    : interface_(interface),
      statistics_(statistics),
      credit_mode_(settings.mode),
      pauses_(ranks),
      credits_({.ranks = ranks,
                .self = me,
                .least = credits::LeastCredits(plan.chunk),
                .per_node = plan.credits.per_node,
                .bank = plan.credits.bank},
               settings) {}

void FlowControl::Refused(Rank peer, void* user) {
  statistics_.Note(Counted::kRefusals);
  ReportOverflow(peer);
  if (pauses_.Refused(peer, user)) {
    SendSystem(peer, {.kind = SystemMessage::Kind::kBlocked});
  }
}

// Reports a refusal, once. With credits the target should always have room. A
// refusal therefore points to an error.
void FlowControl::ReportOverflow(Rank peer) {
  if (credit_mode_ == credits::Mode::kOff ||
      has_reported_overflow_.exchange(true, std::memory_order_relaxed)) {
    return;
  }
  credits::PeerCredits seen;
  {
    const thread::Holder hold(credit_lock_);
    seen = credits_.Look(peer);
  }
  Warn(
      "rank %u has refused a message although there are credits: %u of the %u "
      "credits that this rank has there are in use, and that rank has %u here; "
      "the message is sent again, and further refusals are not reported",
      peer, seen.in_use, seen.send, seen.loan);
}

void FlowControl::OpenGate(bool has_room) {
  const std::vector<Rank> blocked = gate_.Open(has_room, [this] {
    interface_.Enable(PortalTable::kRequests);
    interface_.Enable(PortalTable::kLongs);
  });
  for (const Rank peer : blocked) {
    SendSystem(peer, {.kind = SystemMessage::Kind::kResume});
  }
}

void FlowControl::SendSystem(Rank peer, const SystemMessage& message) {
  statistics_.Note(Counted::kSystemSent);
  interface_.SendEmpty({.peer = peer,
                        .table = PortalTable::kSystem,
                        .header_data = message.HeaderData()},
                       TagRank(peer, TagKind::kSystem));
}

std::vector<void*> FlowControl::TakeSystem(const ptl_event_t& event) {
  const auto source = static_cast<Rank>(event.initiator.rank);
  const SystemMessage message = SystemMessage::Of(event.hdr_data);
  switch (message.kind) {
    case SystemMessage::Kind::kRevoke:
      AnswerRevoke(source, message.epoch);
      return {};
    case SystemMessage::Kind::kReturn:
      TakeReturn(source, message);
      return {};
    case SystemMessage::Kind::kBlocked:
      gate_.Blocked(source);
      return {};
    case SystemMessage::Kind::kResume:
      return pauses_.Resume(source);
  }
  Malformed(source, kSystemMessage, "its kind is unknown");
}

void FlowControl::TakeReturn(Rank peer, const SystemMessage& message) {
  const thread::Holder hold(credit_lock_);
  const char* const why =
      credits_.ReturnArrived(peer, {message.credits, message.epoch});
  if (why != nullptr) Malformed(peer, kSystemMessage, why);
}

void FlowControl::AnswerRevoke(Rank peer, bool epoch) {
  credits::CreditAnswer answer;
  {
    const thread::Holder hold(credit_lock_);
    const char* const why = credits_.RevokeArrived(peer, epoch, &answer);
    if (why != nullptr) Malformed(peer, kSystemMessage, why);
  }
  SendSystem(peer, {.kind = SystemMessage::Kind::kReturn,
                    .epoch = answer.epoch,
                    .credits = answer.returned});
}

uint8_t FlowControl::ByteOfReply(Rank peer, uint8_t request) {
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

}  // namespace gasnet::portals_conduit
