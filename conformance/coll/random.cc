// Runs random programs. All nodes run the same program. Each program has up to
// 200 collectives of every kind and form, on the job and on teams that are
// split from it. Many collectives are under way at once. Each node syncs them
// in its own order, with delays, and with or without polling. At every entry
// and sync, memory is changed as soon as the mode permits it. The changes
// reveal accesses that the mode forbids (trial.h). With an argument, the test
// makes the library use unusual algorithms.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "conformance/coll/trial.h"
#include "conformance/coll/tuner_state.h"

namespace conformance {
namespace {

constexpr int kOperations = 200;
constexpr size_t kSizes[] = {0,    1,    7,    8,    32,    40,
                             41,   56,   57,   100,  1000,  1400,
                             1500, 4095, 4097, 8192, 20000, 65539};
constexpr size_t kMax = size_t{1} << 19;  // bytes of all blocks of an area
constexpr size_t kMaxAtOnce = 20;

using Trials = std::vector<std::unique_ptr<Trial>>;

class Program {
 public:
  Program() : shared_(uint64_t{1} << 40), own_(gasnet_mynode()) {
    groups_.push_back(std::make_unique<Group>(TheJob()));
    for (int i = 0; i < 4; ++i) Split();
  }

  void Run() {
    for (int left = kOperations; left > 0;) {
      Trials trials = Batch(left);
      left -= static_cast<int>(trials.size());
      RunBatch(trials);
    }
  }

 private:
  // Splits an existing team. Colors and order are random.
  void Split() {
    const Group& parent = *groups_[shared_.Below(groups_.size())];
    constexpr gasnet_node_t kColors = 2;
    std::vector<std::pair<uint64_t, gasnet_node_t>> parts[kColors];
    gasnet_node_t my_color = 0, my_order = 0;
    for (const gasnet_node_t node : parent.members) {
      const uint64_t color = shared_.Below(kColors);
      const uint64_t order = shared_.Below(1000);
      parts[color].push_back({order, node});
      if (node != gasnet_mynode()) continue;
      my_color = static_cast<gasnet_node_t>(color);
      my_order = static_cast<gasnet_node_t>(order);
    }
    gasnet_team_handle_t mine = nullptr;
    if (parent.me() < parent.size()) {
      mine = gasnet_coll_team_split(parent.handle, my_color, my_order, nullptr);
    }
    for (auto& part : parts) {
      if (part.empty()) continue;
      AddGroup(part, mine);
    }
  }

