// In a crowd, where several nodes share memory and fewer processors, small
// parts of all for all go by way of one node, the center: all send to it, and
// it sends all of them what they need. Each node has its turn on a processor
// once to send and once to receive, which in rounds it has as often as there
// are rounds; and there are 2 * (n - 1) messages in place of n * (n - 1).
//
//   gather_all   the center's dest has all blocks, and goes to all
//   exchange     all blocks of a node go there, those for a node come back; as
//                eager messages, since both ends copy them anyway
//   reduce_all   the center combines
//   barrier      the center merges the votes
#include <cstddef>

#include "coll/access.h"
#include "coll/schedule.h"

namespace gasnet::coll {

bool Schedule::IsCentral(const Team& team, const Request& request,
                         const Settings& settings) {
  if (!HasCenter(team, settings) || !team.one_image_each()) return false;
  const bool one_block_each = request.blocks.form == BlockMap::Form::kTeam;
  switch (request.kind) {
    case Kind::kGatherAll:
      return one_block_each &&
             request.nbytes <= settings.rounds_gather / team.nodes();
    case Kind::kExchange:
      return one_block_each &&
             request.nbytes <= settings.eager_far / team.nodes();
    case Kind::kReduceAll:
      return request.nbytes <= settings.flat_reduce;
    default:
      return false;
  }
}

// How much each node but the center sends, and how much it gets.
Schedule::CentralBytes Schedule::BytesByCenter() const {
  const size_t nbytes = op_.request->nbytes;
  const size_t all = team_.nodes() * nbytes;
  switch (op_.request->kind) {
    case Kind::kGatherAll:
      return {nbytes, all};
    case Kind::kExchange:
      return {all, all};
    default:
      return {nbytes, nbytes};
  }
}

void Schedule::BeginCentral() {
  if (op_.phase == 1) return SendFromCenter();
  const size_t nbytes = BytesByCenter().there;
  NoIns(me() == kCenter ? team_.nodes() : 0);
  if (me() != kCenter) {
    return Out(kCenter, me(), op_.request->sources[0], nbytes);
  }
  const Kind kind = op_.request->kind;
  // The blocks of an exchange that go back lie behind those that have come.
  const size_t halves = kind == Kind::kExchange ? 2 : 1;
  std::byte* const to = kind == Kind::kGatherAll
                            ? op_.request->dests[0]
                            : Memory(halves * team_.nodes() * nbytes);
  for (Rank k = 0; k < team_.nodes(); ++k) {
    if (k != kCenter) In(k, k, to + k * nbytes, nbytes);
  }
}

void Schedule::SendFromCenter() {
  const size_t nbytes = BytesByCenter().back;
  NoIns(me() == kCenter ? 0 : 1);
  if (me() != kCenter) return In(0, kCenter, op_.request->dests[0], nbytes);
  const bool exchanges = op_.request->kind == Kind::kExchange;
  const std::byte* const results =
      exchanges ? op_.memory.get() + team_.nodes() * nbytes
                : op_.request->dests[0];
  for (Rank other = 0; other < team_.nodes(); ++other) {
    if (other == kCenter) continue;
    Out(other, 0, results + (exchanges ? other * nbytes : 0), nbytes);
  }
}

void Schedule::FinishCentral() {
  if (op_.phase != 0 || me() != kCenter) return;
  switch (op_.request->kind) {
    case Kind::kGatherAll:
      return FinishMovement();
    case Kind::kExchange:
      return ExchangeAtCenter();
    default:
      return CombineFirst(team_.nodes(), op_.request->dests[0],
                          op_.request->nbytes);
  }
}

// Sorts the blocks by where they go.
void Schedule::ExchangeAtCenter() {
  const Rank nodes = team_.nodes();
  const size_t nbytes = op_.request->nbytes;
  const size_t all = nodes * nbytes;
  std::byte* const memory = op_.memory.get();
  for (Rank from = 0; from < nodes; ++from) {
    const std::byte* const blocks =
        from == kCenter ? op_.request->sources[0] : memory + from * all;
    for (Rank to = 0; to < nodes; ++to) {
      std::byte* const row =
          to == kCenter ? op_.request->dests[0] : memory + (nodes + to) * all;
      CopyBytes(row + from * nbytes, blocks + to * nbytes, nbytes);
    }
  }
}

}  // namespace gasnet::coll
