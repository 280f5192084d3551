// Many simulated nodes on one thread, each with its own engine. A seed decides
// the order in which messages arrive and nodes take turns.
//
//   bag      messages and pieces under way. They arrive in any order;
//            with in_order, each pair of nodes keeps its order
//   memory   the clients' memory; checks every access (client_memory.h)
//   preempt  at every send and access, other nodes may run first
//
// Near ranks are on one host, have segments, and map each other's segments. A
// lent payload is read on arrival, and again before its loan ends.
#ifndef COLL_TESTING_WORLD_H_
#define COLL_TESTING_WORLD_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "coll/fabric.h"
#include "coll/header.h"
#include "coll/node.h"
#include "coll/testing/client_memory.h"
#include "coll/testing/flight.h"
#include "coll/testing/sim_fabric.h"
#include "coll/testing/sim_meetings.h"

namespace gasnet::coll::testing {

class World {
 public:
  using Flight = testing::Flight;
  struct Counts {
    uint64_t messages = 0;
    uint64_t bytes = 0;
  };

  explicit World(WorldOptions options)
      : options_(std::move(options)),
        random_(options_.seed),
        memory_(options_.nodes, options_.arena_bytes, options_.seed,
                {.is_synced =
                     [this](size_t op, Rank n) {
                       return is_synced && is_synced(op, n);
                     },
                 .may_touch =
                     [this](Rank n, const void* at, size_t nbytes) {
                       return n == acting_ ||
                              (IsNear(acting_, n) &&
                               memory_.InSegment(n, at, nbytes));
                     },
                 .preempt = [this] { Preempt(); }}) {
    if (options_.hosts.empty()) options_.hosts.assign(options_.nodes, 0);
    if (options_.segments.empty()) {
      options_.segments.assign(options_.nodes, true);
    }
    for (Rank rank = 0; rank < options_.nodes; ++rank) {
      fabrics_.emplace_back(*this, rank);
      nodes_.push_back(
          std::make_unique<Node>(fabrics_.back(), options_.settings));
    }
    busy_.resize(options_.nodes);
    depth_.resize(options_.nodes);
    counts_.resize(options_.nodes);
    come_.resize(options_.nodes);
    access_observer = &memory_;
  }
  ~World() { access_observer = nullptr; }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Gives the client of a node a turn. Returns true if the client did anything.
  std::function<bool(Rank)> client;
  // Returns true if the engine on `node` reports the operation as synced.
  std::function<bool(size_t op, Rank node)> is_synced;

  Rank nodes() const { return options_.nodes; }
  Node& node(Rank rank) { return *nodes_[rank]; }
  ClientMemory& memory() { return memory_; }
  std::mt19937_64& random() { return random_; }
  const WorldOptions& options() const { return options_; }
  bool HasSegment(Rank rank) const { return options_.segments[rank]; }
  bool IsNear(Rank a, Rank b) const {
    return a == b || (options_.hosts[a] == options_.hosts[b] &&
                      options_.segments[a] && options_.segments[b]);
  }

  Team& AddTeam(Rank rank, uint16_t id, const std::vector<Rank>& ranks,
                const std::vector<uint32_t>& images) {
    // Teams except the first have ids that differ between ranks.
    const auto name_of = [id](Rank of) {
      return static_cast<uint16_t>(id == 0 ? 0 : 3 * id + of % 3);
    };
    Team::Members members = {
        .id = name_of(rank), .ranks = ranks, .images = images};
    members.processors = options_.processors;
    for (Rank index = 0; index < ranks.size(); ++index) {
      if (ranks[index] == rank) members.me = index;
      members.ids.push_back(name_of(ranks[index]));
      members.near.push_back(ranks[index] != rank &&
                             IsNear(rank, ranks[index]));
      members.hosts.push_back(options_.hosts[ranks[index]]);
    }
    const Acting acting(*this, rank);
    Team& team = nodes_[rank]->AddTeam(std::move(members));
    return *(teams_[{team.id(), rank}] = &team);
  }

  // Begins an operation, and overwrites the request afterwards.
  CollectiveOperation* Begin(Rank rank, Team& team,
                             const CollectiveRequest& request) {
    const Acting acting(*this, rank);
    CollectiveRequest passing = request;
    CollectiveOperation* const op = nodes_[rank]->Begin(team, passing);
    passing = {};
    return op;
  }
  void Drive(Rank rank) {
    const Acting acting(*this, rank);
    nodes_[rank]->Drive();
  }

  // ---- time

  // Performs one random event: an arrival, or a turn of a node or its client.
  void Step() {
    if (!bag_.empty() && random_() % 2 == 0) return DeliverSome();
    const Rank rank = random_() % options_.nodes;
    if (busy_[rank] != 0 || random_() % 2 == 0) return Drive(rank);
    ClientTurn(rank);
  }