  void AddGroup(std::vector<std::pair<uint64_t, gasnet_node_t>>& part,
                gasnet_team_handle_t handle) {
    // Nodes with equal ranks keep the parent's order.
    std::stable_sort(
        part.begin(), part.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    groups_.push_back(std::make_unique<Group>(Group{handle, {}}));
    for (const auto& [order, node] : part) {
      groups_.back()->members.push_back(node);
    }
  }

  Plan AnyPlan() {
    Plan plan;
    do {
      plan.kind = static_cast<Kind>(shared_.Below(kKinds));
      plan.form = static_cast<Form>(shared_.Below(kForms));
    } while (!Exists(plan.kind, plan.form));
    const bool team = plan.form == Form::kTeam || plan.form == Form::kLists;
    plan.group = groups_[team ? shared_.Below(groups_.size()) : 0].get();
    const int mode = static_cast<int>(shared_.Below(kModes));
    plan.in = InOf(mode);
    plan.out = OutOf(mode);
    plan.single = shared_.Below(3) == 0;
    plan.blocking = shared_.Below(4) == 0;
    const size_t size = kSizes[shared_.Below(std::size(kSizes))];
    const size_t often = shared_.Below(8) == 0 ? kMax : kMax / 32;
    plan.nbytes = std::min(size, often / plan.group->size());
    Vary(plan, shared_);
    return plan;
  }

  // Prepares trials. When it returns, all nodes have prepared them.
  Trials Batch(int most) {
    EmptyPlaces();
    Trials trials;
    const size_t wanted = std::min<size_t>(static_cast<size_t>(most),
                                           1 + shared_.Below(kMaxAtOnce));
    while (trials.size() < wanted) {
      trials.push_back(std::make_unique<Trial>(AnyPlan()));
      if (trials.back()->ok()) continue;
      trials.pop_back();
      break;
    }
    CHECK(!trials.empty());
    for (const auto& trial : trials) {
      if (trial->member()) trial->Prepare();
    }
    Barrier();
    return trials;
  }

  void RunBatch(const Trials& trials) {
    std::vector<Trial*> alive;
    for (const auto& trial : trials) {
      if (!trial->member()) continue;
      Dawdle();
      trial->Begin();
      if (trial->handle() == GASNET_COLL_INVALID_HANDLE) {
        trial->Synced();
      } else {
        alive.push_back(trial.get());
      }
      if (!alive.empty() && own_.Below(3) == 0) Sync(alive);
    }
    while (!alive.empty()) {
      Dawdle();
      Sync(alive);
    }
    Barrier();
    for (const auto& trial : trials) trial->CheckOthers();
    Barrier();
    for (const auto& trial : trials) {
      if (trial->member()) trial->Finish();
    }
    Barrier();
  }

  // Delays this node. In some cases, serves the network during the delay.
  void Dawdle() {
    volatile uint64_t work = 0;
    switch (own_.Below(6)) {
      case 0:
        for (uint64_t i = own_.Below(20); i > 0; --i) CHECK_OK(gasnet_AMPoll());
        break;
      case 1:
        for (uint64_t i = own_.Below(50000); i > 0; --i) work = work + i;
        break;
      default:
        break;
    }
  }

  // Syncs some of the operations under way, by one of the six sync functions.
  void Sync(std::vector<Trial*>& alive) {
    for (size_t i = alive.size(); i > 1; --i) {
      std::swap(alive[i - 1], alive[own_.Below(i)]);
    }
    std::vector<gasnet_coll_handle_t> handles;
    const size_t count = 1 + own_.Below(alive.size());
    for (size_t i = 0; i < count; ++i) handles.push_back(alive[i]->handle());
    handles.push_back(GASNET_COLL_INVALID_HANDLE);
    SyncBy(own_.Below(6), handles, count);
    size_t kept = 0;
    for (size_t i = 0; i < alive.size(); ++i) {
      const bool synced = i < count && handles[i] == GASNET_COLL_INVALID_HANDLE;
      if (synced) {
        alive[i]->Synced();
      } else {
        alive[kept++] = alive[i];
      }
    }
    alive.resize(kept);
  }

  static size_t Invalid(const std::vector<gasnet_coll_handle_t>& handles) {
    return static_cast<size_t>(
        std::count(handles.begin(), handles.end(), GASNET_COLL_INVALID_HANDLE));
  }

  void SyncBy(uint64_t function, std::vector<gasnet_coll_handle_t>& handles,
              size_t count) {
    const size_t n = handles.size();
    int result;
    switch (function) {
      case 0:
        gasnet_coll_wait_sync(handles[0]);
        handles[0] = GASNET_COLL_INVALID_HANDLE;
        break;
      case 1:
        result = gasnet_all_try_sync(handles[0]);
        if (result == GASNET_OK) handles[0] = GASNET_ALL_INVALID_HANDLE;
        if (result != GASNET_OK) CHECK_RESULT(result, GASNET_ERR_NOT_READY);
        break;
      case 2:
        gasnet_all_wait_sync_all(handles.data(), n);
        CHECK_EQ(Invalid(handles), n);
        break;
      case 3:
        result = gasnet_coll_try_sync_all(handles.data(), n);
        CHECK_EQ(result == GASNET_OK, Invalid(handles) == n);
        break;
      case 4:
        gasnet_coll_wait_sync_some(handles.data(), n);
        CHECK(Invalid(handles) > n - count);
        break;
      default:
        result = gasnet_all_try_sync_some(handles.data(), n);
        CHECK_EQ(result == GASNET_OK, Invalid(handles) > n - count);
        break;
    }
  }

  Random shared_;  // the same on all nodes
  Random own_;
  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, conformance::kSegmentBytes);
  conformance::OpenCollectives();
  if (argc > 1) conformance::TakeOtherWays();
  conformance::OpenPlaces();
  conformance::Program().Run();
  return conformance::FinishJob();
}
