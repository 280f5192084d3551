// Operations of few bytes that are over within their call: a node that only
// sends, or whose messages have come already or come within a moment, needs no
// record, no stages, and nobody to drive it. A part of node.h, called by the
// thread that drives.
//
// The fast path of small eager operations. Parts, keys and order are those of
// the schedules (schedule_move.cc, schedule_reduce.cc, schedule_prefix.cc), so
// a peer cannot tell the difference. An operation that does not fit, or a
// message that is not as expected, is left to the schedules, with nothing done,
// or with all that goes out sent (Operation::sent): sources are read before
// anything is waited for, but in a broadcast or a chain, which pass on what
// comes.
//
// Among nodes that map each other's segments the call waits for a moment for
// what has not come (Fabric::Glance): what they send, or a base, which it has
// asked for (window.h). It spins, or yields where ranks share processors, so
// that each has its turn once: who comes back finds all that the others have
// sent, and none needed a record. Nobody else drives the node meanwhile, so it
// does so only while nothing else is under way.
#ifndef COLL_AT_ONCE_H_
#define COLL_AT_ONCE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coll/access.h"
#include "coll/arrivals.h"
#include "coll/inbox.h"
#include "coll/schedule.h"
#include "coll/tuning.h"

namespace gasnet::coll {

template <Fabric F>
class AtOnce : protected Arrivals<F> {
 protected:
  using Base = Arrivals<F>;
  using Base::combiner_, Base::fabric_, Base::settings_;
  using Base::HasCome, Base::PutBack, Base::GiveBack, Base::WhatComes;
  using Base::IsChain, Base::HeaderOf, Base::Place, Base::RootArea;
  using Base::SendBase, Base::SendNow;
  using Call = typename Base::Call;
  using Come = typename Base::Come;
  using Expected = typename Base::Expected;

  AtOnce(F& fabric, const Settings& settings) : Base(fabric, settings) {}
  ~AtOnce() = default;

  // Whether it may be of use to try.
  bool MayBeAtOnce(const Team& team, const Request& request) const {
    return request.in != Sync::kAll && request.out != Sync::kAll &&
           request.blocks.form == BlockMap::Form::kTeam && team.busy == 0 &&
           team.one_image_each() && team.nodes() <= kMostNodes &&
           request.nbytes <=
               (team.all_near() ? settings_.eager_near : LeastEager()) &&
           HasWay(team, request);
  }

  enum class Outcome : uint8_t { kNothing, kSent, kOver };

  // Tries the operation of that number, the team's next one. take_mail
  // dispatches what is in the inbox.
  template <class TakeMail>
  Outcome TryAtOnce(Team& team, Inbox& inbox, uint32_t number,
                    const Request& request, const Terms& terms, bool may_wait,
                    TakeMail take_mail) {
    Call call = {team, number, request, terms};
    may_wait = may_wait && team.all_near();
    const auto await = [&](auto done) {
      for (unsigned looks = 0; !done(); ++looks) {
        if (!may_wait || !fabric_.Glance(looks)) return false;
        take_mail();
      }
      return true;
    };
    const Expected expected = WhatComes(call);
    const bool passes_on =
        request.kind == Kind::kBroadcast || IsChain(team, request);
    Come come;
    come.missing = expected.nodes;
    const auto may_send = [&] { return MaySendAll(call); };
    if (!may_send()) {
      AskForBases(call);
      if (!await(may_send)) return Outcome::kNothing;
    }
    if (!passes_on) SendAll(call);
    if (!await([&] { return HasCome(call, expected, come); })) {
      PutBack(call, inbox, expected, come);
      return passes_on ? Outcome::kNothing : Outcome::kSent;
    }
    Finish(call, come);
    team.MarkOver(number, terms);
    team.started = number + 1;
    team.window.SetBase(number + 1);
    if (expected.nodes != 0) GiveBack(call, inbox, come);
    team.window.ForAdmitted([&](Rank rank) { SendBase(team, rank); });
    return Outcome::kOver;
  }

 private:
  size_t LeastEager() const {
    return std::min(settings_.eager_near, settings_.eager_far);
  }
  bool HasWay(const Team& team, const Request& request) const {
    switch (request.kind) {
      case Kind::kBroadcast:
        return settings_.segment == 0 || request.nbytes <= settings_.segment;
      case Kind::kScatter:
      case Kind::kGather:
        // A leader has other parts than its host's nodes.
        return !Schedule::IsLed(team, request, settings_);
      case Kind::kGatherAll:
      case Kind::kExchange:
        // Far ones may go round a ring.
        return team.all_near() && IsFlat(team) &&
               !Schedule::IsCentral(team, request, settings_);
      case Kind::kReduce:
      case Kind::kReduceAll:
      case Kind::kPrefixReduce:
        return request.nbytes <= settings_.flat_reduce && IsFlat(team) &&
               !Schedule::IsCentral(team, request, settings_) &&
               !Schedule::IsSklansky(team, request, settings_);
      default:
        return false;
    }
  }
  bool IsFlat(const Team& team) const {
    return Schedule::IsFlat(team, settings_);
  }

