#include "coll/arrivals.h"

#include <algorithm>
#include <bit>

#include "coll/combine.h"

namespace gasnet::coll {
namespace {

uint32_t Bit(Rank node) { return uint32_t{1} << node; }
uint32_t Below(Rank node) { return Bit(node) - 1; }
uint32_t Others(const Team& team) {
  return Below(team.nodes()) & ~Bit(team.me());
}

Expected Senders(const SmallCall& call) {
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

}  // namespace

Expected Arrivals::WhatComes(const SmallCall& call) const {
  Expected expected = Senders(call);
  const Rank me = call.team.me();
  expected.nbytes = call.request.nbytes;
  if (!call.IsChain()) return expected;
  if (me == 0) return {};
  return {.nodes = Bit(me - 1),
          .nbytes = ChainBlocks(me) * call.request.nbytes};
}

void Arrivals::PutBack(const SmallCall& call, const Expected& expected,
                       const Come& come) {
  for (uint32_t left = come.taken; left != 0; left &= left - 1) {
    const auto from = static_cast<Rank>(std::countr_zero(left));
    Header header = call.HeaderOf(expected.KeyOf(from));
    header.team = call.team.id();
    header.base = static_cast<uint16_t>(call.team.window.base_of(from));
    call.team.early[call.number % kWindow].Push(inbox_.Fill(
        call.team.rank_of(from), header, come.payload[from], expected.nbytes));
  }
}

void Arrivals::GiveBack(const SmallCall& call, const Come& come) {
  for (uint32_t left = come.taken; left != 0; left &= left - 1) {
    courier_.SendBaseIfOwed(call.team,
                            static_cast<Rank>(std::countr_zero(left)));
  }
  EnvelopeQueue& queue = call.team.early[call.number % kWindow];
  while (Envelope* const envelope = queue.Pop()) {
    const Rank from = call.team.index_of(envelope->from);
    inbox_.Free(*envelope);
    courier_.SendBaseIfOwed(call.team, from);
  }
}

// Returns true if messages that came by the inbox are all that are missing.
bool Arrivals::IsRestEarly(const SmallCall& call, const Expected& expected,
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

// Returns where a payload from there can be copied: the dest, if it is copied
// there.
std::byte* Arrivals::RoomFor(const SmallCall& call, Rank from, size_t nbytes) {
  const Request& request = call.request;
  switch (request.kind) {
    case Kind::kBroadcast:
    case Kind::kScatter:
      return request.dests[0];
    case Kind::kGather:
      return call.root_area() + from * nbytes;
    case Kind::kGatherAll:
    case Kind::kExchange:
      return request.dests[0] + from * nbytes;
    default:
      contributions_.resize(
          std::max(contributions_.size(), call.team.nodes() * nbytes));
      return contributions_.data() + from * nbytes;
  }
}

}  // namespace gasnet::coll