  // Delivers all messages under way, in a random order. Then gives each client
  // and node one turn. Returns true if anything happened or is under way.
  bool Round() {
    const uint64_t before = happened_;
    for (size_t i = bag_.size(); i > 0; --i) DeliverSome();
    for (Rank rank = 0; rank < options_.nodes; ++rank) {
      ClientTurn(rank);
      Drive(rank);
    }
    return happened_ != before || !bag_.empty();
  }

  // Delivers a message or piece under way. which: 0 to UnderWay() - 1.
  void DeliverOne(size_t which) {
    Flight flight = std::move(bag_[which]);
    bag_.erase(bag_.begin() + static_cast<std::ptrdiff_t>(which));
    Deliver(flight);
  }

  // ---- observations

  const Counts& sent(Rank rank) const { return counts_[rank]; }
  const Counts& sent_between_hosts() const { return between_hosts_; }
  // Returns the length of the longest chain of messages that ends at the node.
  uint64_t depth(Rank rank) const { return depth_[rank]; }
  // Returns the number of bytes of pieces that have arrived at the node.
  uint64_t come(Rank rank) const { return come_[rank]; }
  size_t UnderWay() const { return bag_.size(); }
  void Complain(std::string text) { memory_.Complain(std::move(text)); }

  // ---- for the fabrics

  void Post(Flight flight) {
    CheckWindow(flight);
    ++happened_;
    ++counts_[flight.from].messages;
    const size_t bytes = std::max(flight.bytes.size(), flight.nbytes);
    counts_[flight.from].bytes += bytes;
    const bool far = options_.hosts[flight.from] != options_.hosts[flight.to];
    between_hosts_.messages += far ? 1 : 0;
    between_hosts_.bytes += far ? bytes : 0;
    flight.depth = depth_[flight.from] + 1;
    bag_.push_back(std::move(flight));
    Preempt();
  }

  // Performs random events of other nodes when a node sends or accesses memory.
  void Preempt() {
    constexpr unsigned kDeepest = 3;
    if (options_.preempt_one_in == 0 || deep_ >= kDeepest ||
        random_() % options_.preempt_one_in != 0) {
      return;
    }
    ++deep_;
    for (uint64_t i = random_() % 8; i > 0; --i) Step();
    --deep_;
  }

  // Takes the message from `from` to `me` with the given header words (the base
  // may differ) and size. Returns nullopt at random, if there is no such
  // message, or with in_order if an older message of the pair is under way.
  std::optional<Flight> Take(Rank from, Rank me, const HeaderWords& words,
                             size_t nbytes) {
    if (random_() % 2 == 0) return std::nullopt;
    for (size_t i = 0; i < bag_.size(); ++i) {
      const Flight& it = bag_[i];
      if (it.from != from || it.to != me) continue;
      const bool is_it =
          it.type == Flight::Type::kMessage && it.count == kHeaderWords &&
          IsButForBase(it.words.data(), words) && it.bytes.size() == nbytes;
      if (!is_it && options_.in_order) return std::nullopt;
      if (!is_it) continue;
      Flight taken = std::move(bag_[i]);
      bag_.erase(bag_.begin() + static_cast<std::ptrdiff_t>(i));
      ++happened_;
      depth_[me] = std::max(depth_[me], taken.depth);
      return taken;
    }
    return std::nullopt;
  }

  // Records that a node enters a meeting. Complains about a second time.
  void Come(Rank rank, unsigned which, uint32_t number) {
    if (!meetings_.Come(rank, which, number))
      Complain("came twice to a meeting");
    ++happened_;
    Preempt();
  }
  SimMeetings& meetings() { return meetings_; }

  // Advances the clock by nanos_per_look and returns the new time.
  int64_t Now() { return now_ += options_.nanos_per_look; }

  // Begins the conduit transfers of a put or get, each of which happens now or
  // later. Returns null if all have happened.
  Moves* MovePartners(const CollectiveRequest& request, Rank me) {
    const TransferPartners& partners = request.partners;
    SimMoves& moves = moves_.emplace_back();
    moves.left = partners.count;
    for (size_t i = 0; i < partners.count; ++i) {
      Flight flight = {.type = Flight::Type::kTransfer, .from = me, .to = me};
      flight.address = reinterpret_cast<uintptr_t>(partners.dests[i]);
      flight.lent = partners.sources[i];
      flight.nbytes = request.nbytes;
      flight.moves = &moves;
      if (random_() % 4 != 0) {
        bag_.push_back(std::move(flight));
        continue;
      }
      Transfer(flight);
    }
    return moves.left == 0 ? nullptr : &moves;
  }

 private:
  // While an Acting exists, the code of its rank runs.
  class Acting {
   public:
    Acting(World& world, Rank rank)
        : world_(world), rank_(rank), before_(world.acting_) {
      world_.acting_ = rank;
      ++world_.busy_[rank];
    }
    ~Acting() {
      world_.acting_ = before_;
      --world_.busy_[rank_];
    }
    Acting(const Acting&) = delete;
    Acting& operator=(const Acting&) = delete;

   private:
    World& world_;
    Rank rank_;
    Rank before_;
  };

