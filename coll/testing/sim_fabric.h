// The fabric of a simulated node, and the set-up of its world (world.h).
#ifndef COLL_TESTING_SIM_FABRIC_H_
#define COLL_TESTING_SIM_FABRIC_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coll/fabric.h"
#include "coll/header.h"
#include "coll/node.h"
#include "coll/request.h"
#include "coll/settings.h"
#include "core/am/message.h"
#include "core/rank.h"

namespace gasnet::coll::testing {

struct WorldOptions {
  Rank nodes = 1;
  std::vector<uint32_t> hosts{};  // by rank; empty: all on one
  std::vector<bool> segments{};   // who has one; empty: all
  uint32_t processors = ~0u;      // of each host
  Settings settings{};
  uint64_t seed = 0;
  bool in_order = false;  // of each pair
  bool lands = true;      // pieces of memory in no segment are lent as well
  size_t largest_piece = 700;
  unsigned preempt_one_in = 0;  // 0: never
  int64_t nanos_per_look = 0;   // at the clock
  size_t arena_bytes = size_t{16} << 20;
};

// Transfers of the conduit's that are under way.
struct SimMoves : Moves {
  size_t left = 0;
};

class World;

class SimFabric {
 public:
  SimFabric(World& world, Rank me) : world_(world), me_(me) {}
  Rank me() const { return me_; }
  void Send(Rank peer, const Header& header, const std::byte* bytes,
            size_t nbytes);
  bool Take(Rank peer, Header& header, std::byte* to, size_t nbytes);
  bool Glance(unsigned looks);
  size_t SendPiece(Rank peer, uint64_t landing, uint64_t address,
                   const std::byte* bytes, size_t nbytes, size_t offset,
                   am::Loan& loan);
  std::byte* Mapped(Rank peer, uint64_t address, size_t nbytes);
  uint64_t InSegment(const std::byte* bytes, size_t nbytes);
  Moves* MovePartners(const Request& request);
  static bool HaveMoved(const Moves& moves);
  bool TrySend(Rank peer, const Header& header) {
    Send(peer, header, nullptr, 0);
    return true;
  }
  int64_t Now();
  void WakeOwn() {}

 private:
  World& world_;
  Rank me_;
};
static_assert(Fabric<SimFabric>);

using SimNode = Node<SimFabric>;

}  // namespace gasnet::coll::testing

#endif  // COLL_TESTING_SIM_FABRIC_H_