  // Calls f for each node that something goes to.
  template <class G>
  void ForReceivers(Call& call, G f) const {
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
        const bool chain = IsChain(team, call.request);
        const Rank end =
            chain ? std::min(next + 1, team.nodes()) : team.nodes();
        for (Rank to = next; to < end; ++to) f(to);
        return;
      }
      default:
        if (!call.IsRoot()) f(call.request.root);
    }
  }
  template <class G>
  static void ForOthers(const Team& team, G f) {
    for (Rank to = team.me() + 1; to < team.nodes(); ++to) f(to);
    for (Rank to = 0; to < team.me(); ++to) f(to);
  }
  bool MaySendAll(Call& call) const {
    bool may = true;
    ForReceivers(call, [&](Rank to) {
      may = may && call.team.window.MaySend(to, call.number);
    });
    return may;
  }

  // A peer that has nothing to send sends its base when it is asked.
  void AskForBases(Call& call) {
    ForReceivers(call, [&](Rank to) {
      if (call.team.window.MaySend(to, call.number)) return;
      this->AskBase(call.team, to, call.number);
    });
  }

  void Send(Call& call, Rank to, uint32_t key, const std::byte* from) {
    WillRead(from, call.request.nbytes);
    SendBytes(call, to, key, from, call.request.nbytes);
  }
  void SendBytes(Call& call, Rank to, uint32_t key, const std::byte* from,
                 size_t nbytes) {
    SendNow(call.team, to, HeaderOf(call, key), from, nbytes);
  }

  // The messages that depend on nothing that comes.
  void SendAll(Call& call) {
    const Request& request = call.request;
    const size_t nbytes = request.nbytes;
    const Rank me = call.team.me();
    ForReceivers(call, [&](Rank to) {
      switch (request.kind) {
        case Kind::kScatter:
          return Send(call, to, to, RootArea(request) + to * nbytes);
        case Kind::kExchange:
          return Send(call, to, to * call.team.nodes() + me,
                      request.sources[0] + to * nbytes);
        default:
          return Send(call, to, me, request.sources[0]);
      }
    });
  }

  void Finish(Call& call, const Come& come) {
    const Request& request = call.request;
    const size_t nbytes = request.nbytes;
    const Rank me = call.team.me();
    switch (request.kind) {
      case Kind::kBroadcast:
        return PassOn(call, come);
      case Kind::kScatter:
        if (!call.IsRoot()) {
          return Place(request.dests[0], come.payload[request.root], nbytes);
        }
        return CopyBytes(request.dests[0], RootArea(request) + me * nbytes,
                         nbytes);
      case Kind::kGather:
        if (!call.IsRoot()) return;
        return TakeAll(call, come, RootArea(request), request.sources[0]);
      case Kind::kGatherAll:
        return TakeAll(call, come, request.dests[0], request.sources[0]);
      case Kind::kExchange:
        return TakeAll(call, come, request.dests[0],
                       request.sources[0] + me * nbytes);
      case Kind::kReduce:
        if (!call.IsRoot()) return;
        return Combine(call, come, call.team.nodes(), RootArea(request));
      case Kind::kReduceAll:
        return Combine(call, come, call.team.nodes(), request.dests[0]);
      default:
        if (IsChain(call.team, request)) return Extend(call, come);
        return Combine(call, come, me + (request.reduction.exclusive ? 0 : 1),
                       request.dests[0]);
    }
  }

  void PassOn(Call& call, const Come& come) {
    const Request& request = call.request;
    std::byte* const to = request.dests[0];
    const std::byte* const from = call.IsRoot() ? RootArea(request) : to;
    if (!call.IsRoot()) {
      const Rank parent = call.team.TreeOf(request.root).parent;
      Place(to, come.payload[parent], request.nbytes);
    }
    ForReceivers(call, [&](Rank child) { Send(call, child, 0, from); });
    if (call.IsRoot()) CopyBytes(to, from, request.nbytes);
  }

  // A node's turn in a chain of prefixes.
  void Extend(Call& call, const Come& come) {
    const Request& request = call.request;
    const Rank me = call.team.me();
    const size_t nbytes = ChainBlocks(me + 1) * request.nbytes;
    chain_.resize(std::max(chain_.size(), nbytes));
    combiner_.ExtendChain(request.reduction, me,
                          me == 0 ? nullptr : come.payload[me - 1],
                          request.sources[0], chain_.data(), request.dests[0]);
    ForReceivers(call, [&](Rank next) {
      SendBytes(call, next, 0, chain_.data(), nbytes);
    });
  }

  // A block of each node, in their order.
  static void TakeAll(const Call& call, const Come& come, std::byte* to,
                      const std::byte* own) {
    const size_t nbytes = call.request.nbytes;
    const Rank me = call.team.me();
    for (Rank node = 0; node < call.team.nodes(); ++node) {
      if (node != me) Place(to + node * nbytes, come.payload[node], nbytes);
    }
    CopyBytes(to + me * nbytes, own, nbytes);
  }

  // The contributions of the first `count` nodes, in their order.
  void Combine(const Call& call, const Come& come, Rank count, std::byte* to) {
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

  std::vector<std::byte> chain_;
};

}  // namespace gasnet::coll

#endif  // COLL_AT_ONCE_H_
