#include "conduits/portals/credits/testing/world.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "conduits/portals/credits/credit_byte.h"

namespace gasnet::portals_conduit::credits {
namespace {

// The maximum number of ranks for which each step checks the sums over all
// peers of a rank. With more ranks the check takes too long.
constexpr Rank kRecounted = 200;

std::vector<Credits> NewBooks(const WorldOptions& options,
                              const BufferPlan& plan) {
  std::vector<Credits> books;
  books.reserve(options.ranks);
  for (Rank rank = 0; rank < options.ranks; ++rank) {
    books.emplace_back(Credits::Start{.ranks = options.ranks,
                                      .self = rank,
                                      .least = LeastCredits(options.chunk),
                                      .per_node = plan.per_node,
                                      .bank = plan.bank},
                       options.settings);
  }
  return books;
}

}  // namespace

World::World(WorldOptions options)
    : options_(std::move(options)),
      plan_(PlanBuffers(options_.ranks - 1, options_.chunk, options_.servers,
                        options_.settings)
                .value()),
      random_(options_.seed),
      books_(NewBooks(options_, plan_)),
      invariants_(books_, options_.settings, LeastCredits(options_.chunk)) {
  for (Rank rank = 0; rank < options_.ranks; ++rank) {
    nodes_.push_back({.buffers = SimReceiveBuffers(
                          plan_.buffers, plan_.buffer_bytes, options_.chunk),
                      .inbox = {},
                      .idle = options_.servers,
                      .clients = std::vector<Client>(options_.clients)});
    for (uint16_t client = 0; client < options_.clients; ++client) {
      events_.In(random_.UpTo(options_.pause),
                 {.kind = Event::kNextRound, .client = client, .at = rank});
    }
  }
}

std::string World::Run() {
  while (!events_.IsEmpty() && invariants_.failure().empty()) {
    Happen(events_.Next());
  }
  for (Rank rank = 0; rank < std::min(options_.ranks, kRecounted); ++rank) {
    invariants_.Recount(rank);
  }
  return invariants_.failure().empty() ? Unfinished() : invariants_.failure();
}

std::string World::Unfinished() const {
  for (Rank rank = 0; rank < options_.ranks; ++rank) {
    for (const Client& client : nodes_[rank].clients) {
      if (client.rounds == options_.rounds && client.waits_for == 0 &&
          client.next == client.requests.size()) {
        continue;
      }
      return absl::StrCat("I4 (liveness): rank ", rank, " never ends round ",
                          client.rounds);
    }
  }
  return "";
}

void World::Happen(const Event& event) {
  switch (event.kind) {
    case Event::kRequest:
      return RequestComes(event);
    case Event::kReplies:
      return Reply(event);
    case Event::kHandled:
      return Handled(event);
    case Event::kReply:
      return ReplyComes(event);
    case Event::kRevoke:
      return RevokeComes(event);
    case Event::kReturn:
      return ReturnComes(event);
    case Event::kNextRound:
      return NextRound(event.at, event.client);
    case Event::kListens:
      nodes_[event.at].listens = true;
      return Serve(event.at);
  }
}

bool World::Accept(const char* why, Rank at, Rank peer) {
  if (why != nullptr) invariants_.Fail(why, at, peer);
  return why == nullptr;
}

EpochCounts& World::EpochOf(Rank lender) {
  const uint64_t epoch = books_[lender].counters().epochs;
  if (epoch >= epochs_.size()) epochs_.resize(epoch + 1);
  return epochs_[epoch];
}

EpochCounts World::Sum() const {
  EpochCounts sum;
  for (const EpochCounts& epoch : epochs_) {
    sum.requests += epoch.requests;
    sum.stalls += epoch.stalls;
    sum.moved += epoch.moved;
    sum.system += epoch.system;
  }
  return sum;
}

}  // namespace gasnet::portals_conduit::credits
