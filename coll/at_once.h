// Rooted operations and prefixes of few bytes that are over within their call:
// a node that only sends, or whose messages have come already, needs no record,
// no stages, and nobody to drive it. A part of node.h, called by the thread
// that drives.
//
// The fast path of small eager operations. Parts, keys and order are those of
// the schedules (schedule_move.cc, schedule_reduce.cc), so a peer cannot tell
// the difference. An operation that does not fit, or a message that is not as
// expected, is left to the schedules, with nothing done.
#ifndef COLL_AT_ONCE_H_
#define COLL_AT_ONCE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "coll/access.h"
#include "coll/assembly.h"
#include "coll/inbox.h"

namespace gasnet::coll {

template <Fabric F>
class AtOnce : protected Assembly<F> {
 protected:
  using Base = Assembly<F>;
  using Base::combiner_, Base::settings_;
  using Base::SendNow, Base::TellBase, Base::TellBaseIfOwed;

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

  // Whether the operation of that number, the team's next one, is over.
  bool TryAtOnce(Team& team, Inbox& inbox, uint32_t number,
                 const Request& request, const Terms& terms) {
    Call call = {team, number, request, terms};
    Expected expected = WhatComes(call);
    Envelopes come{};
    if (!MaySendAll(call) || !HasCome(call, expected, come)) return false;
    Move(call, come);
    team.started = number + 1;
    team.window.SetBase(number + 1);
    if (expected.nodes != 0) GiveBack(call, inbox);
    team.window.ForAdmitted([&](Rank rank) { TellBase(team, rank); });
    return true;
  }

 private:
  static constexpr Rank kMostNodes = 16;
  using Envelopes = std::array<const Envelope*, kMostNodes>;  // by sender

  struct Call {
    Team& team;
    uint32_t number;
    const Request& request;
    const Terms& terms;

    bool IsRoot() const { return request.root == team.me(); }
  };
  // From whom something comes, and under which key where it is not its sender.
  struct Expected {
    uint32_t nodes = 0;  // bits
    bool by_sender = false;
    uint32_t key = 0;
  };

  size_t LeastEager() const {
    return std::min(settings_.eager_near, settings_.eager_far);
  }
  bool HasWay(const Team& team, const Request& request) const {
    switch (request.kind) {
      case Kind::kBroadcast:
        return settings_.segment == 0 || request.nbytes <= settings_.segment;
      case Kind::kScatter:
      case Kind::kGather:
        return true;
      case Kind::kReduce:
      case Kind::kPrefixReduce:
        return request.nbytes <= settings_.flat_reduce &&
               team.nodes() <=
                   (team.all_near() ? settings_.flat_near : settings_.flat_far);
      default:
        return false;
    }
  }

  static uint32_t Bit(Rank node) { return uint32_t{1} << node; }
  static uint32_t Below(Rank node) { return Bit(node) - 1; }
  static uint32_t Others(const Team& team) {
    return Below(team.nodes()) & ~Bit(team.me());
  }

  Expected WhatComes(Call& call) const {
    const Rank root = call.request.root;
    switch (call.request.kind) {
      case Kind::kBroadcast:
        if (call.IsRoot()) return {};
        return {.nodes = Bit(call.team.TreeOf(root).parent)};
      case Kind::kScatter:
        if (call.IsRoot()) return {};
        return {.nodes = Bit(root), .key = call.team.me()};
      case Kind::kPrefixReduce:
        return {.nodes = Below(call.team.me()), .by_sender = true};
      default:
        if (!call.IsRoot()) return {};
        return {.nodes = Others(call.team), .by_sender = true};
    }
  }

  // Calls f for each node that something goes to.
  template <class G>
  static void ForReceivers(Call& call, G f) {
    Team& team = call.team;
    switch (call.request.kind) {
      case Kind::kBroadcast:
        for (const Rank child : team.TreeOf(call.request.root).children) {
          f(child);
        }
        return;
      case Kind::kScatter:
        for (Rank i = 1; call.IsRoot() && i < team.nodes(); ++i) {
          f((team.me() + i) % team.nodes());
        }
        return;
      case Kind::kPrefixReduce:
        for (Rank to = team.me() + 1; to < team.nodes(); ++to) f(to);
        return;
      default:
        if (!call.IsRoot()) f(call.request.root);
    }
  }
  static bool MaySendAll(Call& call) {
    bool may = true;
    ForReceivers(call, [&](Rank to) {
      may = may && call.team.window.MaySend(to, call.number);
    });
    return may;
  }

