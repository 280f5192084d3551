// The data that nodes pass to each kind of operation, and the expected results.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>

#include "coll/testing/program.h"

namespace gasnet::coll::testing {

void CallMaker::MakeBroadcast() {
  MakeDests(nbytes_);
  Bytes content;
  const std::vector<uint32_t>& of_root = blocks_.of[root_];
  if (calls_->wish.in_place && !of_root.empty()) {
    Area& area = *dests_[of_root[0]];
    calls_->of[root_]->request.root_area = area.at;
    content = area.initial;
  } else {
    content = MakeRootArea(nbytes_, false)->initial;
  }
  for (Area* const dest : dests_) dest->expected = content;
  SetLists();
}

void CallMaker::MakeScatter() {
  const size_t blocks = blocks_.owner.size();
  Area& area = *MakeRootArea(blocks * nbytes_, false);
  for (size_t k = 0; k < blocks; ++k) {
    Area& dest = NewArea(blocks_.owner[k], nbytes_, true);
    dests_.push_back(&dest);
    if (nbytes_ > 0) {
      std::memcpy(dest.expected.data(), &area.initial[k * nbytes_], nbytes_);
    }
  }
  SetLists();
}

void CallMaker::MakeGather() {
  const size_t blocks = blocks_.owner.size();
  MakeSources(nbytes_);
  Area& area = *MakeRootArea(blocks * nbytes_, true);
  for (size_t k = 0; k < blocks; ++k) {
    SetRandom(area.expected, k * nbytes_, sources_[k]->initial);
    if (calls_->wish.in_place && blocks_.owner[k] == root_) {
      SetRandom(area.initial, k * nbytes_, sources_[k]->initial);
      source_at_[k] = area.at + k * nbytes_;
    }
  }
  SetLists();
}

void CallMaker::MakeGatherAll() {
  const size_t blocks = blocks_.owner.size();
  MakeSources(nbytes_);
  MakeDests(blocks * nbytes_);
  for (size_t k = 0; k < blocks; ++k) {
    for (Area* const dest : dests_) {
      SetRandom(dest->expected, k * nbytes_, sources_[k]->initial);
    }
    if (calls_->wish.in_place) {
      SetRandom(dests_[k]->initial, k * nbytes_, sources_[k]->initial);
      source_at_[k] = dests_[k]->at + k * nbytes_;
    }
  }
  SetLists();
}

void CallMaker::MakeExchange() {
  const size_t blocks = blocks_.owner.size();
  MakeSources(blocks * nbytes_);
  MakeDests(blocks * nbytes_);
  for (size_t to = 0; nbytes_ > 0 && to < blocks; ++to) {
    for (size_t from = 0; from < blocks; ++from) {
      std::memcpy(&dests_[to]->expected[from * nbytes_],
                  &sources_[from]->initial[to * nbytes_], nbytes_);
    }
  }
  SetLists();
}

void CallMaker::MakeReduction() {
  const CollectiveKind kind = calls_->wish.kind;
  const size_t blocks = blocks_.owner.size();
  MakeSources(nbytes_);
  std::vector<Bytes> contents;
  for (const Area* const area : sources_) contents.push_back(area->initial);
  if (kind == CollectiveKind::kReduce) {
    Area& area = *MakeRootArea(nbytes_, true);
    area.expected = ReduceInOrder(calls_->wish.how, contents, 0, blocks);
    if (calls_->wish.in_place) {
      const uint32_t first = blocks_.of[root_][0];
      area.initial = contents[first];
      source_at_[first] = area.at;
    }
    return SetLists();
  }
  MakeDests(nbytes_);
  const bool exclusive = calls_->of[0]->request.reduction.exclusive;
  for (size_t k = 0; k < blocks; ++k) {
    if (calls_->wish.in_place) {
      dests_[k]->initial = contents[k];
      source_at_[k] = dests_[k]->at;
    }
    const size_t count =
        kind == CollectiveKind::kReduceAll ? blocks : k + (exclusive ? 0 : 1);
    dests_[k]->expected =
        count == 0 ? dests_[k]->initial
                   : ReduceInOrder(calls_->wish.how, contents, 0, count);
  }
  SetLists();
}

void CallMaker::MakePermute() {
  const size_t nodes = calls_->of.size();
  std::vector<Rank> target(nodes);
  std::iota(target.begin(), target.end(), 0);
  std::shuffle(target.begin(), target.end(), random_);
  std::vector<Area*> to;
  for (Rank i = 0; i < nodes; ++i) to.push_back(&NewArea(i, nbytes_, true));
  for (Rank i = 0; i < nodes; ++i) {
    Area& from = NewArea(i, nbytes_, false);
    to[target[i]]->expected = from.initial;
    CollectiveRequest& request = calls_->of[i]->request;
    request.target = target[i];
    request.sources = Addresses(from.at);
    request.dests = Addresses(to[i]->at);
  }
}

void CallMaker::MakeSizes() {
  const CollectiveKind kind = calls_->wish.kind;
  const auto nodes = static_cast<Rank>(calls_->of.size());
  // sizes[i][j] is the size of the block from node i to node j.
  std::vector<std::vector<size_t>> sizes(nodes, std::vector<size_t>(nodes));
  const size_t most = nodes > 8 ? std::min<size_t>(nbytes_, 300) : nbytes_;
  for (Rank i = 0; i < nodes; ++i) {
    const size_t own = Maybe(4) ? 0 : Below(most + 1);
    for (Rank j = 0; j < nodes; ++j) {
      sizes[i][j] = kind == CollectiveKind::kExchangeV ? Below(most + 1) : own;
    }
  }
  if (kind == CollectiveKind::kScatterV) {
    for (Rank j = 0; j < nodes; ++j) sizes[root_][j] = Below(most + 1);
  }
  const bool rooted =
      kind == CollectiveKind::kScatterV || kind == CollectiveKind::kGatherV;
  const bool parts =
      kind == CollectiveKind::kScatterV || kind == CollectiveKind::kExchangeV;
  std::vector<Area*> from(nodes);
  for (Rank i = 0; i < nodes; ++i) {
    NodeCall& call = *calls_->of[i];
    if (kind == CollectiveKind::kScatterV && i != root_) continue;
    const size_t total =
        parts ? std::accumulate(sizes[i].begin(), sizes[i].end(), size_t{0})
              : sizes[i][0];
    from[i] = &NewArea(i, total, false);
    if (kind == CollectiveKind::kScatterV) {
      call.request.root_area = from[i]->at;
    } else {
      call.request.sources = Addresses(from[i]->at);
    }
    call.out_sizes = sizes[i];
    call.request.out_sizes = call.out_sizes.data();
    call.request.own_size = parts ? 0 : total;
  }
  for (Rank j = 0; j < nodes; ++j) {
    NodeCall& call = *calls_->of[j];
    if (kind == CollectiveKind::kGatherV && j != root_) continue;
    Bytes content;
    for (Rank i = 0; i < nodes; ++i) {
      if (kind == CollectiveKind::kScatterV && i != root_) continue;
      call.in_sizes.push_back(sizes[i][j]);
      size_t at = 0;
      for (Rank k = 0; parts && k < j; ++k) at += sizes[i][k];
      const auto first = from[i]->initial.begin() + static_cast<long>(at);
      content.insert(content.end(), first,
                     first + static_cast<long>(sizes[i][j]));
    }
    Area& to = NewArea(j, content.size(), true);
    to.expected = content;
    call.request.in_sizes = call.in_sizes.data();
    if (kind == CollectiveKind::kScatterV)
      call.request.own_size = content.size();
    if (kind == CollectiveKind::kGatherV) {
      call.request.root_area = to.at;
    } else {
      call.request.dests = Addresses(to.at);
    }
  }
  static_cast<void>(rooted);
}

void CallMaker::MakePutOrGet() {
  const SimTeam& team = *calls_->team;
  const auto nodes = static_cast<Rank>(calls_->of.size());
  const bool puts = calls_->wish.kind == CollectiveKind::kPut;
  for (Rank i = 0; i < nodes; ++i) {
    NodeCall& call = *calls_->of[i];
    for (size_t n = Below(4); n > 0; --n) {
      const auto other = static_cast<Rank>(Below(nodes));
      Area& from = NewArea(puts ? i : other, nbytes_, false);
      Area& to = NewArea(puts ? other : i, nbytes_, true);
      to.expected = from.initial;
      call.nodes.push_back(team.ranks[other]);
      call.sources.push_back(from.at);
      call.dests.push_back(to.at);
      calls_->of[other]->partners.push_back(team.ranks[i]);
    }
  }
  for (const auto& call : calls_->of) {
    TransferPartners& partners = call->request.partners;
    partners.count = call->nodes.size();
    partners.nodes = call->nodes.data();
    if (partners.count == 1 && Maybe(2)) {
      partners.node = call->nodes[0];
      partners.nodes = nullptr;
    }
    partners.dests = {call->dests.data(), call->dests.size()};
    partners.sources = {call->sources.data(), call->sources.size()};
    partners.partners = call->partners;
  }
}

void CallMaker::MakeBarrier() {
  const auto id = static_cast<int32_t>(Below(3));
  const bool differ = Maybe(3);
  const bool is_unnamed = Maybe(2);
  for (const auto& call : calls_->of) {
    call->request.is_unnamed = is_unnamed;
    BarrierVote& vote = call->request.vote;
    vote.named = Maybe(2);
    vote.mismatch = Maybe(20);
    if (vote.named) vote.id = differ ? static_cast<int32_t>(Below(3)) : id;
    calls_->vote = Merge(calls_->vote, vote);
  }
}

}  // namespace gasnet::coll::testing
