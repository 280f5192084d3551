// The fabric of a simulated node, and the options of its world (world.h).
#ifndef COLL_TESTING_SIM_FABRIC_H_
#define COLL_TESTING_SIM_FABRIC_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coll/fabric.h"
#include "coll/header.h"
#include "coll/request.h"
#include "coll/settings.h"
#include "core/am/message.h"
#include "core/rank.h"

namespace gasnet::coll::testing {

struct WorldOptions {
  Rank nodes = 1;
  std::vector<uint32_t> hosts{};  // indexed by rank; empty: all on one host
  std::vector<bool> segments{};   // ranks with a segment; empty: all
  uint32_t processors = ~0u;      // per host
  CollSettings settings{};
  uint64_t seed = 0;
  bool in_order = false;  // each pair's messages arrive in order
  // nodes of the first team meet in shared memory
  bool meets_in_memory = false;
  bool lands = true;  // pieces outside of segments are lent too
  size_t largest_piece = 700;
  unsigned preempt_one_in = 0;  // one chance in this many; 0: never
  int64_t nanos_per_look = 0;   // time that passes with each read of the clock
  size_t arena_bytes = size_t{16} << 20;
};

// The conduit transfers of one operation. `left` is the number of transfers
// that are under way.
struct SimMoves : Moves {
  size_t left = 0;
};

class World;

class SimFabric final : public Fabric {
 public:
  SimFabric(World& world, Rank me) : world_(world), me_(me) {}

  void Send(Rank peer, const CollHeader& header, const std::byte* bytes,
            size_t nbytes) override;
  bool Take(Rank peer, CollHeader& header, std::byte* to,
            size_t nbytes) override;
  bool Glance(unsigned looks) override;
  size_t SendPiece(Rank peer, uint64_t landing, uint64_t address,
                   const std::byte* bytes, size_t nbytes, size_t offset,
                   am::Loan& loan) override;
  std::byte* Mapped(Rank peer, uint64_t address, size_t nbytes) override;
  uint64_t InSegment(const std::byte* bytes, size_t nbytes) override;
  Moves* MovePartners(const CollectiveRequest& request) override;
  bool HaveMoved(Moves& moves) override;
  bool TrySend(Rank peer, const CollHeader& header) override {
    Send(peer, header, nullptr, 0);
    return true;
  }
  bool MeetsInMemory() const override;
  void Come(unsigned which, uint32_t number) override;
  bool HaveAllCome(unsigned which, uint32_t number, Rank& seen) override;
  int64_t Now() override;
  void WakeOwn() override {}

 private:
  World& world_;
  Rank me_;
};

}  // namespace gasnet::coll::testing

#endif  // COLL_TESTING_SIM_FABRIC_H_