  void ClientTurn(Rank rank) {
    if (busy_[rank] == 0 && client && client(rank)) ++happened_;
  }

  void DeliverSome() {
    if (bag_.empty()) return;
    size_t at = random_() % bag_.size();
    if (options_.in_order) {
      const auto same = [&](const Flight& it) {
        return it.from == bag_[at].from && it.to == bag_[at].to;
      };
      at = static_cast<size_t>(std::find_if(bag_.begin(), bag_.end(), same) -
                               bag_.begin());
      Flight flight = std::move(bag_[at]);
      bag_.erase(bag_.begin() + static_cast<std::ptrdiff_t>(at));
      return Deliver(flight);
    }
    std::swap(bag_[at], bag_.back());
    Flight flight = std::move(bag_.back());
    bag_.pop_back();
    Deliver(flight);
  }

  // Handles an arrival on the target node, even while the node is in a call.
  void Deliver(Flight& flight) {
    ++happened_;
    if (flight.type == Flight::Type::kLoanEnd) return EndLoan(flight);
    if (flight.type == Flight::Type::kTransfer) return Transfer(flight);
    depth_[flight.to] = std::max(depth_[flight.to], flight.depth);
    const Acting acting(*this, flight.to);
    if (flight.type == Flight::Type::kPiece) return Land(flight);
    const std::optional<CollHeader> header =
        Unpack(flight.words.data(), flight.count);
    if (!header.has_value()) Fatal("a node sent a malformed header");
    nodes_[flight.to]->inbox().Push(flight.from, *header, flight.bytes.data(),
                                    flight.bytes.size());
  }

  void Land(Flight& flight) {
    Landing* const landing = nodes_[flight.to]->landings().Find(
        flight.from, flight.landing, flight.offset, flight.nbytes, true);
    if (landing == nullptr) return Complain("an unexpected piece");
    std::byte* const to = landing->to + flight.offset;
    if (flight.address != 0 &&
        flight.address + flight.offset != reinterpret_cast<uintptr_t>(to)) {
      return Complain("a piece for another place than its landing's");
    }
    if (flight.loan != nullptr) ReadLent(flight);
    WillWrite(to, flight.nbytes);
    std::memcpy(to, flight.lent != nullptr ? flight.lent : flight.bytes.data(),
                flight.nbytes);
    Landings::Count(*landing, flight.nbytes);
    come_[flight.to] += flight.nbytes;
    if (flight.loan == nullptr) return;
    flight.type = Flight::Type::kLoanEnd;
    bag_.push_back(std::move(flight));
  }

  void ReadLent(const Flight& flight) {
    const Acting acting(*this, flight.from);
    WillRead(flight.lent, flight.nbytes);
  }
  void EndLoan(const Flight& flight) {
    memory_.SetAgain(true);
    ReadLent(flight);
    memory_.SetAgain(false);
    flight.loan->readers.fetch_sub(1, std::memory_order_release);
  }

  void Transfer(const Flight& flight) {
    const Acting acting(*this, flight.from);
    memory_.SetRemote(true);
    CopyBytes(reinterpret_cast<std::byte*>(flight.address), flight.lent,
              flight.nbytes);
    memory_.SetRemote(false);
    --static_cast<SimMoves*>(flight.moves)->left;
  }

  // Checks that the receiver's window admits the message.
  void CheckWindow(const Flight& flight) {
    if (flight.type != Flight::Type::kMessage) return;
    const std::optional<CollHeader> header =
        Unpack(flight.words.data(), flight.count);
    if (!header.has_value()) return Complain("a malformed header");
    using enum MessageType;
    if (header->type == kBase || header->type == kAskBase) return;
    const auto it = teams_.find({header->team, flight.to});
    const uint32_t base = it == teams_.end() ? 1 : it->second->window.base();
    if (header->number - base < kWindow) return;
    if (header->type == MessageType::kTerms &&
        static_cast<int32_t>(header->number - base) < 0) {
      return;
    }
    Complain(absl::StrCat("rank ", flight.from, " sends of number ",
                          header->number, " to rank ", flight.to,
                          ", whose base is ", base));
  }

  WorldOptions options_;
  std::mt19937_64 random_;
  ClientMemory memory_;
  std::deque<SimFabric> fabrics_;
  std::vector<std::unique_ptr<Node>> nodes_;
  // keyed by team id and rank
  std::map<std::pair<uint16_t, Rank>, Team*> teams_;
  std::vector<Flight> bag_;
  std::deque<SimMoves> moves_;
  std::vector<unsigned> busy_;  // indexed by rank: number of calls under way
  std::vector<uint64_t> depth_;
  std::vector<Counts> counts_;
  Counts between_hosts_;
  std::vector<uint64_t> come_;
  uint64_t happened_ = 0;
  SimMeetings meetings_;
  int64_t now_ = 0;
  unsigned deep_ = 0;
  Rank acting_ = 0;
};

}  // namespace gasnet::coll::testing

#endif  // COLL_TESTING_WORLD_H_
