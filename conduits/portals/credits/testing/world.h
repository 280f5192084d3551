// A simulated job of ranks with credits, in virtual time. Clients send in
// rounds, a network delays each message separately, servers take time to serve,
// and ranks stop listening from time to time. All this depends only on the
// seed.
//
// Every credit byte and answer of a rank is passed to the rank's peer. After
// each of them, testing/invariants.h checks all invariants. A request takes as
// much of the receive buffers as its credits allow.
#ifndef CONDUITS_PORTALS_CREDITS_TESTING_WORLD_H_
#define CONDUITS_PORTALS_CREDITS_TESTING_WORLD_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "conduits/portals/credits/credit_tables.h"
#include "conduits/portals/credits/credits.h"
#include "conduits/portals/credits/testing/events.h"
#include "conduits/portals/credits/testing/invariants.h"
#include "conduits/portals/credits/testing/patterns.h"
#include "conduits/portals/credits/testing/random.h"
#include "conduits/portals/credits/testing/sim_receive_buffers.h"
#include "core/rank.h"

namespace gasnet::portals_conduit::credits {

struct WorldOptions {
  Rank ranks = 2;
  Pattern pattern = Silence();
  uint64_t rounds = 1;
  uint16_t clients = 1;  // clients per rank, each with its own rounds
  uint32_t servers = 1;  // servers per rank
  size_t chunk = 2048;
  CreditSettings settings = {};
  uint64_t seed = 1;
  uint64_t delay = 1000;  // largest delay of a message
  uint64_t service = 20;
  uint64_t pause = 100;  // between two rounds of a client
  uint64_t absence = 5000;
  uint64_t absences = 64;  // one absence in this many requests; 0: none
};

// Counts of the events during one epoch. The lender of an event determines its
// epoch. Epochs are numbered from 0.
struct EpochCounts {
  uint64_t requests = 0;
  uint64_t stalls = 0;
  uint64_t moved = 0;  // credits that moved
  uint64_t system = 0;
};

class World {
 public:
  explicit World(WorldOptions options);
  World(const World&) = delete;

  // Runs until all clients have finished their rounds. Returns the first fault,
  // or an empty string if there is none.
  std::string Run();

  uint64_t served() const { return served_; }
  const Credits& credits(Rank rank) const { return books_[rank]; }
  // Returns the counts of each epoch, summed over all lenders.
  const std::vector<EpochCounts>& epochs() const { return epochs_; }
  EpochCounts Sum() const;

 private:
  struct Client {
    std::vector<Request> requests;
    size_t next = 0;
    uint64_t rounds = 0;
    unsigned waits_for = 0;  // number of missing replies
    bool is_stalled = false;
  };
  struct Node {
    SimReceiveBuffers buffers;
    std::deque<Event> inbox;
    unsigned idle;
    bool listens = true;
    std::vector<Client> clients;
  };

  // --- world.cc ---
  void Happen(const Event& event);
  std::string Unfinished() const;
  EpochCounts& EpochOf(Rank lender);
  uint64_t Delay() { return random_.UpTo(options_.delay); }
  // Returns true if `why` is null: nothing was refused. If `why` is not null,
  // records the refusal and returns false.
  bool Accept(const char* why, Rank at, Rank peer);

  // --- world_clients.cc ---
  void NextRound(Rank rank, uint16_t client);
  void Proceed(Rank rank, uint16_t client);
  bool SendNext(Rank rank, uint16_t index);
  void ReplyComes(const Event& event);
  void RevokeComes(const Event& event);

  // --- world_servers.cc ---
  void RequestComes(Event event);
  void Serve(Rank rank);
  void Reply(const Event& event);
  void Scavenge(Rank rank);
  void Handled(const Event& event);
  void ReturnComes(const Event& event);

  const WorldOptions options_;
  const BufferPlan plan_;
  Random random_;
  Events events_;
  std::vector<Credits> books_;
  std::vector<Node> nodes_;
  std::vector<EpochCounts> epochs_;
  uint64_t served_ = 0;
  Invariants invariants_;
};

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_TESTING_WORLD_H_
