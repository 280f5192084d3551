// The servers of a simulated job. Servers receive requests.
#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/testing/world.h"

namespace gasnet::portals_conduit::credits {

void World::RequestComes(Event event) {
  Node& node = nodes_[event.at];
  const unsigned used = CreditByte::Of(event.request).used;
  const int64_t buffer = node.buffers.Take(used * kCreditBytes);
  if (buffer < 0) return invariants_.Fail("I3 (room)", event.at, event.peer);
  event.buffer = static_cast<uint32_t>(buffer);
  node.inbox.push_back(event);
  if (node.inbox.size() > plan_.total) {
    invariants_.Fail("I3 (events)", event.at, event.peer);
  }
  Serve(event.at);
}

void World::Serve(Rank rank) {
  Node& node = nodes_[rank];
  while (node.listens && node.idle > 0 && !node.inbox.empty()) {
    Event event = node.inbox.front();
    node.inbox.pop_front();
    --node.idle;
    invariants_.Before(rank, event.peer);
    if (!Accept(books_[rank].RequestArrived(event.peer, event.request), rank,
                event.peer)) {
      return;
    }
    invariants_.RequestCame(rank, event.peer, CreditByte::Of(event.request));
    event.kind = Event::kReplies;
    events_.In(random_.UpTo(options_.service), event);
  }
}

void World::Reply(const Event& event) {
  const Rank rank = event.at;
  const CreditByte request = CreditByte::Of(event.request);
  invariants_.Before(rank, event.peer);
  EpochCounts& epoch = EpochOf(rank);
  ++epoch.requests;
  const uint8_t byte = books_[rank].ReplyTo(event.peer, event.request);
  const CreditByte reply = CreditByte::Of(byte);
  epoch.moved += reply.extra;
  if (reply.used != request.used)
    invariants_.Fail("I2 (use)", rank, event.peer);
  invariants_.Replied(rank, event.peer, reply);
  Event answer = event;
  answer.kind = Event::kReply;
  answer.reply = byte;
  answer.at = event.peer;
  answer.peer = rank;
  events_.In(Delay(), answer);
  Scavenge(rank);
  Event end = event;
  end.kind = Event::kHandled;
  events_.In(random_.UpTo(options_.service), end);
}

void World::Scavenge(Rank rank) {
  Credits& book = books_[rank];
  if (!book.WantsToScavenge()) return;
  for (const Revokes::To& to : book.Scavenge()) {
    // Scavenge() has run already, but has changed only the peer's flags and the
    // pending report of an epoch. Before() does not depend on these changes.
    invariants_.Before(rank, to.peer);
    invariants_.AskedBack(rank, to.peer, to.epoch);
    ++EpochOf(rank).system;
    events_.In(Delay(), {.kind = Event::kRevoke,
                         .at = to.peer,
                         .peer = rank,
                         .answer = {.returned = 0, .epoch = to.epoch}});
  }
}

void World::Handled(const Event& event) {
  Node& node = nodes_[event.at];
  node.buffers.Handled(event.buffer);
  ++node.idle;
  ++served_;
  if (options_.absences > 0 && random_.Below(options_.absences) == 0 &&
      node.listens) {
    node.listens = false;
    events_.In(random_.UpTo(options_.absence),
               {.kind = Event::kListens, .at = event.at});
  }
  Serve(event.at);
}

void World::ReturnComes(const Event& event) {
  invariants_.Before(event.at, event.peer);
  if (!Accept(books_[event.at].ReturnArrived(event.peer, event.answer),
              event.at, event.peer)) {
    return;
  }
  invariants_.CameBack(event.at, event.peer, event.answer);
}

}  // namespace gasnet::portals_conduit::credits
