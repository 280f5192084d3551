#include "coll/at_once.h"

#include <algorithm>
#include <array>

#include "coll/access.h"
#include "coll/tuning.h"
#include "core/am/copy.h"

namespace gasnet::coll {
namespace {

template <class G>
void ForOthers(const Team& team, G f) {
  for (Rank to = team.me() + 1; to < team.nodes(); ++to) f(to);
  for (Rank to = 0; to < team.me(); ++to) f(to);
}

void PlacePayload(std::byte* to, const std::byte* payload, size_t nbytes) {
  if (nbytes == 0) return;
  WillWrite(to, nbytes);
  if (to != payload) am::CopyPayload(to, payload, nbytes);
}

// A block of each node, in their order.
void TakeAll(const SmallCall& call, const Come& come, std::byte* to,
             const std::byte* own) {
  const size_t nbytes = call.request.nbytes;
  const Rank me = call.team.me();
  for (Rank node = 0; node < call.team.nodes(); ++node) {
    if (node != me)
      PlacePayload(to + node * nbytes, come.payload[node], nbytes);
  }
  CopyBytes(to + me * nbytes, own, nbytes);
}

}  // namespace

bool AtOnce::MayBeAtOnce(const SmallCall& call) const {
  const Team& team = call.team;
  const Request& request = call.request;
  return call.algorithm.traits().runs_at_once && request.in != Sync::kAll &&
         request.out != Sync::kAll &&
         request.blocks.form == BlockMap::Form::kTeam && team.busy == 0 &&
         team.one_image_each() && team.nodes() <= kMostNodes &&
         request.nbytes <= (team.all_near() ? settings_.eager_near
                                            : std::min(settings_.eager_near,
                                                       settings_.eager_far));
}

AtOnce::Outcome AtOnce::Try(Team& team, uint32_t number, const Request& request,
                            const Terms& terms, const Algorithm& algorithm,
                            bool may_wait,
                            absl::FunctionRef<void()> take_mail) {
  const SmallCall call = {team, number, request, terms, algorithm};
  if (!MayBeAtOnce(call)) return Outcome::kNothing;
  take_mail();
  may_wait = may_wait && team.all_near();
  const auto await = [&](auto done) {
    for (unsigned looks = 0; !done(); ++looks) {
      if (!may_wait || !fabric_.Glance(looks)) return false;
      if (inbox_.HasMail()) take_mail();
    }
    return true;
  };
  const Expected expected = arrivals_.WhatComes(call);
  const bool passes_on = request.kind == Kind::kBroadcast || call.IsChain();
  Come come;
  come.missing = expected.nodes;
  come.header = call.HeaderOf(0);
  come.header.team = team.id();
  const auto may_send = [&] { return MaySendAll(call); };
  if (!may_send()) {
    AskForBases(call);
    if (!await(may_send)) return Outcome::kNothing;
  }
  if (!passes_on) SendAll(call);
  if (!await([&] { return arrivals_.HasCome(call, expected, come); })) {
    arrivals_.PutBack(call, expected, come);
    return passes_on ? Outcome::kNothing : Outcome::kSent;
  }
  Finish(call, come);
  team.MarkOver(number, terms);
  team.started = number + 1;
  team.window.SetBase(number + 1);
  if (expected.nodes != 0) arrivals_.GiveBack(call, come);
  team.window.ForAdmitted([&](Rank rank) { courier_.SendBase(team, rank); });
  return Outcome::kOver;
}

// Calls f for each node that something goes to.
template <class G>
void AtOnce::ForReceivers(const SmallCall& call, G f) const {
  Team& team = call.team;
  switch (call.request.kind) {
    case Kind::kBroadcast:
      for (const Rank child : team.TreeOf(call.request.root).children) {
        f(child);
      }
      return;
    case Kind::kScatter:
      if (call.IsRoot()) ForOthers(team, f);
      return;
    case Kind::kGatherAll:
    case Kind::kExchange:
    case Kind::kReduceAll:
      return ForOthers(team, f);
    case Kind::kPrefixReduce: {
      const Rank next = team.me() + 1;
      const Rank end =
          call.IsChain() ? std::min(next + 1, team.nodes()) : team.nodes();
      for (Rank to = next; to < end; ++to) f(to);
      return;
    }
    default:
      if (!call.IsRoot()) f(call.request.root);
  }
}

bool AtOnce::MaySendAll(const SmallCall& call) const {
  bool may = true;
  ForReceivers(call, [&](Rank to) {
    may = may && call.team.window.MaySend(to, call.number);
  });
  return may;
}

// A peer that has nothing to send sends its base when it is asked.
void AtOnce::AskForBases(const SmallCall& call) {
  ForReceivers(call, [&](Rank to) {
    if (call.team.window.MaySend(to, call.number)) return;
    courier_.AskBase(call.team, to, call.number);
  });
}

void AtOnce::Send(const SmallCall& call, Rank to, uint32_t key,
                  const std::byte* from) {
  WillRead(from, call.request.nbytes);
  courier_.SendNow(call.team, to, call.HeaderOf(key), from,
                   call.request.nbytes);
}

// The messages that depend on nothing that comes.
void AtOnce::SendAll(const SmallCall& call) {
  const Request& request = call.request;
  const size_t nbytes = request.nbytes;
  const Rank me = call.team.me();
  ForReceivers(call, [&](Rank to) {
    switch (request.kind) {
      case Kind::kScatter:
        return Send(call, to, to, call.root_area() + to * nbytes);
      case Kind::kExchange:
        return Send(call, to, to * call.team.nodes() + me,
                    request.sources[0] + to * nbytes);
      default:
        return Send(call, to, me, request.sources[0]);
    }
  });
}

void AtOnce::Finish(const SmallCall& call, const Come& come) {
  const Request& request = call.request;
  const size_t nbytes = request.nbytes;
  const Rank me = call.team.me();
  switch (request.kind) {
    case Kind::kBroadcast:
      return PassOn(call, come);
    case Kind::kScatter:
      if (!call.IsRoot()) {
        return PlacePayload(request.dests[0], come.payload[request.root],
                            nbytes);
      }
      return CopyBytes(request.dests[0], call.root_area() + me * nbytes,
                       nbytes);
    case Kind::kGather:
      if (!call.IsRoot()) return;
      return TakeAll(call, come, call.root_area(), request.sources[0]);
    case Kind::kGatherAll:
      return TakeAll(call, come, request.dests[0], request.sources[0]);
    case Kind::kExchange:
      return TakeAll(call, come, request.dests[0],
                     request.sources[0] + me * nbytes);
    case Kind::kReduce:
      if (!call.IsRoot()) return;
      return Combine(call, come, call.team.nodes(), call.root_area());
    case Kind::kReduceAll:
      return Combine(call, come, call.team.nodes(), request.dests[0]);
    default:
      if (call.IsChain()) return Extend(call, come);
      return Combine(call, come, me + (request.reduction.exclusive ? 0 : 1),
                     request.dests[0]);
  }
}

void AtOnce::PassOn(const SmallCall& call, const Come& come) {
  const Request& request = call.request;
  std::byte* const to = request.dests[0];
  const std::byte* const from = call.IsRoot() ? call.root_area() : to;
  if (!call.IsRoot()) {
    const Rank parent = call.team.TreeOf(request.root).parent;
    PlacePayload(to, come.payload[parent], request.nbytes);
  }
  ForReceivers(call, [&](Rank child) { Send(call, child, 0, from); });
  if (call.IsRoot()) CopyBytes(to, from, request.nbytes);
}

// A node's turn in a chain of prefixes.
void AtOnce::Extend(const SmallCall& call, const Come& come) {
  const Request& request = call.request;
  const Rank me = call.team.me();
  const size_t nbytes = ChainBlocks(me + 1) * request.nbytes;
  chain_.resize(std::max(chain_.size(), nbytes));
  combiner_.ExtendChain(request.reduction, me,
                        me == 0 ? nullptr : come.payload[me - 1],
                        request.sources[0], chain_.data(), request.dests[0]);
  ForReceivers(call, [&](Rank next) {
    courier_.SendNow(call.team, next, call.HeaderOf(0), chain_.data(), nbytes);
  });
}

// The contributions of the first `count` nodes, in their order.
void AtOnce::Combine(const SmallCall& call, const Come& come, Rank count,
                     std::byte* to) {
  if (count == 0) return;
  const size_t nbytes = call.request.nbytes;
  std::array<const void*, kMostNodes> sources;
  for (Rank node = 0; node < count; ++node) {
    const bool own = node == call.team.me();
    sources[node] = own ? call.request.sources[0] : come.payload[node];
    if (own) WillRead(sources[node], nbytes);
  }
  WillWrite(to, nbytes);
  combiner_.Combine(call.request.reduction, to, sources.data(), count,
                    nbytes / call.request.reduction.elem_size);
}

}  // namespace gasnet::coll
