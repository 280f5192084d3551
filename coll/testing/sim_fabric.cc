#include "coll/testing/sim_fabric.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "coll/testing/world.h"

namespace gasnet::coll::testing {

void SimFabric::Send(Rank peer, const CollHeader& header,
                     const std::byte* bytes, size_t nbytes) {
  World::Flight flight = {.from = me_, .to = peer};
  flight.words = Pack(header);
  const bool is_long =
      header.type == MessageType::kOffer || header.type == MessageType::kReady;
  flight.count = is_long ? kLongHeaderWords : kHeaderWords;
  if (nbytes > 0) flight.bytes.assign(bytes, bytes + nbytes);
  world_.Post(std::move(flight));
}

bool SimFabric::Take(Rank peer, CollHeader& header, std::byte* to,
                     size_t nbytes) {
  const std::optional<World::Flight> taken =
      world_.Take(peer, me_, Pack(header), nbytes);
  if (!taken.has_value()) return false;
  header.base = BaseOf(taken->words.data());
  std::memcpy(to, taken->bytes.data(), nbytes);
  return true;
}

// Lets other nodes run for a moment, as if time passed.
bool SimFabric::Glance(unsigned looks) {
  world_.Preempt();
  return looks < world_.random()() % 4;
}

size_t SimFabric::SendPiece(Rank peer, uint64_t landing, uint64_t address,
                            const std::byte* bytes, size_t nbytes,
                            size_t offset, am::Loan& loan) {
  const size_t most = 1 + world_.random()() % world_.options().largest_piece;
  World::Flight flight = {
      .type = World::Flight::Type::kPiece, .from = me_, .to = peer};
  flight.landing = landing;
  flight.address = address;
  flight.offset = offset;
  flight.nbytes = std::min(nbytes, most);
  if (world_.options().lands || address != 0) {
    loan.readers.fetch_add(1, std::memory_order_relaxed);
    flight.loan = &loan;
    flight.lent = bytes;
  } else {
    flight.bytes.assign(bytes, bytes + flight.nbytes);
  }
  const size_t some = flight.nbytes;
  world_.Post(std::move(flight));
  return some;
}

std::byte* SimFabric::Mapped(Rank peer, uint64_t address, size_t nbytes) {
  auto* const at = reinterpret_cast<std::byte*>(address);
  const bool is = peer != me_ && world_.IsNear(me_, peer) &&
                  world_.memory().InSegment(peer, at, nbytes);
  return is ? at : nullptr;
}

uint64_t SimFabric::InSegment(const std::byte* bytes, size_t nbytes) {
  const bool is =
      world_.HasSegment(me_) && world_.memory().InSegment(me_, bytes, nbytes);
  return is ? reinterpret_cast<uintptr_t>(bytes) : 0;
}

Moves* SimFabric::MovePartners(const CollectiveRequest& request) {
  return world_.MovePartners(request, me_);
}
bool SimFabric::HaveMoved(Moves& moves) {
  return static_cast<const SimMoves&>(moves).left == 0;
}

bool SimFabric::MeetsInMemory() const {
  return world_.options().meets_in_memory;
}
void SimFabric::Come(unsigned which, uint32_t number) {
  world_.Come(me_, which, number);
}
bool SimFabric::HaveAllCome(unsigned which, uint32_t number, Rank& seen) {
  return world_.meetings().HaveAllCome(world_.nodes(), which, number, seen);
}

int64_t SimFabric::Now() { return world_.Now(); }

}  // namespace gasnet::coll::testing
