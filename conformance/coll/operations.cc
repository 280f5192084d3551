// Tests every collective of both families by itself, in all nine modes, with
// local and single addresses, blocking and non-blocking. Sizes lie around every
// threshold. Blocks lie in every kind of memory, and operations run in place if
// permitted. Memory is written right before an entry and right after a sync, as
// soon as the mode permits it (trial.h). With an argument, the test makes the
// library use unusual algorithms.
#include <algorithm>
#include <vector>

#include "conformance/coll/trial.h"
#include "conformance/coll/tuner_state.h"

namespace conformance {
namespace {

constexpr size_t kKiB = 1024;
constexpr size_t kSizes[] = {0,    1,    7,    8,     31,           32,   33,
                             40,   41,   56,   57,    1023,         1024, 1025,
                             4095, 4096, 4097, 65539, 16 * kKiB + 1};
constexpr size_t kLargest = kKiB * kKiB;
// The maximum number of bytes in all areas of a node together.
constexpr size_t kMax = 5 * kKiB * kKiB / 2;
constexpr size_t kUsualMax = 40 * kKiB;

// Returns the size of one block, such that all blocks together have at most
// `most` bytes.
size_t AnySize(Random& random, size_t most) {
  const size_t size = kSizes[random.Below(std::size(kSizes))];
  return std::min(size, most / gasnet_nodes());
}

void Run(const Plan& plan) {
  EmptyPlaces();
  Trial trial(plan);
  CHECK(trial.ok());
  trial.Prepare();
  // Barriers keep nodes from reading data that is not there yet, and from
  // reusing memory that other nodes still use.
  Barrier();
  trial.Begin();
  gasnet_coll_wait_sync(trial.handle());
  trial.Synced();
  Barrier();
  trial.CheckOthers();
  Barrier();
  trial.Finish();
}

// Runs an operation in one mode, with local and with single addresses, blocking
// and non-blocking.
void RunMode(Kind kind, Form form, int mode, const Group& group,
             Random& random) {
  for (int combination = 0; combination < 4; ++combination) {
    Plan plan;
    plan.kind = kind;
    plan.form = form;
    plan.in = InOf(mode);
    plan.out = OutOf(mode);
    plan.single = combination % 2 != 0;
    plan.blocking = combination / 2 != 0;
    plan.group = &group;
    plan.nbytes = AnySize(random, random.Below(16) == 0 ? kMax / 2 : kUsualMax);
    Vary(plan, random);
    Run(plan);
  }
}

// Runs an operation with the largest size that fits, in the usual modes.
void RunLarge(Kind kind, const Group& group, Random& random) {
  for (const bool strict : {false, true}) {
    Plan plan;
    plan.kind = kind;
    plan.form = Form::kAll;
    plan.in = strict ? GASNET_COLL_IN_ALLSYNC : GASNET_COLL_IN_MYSYNC;
    plan.out = strict ? GASNET_COLL_OUT_ALLSYNC : GASNET_COLL_OUT_MYSYNC;
    plan.group = &group;
    const bool whole = kind != Kind::kBroadcast && kind != Kind::kReduce &&
                       kind != Kind::kReduceAll && kind != Kind::kPrefix;
    plan.nbytes = whole ? std::min(kLargest, kMax / 2 / gasnet_nodes())
                        : kLargest / (gasnet_nodes() > 3 ? 2 : 1);
    Vary(plan, random);
    Run(plan);
  }
}

// Makes the nodes sync one after the other, in a random order. When the last
// node has synced, all data must be in place on every node. The last node
// checks this without a barrier.
void LastSync(Kind kind, const Group& group, Random& random) {
  Plan plan;
  plan.kind = kind;
  plan.form = Form::kAll;
  plan.in = InOf(static_cast<int>(random.Below(3)) * 3);
  plan.out = GASNET_COLL_OUT_NOSYNC;
  plan.group = &group;
  plan.nbytes = AnySize(random, kUsualMax);
  Vary(plan, random);
  plan.dst_place = Place::kSegment;
  const gasnet_node_t turned =
      static_cast<gasnet_node_t>(random.Below(gasnet_nodes()));
  const gasnet_node_t turn = (gasnet_mynode() + turned) % gasnet_nodes();
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  auto* const come =
      reinterpret_cast<volatile uint64_t*>(SharedMemory(gasnet_mynode()));
  *come = turn == 0;
  EmptyPlaces();
  Trial trial(plan);
  CHECK(trial.ok());
  trial.Prepare();
  Barrier();
  trial.Begin();
  // Polls instead of blocking, since the put to this word wakes no thread.
  while (*come != 1) CHECK_OK(gasnet_AMPoll());
  gasnet_coll_wait_sync(trial.handle());
  trial.Synced();
  if (turn + 1 == gasnet_nodes()) {
    trial.CheckOthers();
  } else {
    gasnet_put_val(next, SharedMemory(next), 1, sizeof(uint64_t));
  }
  Barrier();
  trial.Finish();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(build/namespaces)
  StartJob(&argc, &argv, nullptr, 0, kSegmentBytes);
  OpenCollectives();
  if (argc > 1) TakeOtherWays();
  OpenPlaces();
  const Group group = TheJob();
  Random random(uint64_t{1} << 40);  // the same on all nodes
  for (int k = 0; k < kKinds; ++k) {
    const Kind kind = static_cast<Kind>(k);
    for (int form = 0; form < kForms; ++form) {
      for (int mode = 0; mode < kModes; ++mode) {
        if (!Exists(kind, static_cast<Form>(form))) continue;
        RunMode(kind, static_cast<Form>(form), mode, group, random);
      }
    }
    RunLarge(kind, group, random);
    LastSync(kind, group, random);
  }
  return FinishJob();
}
