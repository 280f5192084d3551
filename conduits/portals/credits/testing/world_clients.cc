// The clients of a simulated job. Clients send requests.
#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/testing/world.h"

namespace gasnet::portals_conduit::credits {

void World::NextRound(Rank rank, uint16_t index) {
  Client& client = nodes_[rank].clients[index];
  if (client.rounds == options_.rounds) return;
  client.requests.clear();
  client.next = 0;
  options_.pattern(rank, options_.ranks, client.rounds++, random_,
                   &client.requests);
  Proceed(rank, index);
}

void World::Proceed(Rank rank, uint16_t index) {
  Client& client = nodes_[rank].clients[index];
  while (client.next < client.requests.size()) {
    if (!SendNext(rank, index)) return;
  }
  if (client.waits_for > 0) return;
  events_.In(random_.UpTo(options_.pause),
             {.kind = Event::kNextRound, .client = index, .at = rank});
}

bool World::SendNext(Rank rank, uint16_t index) {
  Client& client = nodes_[rank].clients[index];
  const Request request = client.requests[client.next];
  Credits& book = books_[rank];
  const uint64_t stalls = book.counters().stalls;
  invariants_.Before(rank, request.to);
  const std::optional<uint8_t> byte = book.Take(request.to, request.used);
  EpochOf(request.to).stalls += book.counters().stalls - stalls;
  client.is_stalled = !byte.has_value();
  if (client.is_stalled) return false;
  invariants_.Sent(rank, request.to, CreditByte::Of(*byte));
  ++client.next;
  ++client.waits_for;
  events_.In(Delay(), {.kind = Event::kRequest,
                       .request = *byte,
                       .client = index,
                       .at = request.to,
                       .peer = rank});
  return true;
}

void World::ReplyComes(const Event& event) {
  invariants_.Before(event.at, event.peer);
  if (!Accept(
          books_[event.at].ReplyArrived(event.peer, event.request, event.reply),
          event.peer, event.at)) {
    return;
  }
  invariants_.ReplyCame(event.at, event.peer, CreditByte::Of(event.reply));
  std::vector<Client>& clients = nodes_[event.at].clients;
  --clients[event.client].waits_for;
  if (!clients[event.client].is_stalled) Proceed(event.at, event.client);
  for (uint16_t i = 0; i < clients.size(); ++i) {
    if (clients[i].is_stalled) Proceed(event.at, i);
  }
}

void World::RevokeComes(const Event& event) {
  invariants_.Before(event.at, event.peer);
  CreditAnswer answer;
  if (!Accept(books_[event.at].RevokeArrived(event.peer, event.answer.epoch,
                                             &answer),
              event.peer, event.at)) {
    return;
  }
  invariants_.AskedForBack(event.at, event.peer, event.answer.epoch, answer);
  EpochOf(event.peer).moved += answer.returned;
  events_.In(Delay(), {.kind = Event::kReturn,
                       .at = event.peer,
                       .peer = event.at,
                       .answer = answer});
}

}  // namespace gasnet::portals_conduit::credits