  // Whether all of it, and nothing else, has come.
  static bool HasCome(const Call& call, const Expected& expected,
                      Envelopes& come) {
    uint32_t missing = expected.nodes;
    const EnvelopeQueue& queue = call.team.early[call.number % kWindow];
    for (const Envelope* it = queue.first(); it != nullptr; it = it->next) {
      const Rank from = call.team.index_of(it->from);
      const Header& header = it->header;
      const uint32_t key = expected.by_sender ? from : expected.key;
      if ((missing & Bit(from)) == 0 || header.number != call.number ||
          header.type != MessageType::kEager || header.phase != 0 ||
          header.key != key || it->nbytes != call.request.nbytes ||
          header.terms != call.terms) {
        return false;
      }
      missing &= ~Bit(from);
      come[from] = it;
    }
    return missing == 0;
  }

  void GiveBack(Call& call, Inbox& inbox) {
    EnvelopeQueue& queue = call.team.early[call.number % kWindow];
    while (Envelope* const envelope = queue.Pop()) {
      const Rank from = call.team.index_of(envelope->from);
      inbox.Free(*envelope);
      TellBaseIfOwed(call.team, from);
    }
  }

  void Send(Call& call, Rank to, uint32_t key, const std::byte* from) {
    Header header;
    header.type = MessageType::kEager;
    header.number = call.number;
    header.key = key;
    header.terms = call.terms;
    WillRead(from, call.request.nbytes);
    SendNow(call.team, to, header, from, call.request.nbytes);
  }

  static void Take(std::byte* to, const Envelope& envelope) {
    if (envelope.nbytes == 0) return;
    WillWrite(to, envelope.nbytes);
    std::memcpy(to, envelope.payload(), envelope.nbytes);
  }

  void Move(Call& call, const Envelopes& come) {
    const Request& request = call.request;
    const size_t nbytes = request.nbytes;
    const Rank me = call.team.me();
    auto* const area = static_cast<std::byte*>(request.root_area);
    switch (request.kind) {
      case Kind::kBroadcast: {
        const Rank parent = call.team.TreeOf(request.root).parent;
        if (!call.IsRoot()) Take(request.dests[0], *come[parent]);
        const std::byte* const from = call.IsRoot() ? area : request.dests[0];
        ForReceivers(call, [&](Rank to) { Send(call, to, 0, from); });
        if (call.IsRoot()) CopyBytes(request.dests[0], area, nbytes);
        return;
      }
      case Kind::kScatter:
        if (!call.IsRoot()) return Take(request.dests[0], *come[request.root]);
        ForReceivers(call,
                     [&](Rank to) { Send(call, to, to, area + to * nbytes); });
        return CopyBytes(request.dests[0], area + me * nbytes, nbytes);
      case Kind::kGather:
        if (!call.IsRoot()) return SendOwn(call);
        for (Rank node = 0; node < call.team.nodes(); ++node) {
          if (node != me) Take(area + node * nbytes, *come[node]);
        }
        return CopyBytes(area + me * nbytes, request.sources[0], nbytes);
      case Kind::kReduce:
        if (!call.IsRoot()) return SendOwn(call);
        return Combine(call, come, call.team.nodes(), area);
      default:
        SendOwn(call);
        return Combine(call, come, me + (request.reduction.exclusive ? 0 : 1),
                       request.dests[0]);
    }
  }

  void SendOwn(Call& call) {
    ForReceivers(call, [&](Rank to) {
      Send(call, to, call.team.me(), call.request.sources[0]);
    });
  }

  // The contributions of the first `count` nodes, in their order.
  void Combine(const Call& call, const Envelopes& come, Rank count,
               std::byte* to) {
    if (count == 0) return;
    const size_t nbytes = call.request.nbytes;
    std::array<const void*, kMostNodes> sources{};
    for (Rank node = 0; node < count; ++node) {
      const bool own = node == call.team.me();
      sources[node] = own ? call.request.sources[0] : come[node]->payload();
      if (own) WillRead(sources[node], nbytes);
    }
    WillWrite(to, nbytes);
    combiner_.Combine(call.request.reduction, to, sources.data(), count,
                      nbytes / call.request.reduction.elem_size);
  }
};

}  // namespace gasnet::coll

#endif  // COLL_AT_ONCE_H_
