// The messages that a small operation waits for, while it is in its call. A
// part of at_once.h, by the thread that drives.
//
// Their headers are known. A message that is the next of its sender is taken
// out of the network (Fabric::Take), into the dest or beside the other
// contributions: no handler, no envelope. Others have come by the inbox. Those
// that were taken when the call gives up go to where a handler would have put
// them.
#ifndef COLL_ARRIVALS_H_
#define COLL_ARRIVALS_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coll/access.h"
#include "coll/inbox.h"
#include "coll/inquiry.h"
#include "coll/schedule.h"
#include "coll/tuning.h"
#include "core/am/copy.h"

namespace gasnet::coll {

template <Fabric F>
class Arrivals : protected Inquiry<F> {
 protected:
  using Base = Inquiry<F>;
  using Base::fabric_, Base::settings_;
  using Base::SendBaseIfOwed;

  using Base::Base;
  ~Arrivals() = default;

  struct Call {
    Team& team;
    uint32_t number;
    const Request& request;
    const Terms& terms;

    bool IsRoot() const { return request.root == team.me(); }
  };
  // From whom something comes, and under which key: as many times its sender,
  // and so much more.
  struct Expected {
    uint32_t nodes = 0;  // bits
    uint32_t per_sender = 0;
    uint32_t key = 0;
    size_t nbytes = 0;

    uint32_t KeyOf(Rank from) const { return key + per_sender * from; }
  };

  static_assert(kMostNodes <= 32);  // bits of nodes
  struct Come {
    uint32_t missing = 0;  // nodes
    uint32_t taken = 0;    // nodes whose message was taken out of the network
    const std::byte* payload[kMostNodes];  // by sender
  };

  Expected WhatComes(Call& call) const {
    Expected expected = Senders(call);
    const Rank me = call.team.me();
    expected.nbytes = call.request.nbytes;
    if (!IsChain(call.team, call.request)) return expected;
    if (me == 0) return {};
    return {.nodes = Bit(me - 1),
            .nbytes = ChainBlocks(me) * call.request.nbytes};
  }

  // Whether all of it, and nothing else, has come.
  bool HasCome(Call& call, const Expected& expected, Come& come) {
    if (come.missing != 0 && expected.nbytes > 0) {
      TakeOut(call, expected, come);
    }
    return IsRestEarly(call, expected, come);
  }

  // For the schedules.
  void PutBack(Call& call, Inbox& inbox, const Expected& expected,
               const Come& come) {
    for (uint32_t left = come.taken; left != 0; left &= left - 1) {
      const auto from = static_cast<Rank>(std::countr_zero(left));
      Header header = HeaderOf(call, expected.KeyOf(from));
      header.team = call.team.id();
      header.base = static_cast<uint16_t>(call.team.window.base_of(from));
      call.team.early[call.number % kWindow].Push(
          inbox.Fill(call.team.rank_of(from), header, come.payload[from],
                     expected.nbytes));
    }
  }

  void GiveBack(Call& call, Inbox& inbox, const Come& come) {
    for (uint32_t left = come.taken; left != 0; left &= left - 1) {
      SendBaseIfOwed(call.team, static_cast<Rank>(std::countr_zero(left)));
    }
    EnvelopeQueue& queue = call.team.early[call.number % kWindow];
    while (Envelope* const envelope = queue.Pop()) {
      const Rank from = call.team.index_of(envelope->from);
      inbox.Free(*envelope);
      SendBaseIfOwed(call.team, from);
    }
  }

  static Header HeaderOf(const Call& call, uint32_t key) {
    Header header;
    header.type = MessageType::kEager;
    header.number = call.number;
    header.key = key;
    header.terms = call.terms;
    return header;
  }

  static void Place(std::byte* to, const std::byte* payload, size_t nbytes) {
    if (nbytes == 0) return;
    WillWrite(to, nbytes);
    if (to != payload) am::CopyPayload(to, payload, nbytes);
  }

  static std::byte* RootArea(const Request& request) {
    return static_cast<std::byte*>(request.root_area);
  }

  bool IsChain(const Team& team, const Request& request) const {
    return Schedule::IsChain(team, request, settings_);
  }
  static uint32_t Bit(Rank node) { return uint32_t{1} << node; }
  static uint32_t Below(Rank node) { return Bit(node) - 1; }
  static uint32_t Others(const Team& team) {
    return Below(team.nodes()) & ~Bit(team.me());
  }

 private:
  Expected Senders(Call& call) const {
    const Rank root = call.request.root;
    switch (call.request.kind) {
      case Kind::kBroadcast:
        if (call.IsRoot()) return {};
        return {.nodes = Bit(call.team.TreeOf(root).parent)};
      case Kind::kScatter:
        if (call.IsRoot()) return {};
        return {.nodes = Bit(root), .key = call.team.me()};
      case Kind::kPrefixReduce:
        return {.nodes = Below(call.team.me()), .per_sender = 1};
      case Kind::kExchange:
        return {.nodes = Others(call.team),
                .per_sender = 1,
                .key = call.team.me() * call.team.nodes()};
      case Kind::kGatherAll:
      case Kind::kReduceAll:
        return {.nodes = Others(call.team), .per_sender = 1};
      default:
        if (!call.IsRoot()) return {};
        return {.nodes = Others(call.team), .per_sender = 1};
    }
  }

  void TakeOut(Call& call, const Expected& expected, Come& come) {
    for (uint32_t left = come.missing; left != 0; left &= left - 1) {
      const auto from = static_cast<Rank>(std::countr_zero(left));
      Header header = HeaderOf(call, expected.KeyOf(from));
      header.team = call.team.id();
      std::byte* const to = RoomFor(call, from, expected.nbytes);
      if (!fabric_.Take(call.team.rank_of(from), header, to, expected.nbytes)) {
        continue;
      }
      call.team.window.Heard(from, header.base);
      come.missing &= ~Bit(from);
      come.taken |= Bit(from);
      come.payload[from] = to;
    }
  }

  // Whether messages that came by the inbox are all that are missing.
  static bool IsRestEarly(const Call& call, const Expected& expected,
                          Come& come) {
    uint32_t missing = come.missing;
    const EnvelopeQueue& queue = call.team.early[call.number % kWindow];
    for (const Envelope* it = queue.first(); it != nullptr; it = it->next) {
      const Rank from = call.team.index_of(it->from);
      const Header& header = it->header;
      if ((missing & Bit(from)) == 0 || header.number != call.number ||
          header.type != MessageType::kEager || header.phase != 0 ||
          header.key != expected.KeyOf(from) || it->nbytes != expected.nbytes ||
          header.terms != call.terms) {
        return false;
      }
      missing &= ~Bit(from);
      come.payload[from] = it->payload();
    }
    return missing == 0;
  }

  // Where a payload from there can be copied: the dest, if it is copied there.
  std::byte* RoomFor(Call& call, Rank from, size_t nbytes) {
    const Request& request = call.request;
    switch (request.kind) {
      case Kind::kBroadcast:
      case Kind::kScatter:
        return request.dests[0];
      case Kind::kGather:
        return RootArea(request) + from * nbytes;
      case Kind::kGatherAll:
      case Kind::kExchange:
        return request.dests[0] + from * nbytes;
      default:
        contributions_.resize(
            std::max(contributions_.size(), call.team.nodes() * nbytes));
        return contributions_.data() + from * nbytes;
    }
  }

  std::vector<std::byte> contributions_;  // by sender, of one operation
};

}  // namespace gasnet::coll

#endif  // COLL_ARRIVALS_H_
