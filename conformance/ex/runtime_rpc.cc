// A client that works like a runtime for remote procedure calls. Calls return
// futures, and are built on messages, gets and collectives. Small arguments
// travel in a Medium. Large arguments stay in the caller's segment until the
// callee has fetched them. The called functions run in Progress(), and may call
// other functions. Teams are split by parity. The test knows every result
// beforehand.
#include <gasnet_coll.h>
#include <gasnet_ratomic.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kCall = 200, kCallLarge, kResult, kRelease };

constexpr int kThreads = 3;
constexpr int kCallsOfThread = 150;
constexpr size_t kLargest = 200000;
constexpr size_t kOffset = 64;  // offset of the blocks; a counter comes first

// --- Futures ---

struct Future {
  std::atomic<bool> is_ready{false};
  int64_t value = 0;
  std::vector<char> argument;  // kept until it has been sent
  // a block for the argument, until the callee has fetched it
  char* lent = nullptr;
};

int64_t WordsOf(gex_AM_Arg_t high, gex_AM_Arg_t low) {
  return static_cast<int64_t>(static_cast<uint64_t>(high) << 32 |
                              static_cast<uint32_t>(low));
}
gex_AM_Arg_t High(int64_t value) {
  return static_cast<gex_AM_Arg_t>(value >> 32);
}
gex_AM_Arg_t Low(int64_t value) { return static_cast<gex_AM_Arg_t>(value); }
int64_t Name(const void* pointer) {
  return static_cast<int64_t>(reinterpret_cast<uintptr_t>(pointer));
}
template <class T>
T* Named(gex_AM_Arg_t high, gex_AM_Arg_t low) {
  return reinterpret_cast<T*>(static_cast<uintptr_t>(WordsOf(high, low)));
}

// --- Calls that have arrived but have not run ---

struct Task {
  gex_Rank_t caller;
  int64_t future;
  gex_AM_Arg_t key;
  std::vector<char> argument;
  char* theirs = nullptr;  // a large argument in the caller's segment
  gex_Event_t event = GEX_EVENT_INVALID;
};

class Tasks {
 public:
  // Adds a call to the queue. Handlers add new calls. Progress() puts back a
  // call whose argument it still fetches.
  void Add(std::unique_ptr<Task> task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  std::unique_ptr<Task> Take() {
    const std::lock_guard lock(mutex_);
    if (tasks_.empty()) return nullptr;
    std::unique_ptr<Task> first = std::move(tasks_.front());
    tasks_.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;
  std::deque<std::unique_ptr<Task>> tasks_;
};
Tasks tasks;

// The segment's blocks for large arguments. All blocks have one size.
class Blocks {
 public:
  void Start(char* base) {
    for (int i = 0; i < kThreads * 2; ++i) free_.push_back(base + i * kLargest);
  }
  char* Take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return nullptr;
    char* const block = free_.back();
    free_.pop_back();
    return block;
  }
  void Give(char* block) {
    const std::lock_guard lock(mutex_);
    free_.push_back(block);
  }

 private:
  std::mutex mutex_;
  std::vector<char*> free_;
};
Blocks blocks;

// --- Handlers: they only queue calls ---

gex_Rank_t SourceOf(gex_Token_t token) {
  gex_Token_Info_t info;
  CHECK(gex_Token_Info(token, &info, GEX_TI_SRCRANK) & GEX_TI_SRCRANK);
  return info.gex_srcrank;
}

void OnCall(gex_Token_t token, void* buffer, size_t bytes, gex_AM_Arg_t high,
            gex_AM_Arg_t low, gex_AM_Arg_t key) {
  auto task = std::make_unique<Task>();
  task->caller = SourceOf(token);
  task->future = WordsOf(high, low);
  task->key = key;
  task->argument.assign(static_cast<char*>(buffer),
                        static_cast<char*>(buffer) + bytes);
  tasks.Add(std::move(task));
}
void OnCallLarge(gex_Token_t token, gex_AM_Arg_t high, gex_AM_Arg_t low,
                 gex_AM_Arg_t key, gex_AM_Arg_t from_high,
                 gex_AM_Arg_t from_low, gex_AM_Arg_t bytes) {
  auto task = std::make_unique<Task>();
  task->caller = SourceOf(token);
  task->future = WordsOf(high, low);
  task->key = key;
  task->argument.resize(bytes);
  task->theirs = Named<char>(from_high, from_low);
  tasks.Add(std::move(task));
}
void OnResult(gex_Token_t, gex_AM_Arg_t high, gex_AM_Arg_t low,
              gex_AM_Arg_t value_high, gex_AM_Arg_t value_low) {
  Future* const future = Named<Future>(high, low);
  future->value = WordsOf(value_high, value_low);
  future->is_ready = true;
}
void OnRelease(gex_Token_t, gex_AM_Arg_t high, gex_AM_Arg_t low) {
  blocks.Give(Named<char>(high, low));
}

// --- Progress ---

int64_t ResultOf(const Task& task) {
  CHECK_PATTERN(task.argument.data(), task.argument.size(),
                static_cast<uint32_t>(task.key));
  return static_cast<int64_t>(task.argument.size()) * 1000 + task.key + Me();
}

void Run(const Task& task) {
  if (task.theirs != nullptr) {
    CHECK_EQ(
        gex_AM_RequestShort(tm, task.caller, kRelease, 0,
                            High(Name(task.theirs)), Low(Name(task.theirs))),
        0);
  }
  const int64_t result = ResultOf(task);
  CHECK_EQ(gex_AM_RequestShort(tm, task.caller, kResult, 0, High(task.future),
                               Low(task.future), High(result), Low(result)),
           0);
}

// Polls, and runs an arrived call. Fetches a large argument first, without
// waiting: the call goes back into the queue until the argument has arrived.
void Progress() {
  CHECK_OK(gasnet_AMPoll());
  std::unique_ptr<Task> task = tasks.Take();
  if (task == nullptr) return;
  if (task->theirs != nullptr && task->event == GEX_EVENT_INVALID) {
    task->event = gex_RMA_GetNB(tm, task->argument.data(), task->caller,
                                task->theirs, task->argument.size(), 0);
  }
  if (gex_Event_Test(task->event) != 0) return tasks.Add(std::move(task));
  Run(*task);
}

int64_t Await(Future& future) {
  while (!future.is_ready) Progress();
  return future.value;
}

// --- Calls ---

void Call(gex_TM_t team, gex_Rank_t rank, Future& future, size_t bytes,
          gex_AM_Arg_t key) {
  const int64_t name = Name(&future);
  gex_Event_t sent;
  if (bytes <= gex_AM_MaxRequestMedium(team, rank, &sent, 0, 3)) {
    future.argument.resize(bytes);
    FillPattern(future.argument.data(), bytes, static_cast<uint32_t>(key));
    CHECK_EQ(gex_AM_RequestMedium(team, rank, kCall, future.argument.data(),
                                  bytes, &sent, 0, High(name), Low(name), key),
             0);
    gex_Event_Wait(sent);
    std::fill(future.argument.begin(), future.argument.end(), '\xDD');
    return;
  }
  while ((future.lent = blocks.Take()) == nullptr) Progress();
  FillPattern(future.lent, bytes, static_cast<uint32_t>(key));
  CHECK_EQ(
      gex_AM_RequestShort(team, rank, kCallLarge, 0, High(name), Low(name), key,
                          High(Name(future.lent)), Low(Name(future.lent)),
                          static_cast<gex_AM_Arg_t>(bytes)),
      0);
}

// --- The program ---

// The team of the processes with this process's parity, in reverse order.
gex_TM_t parity_team;
gex_AD_t counters;

gex_Rank_t JobrankInTeam(gex_Rank_t rank) {
  return gex_TM_TranslateRankToJobrank(parity_team, rank);
}

// Keeps several calls under way. Their arguments have any size. Both teams name
// their targets.
void CallOthers(int thread) {
  constexpr int kWindow = 5;
  Random random(Me() * kThreads + thread);
  for (int done = 0; done < kCallsOfThread; done += kWindow) {
    Future futures[kWindow];
    int64_t expected[kWindow];
    for (int i = 0; i < kWindow; ++i) {
      const bool by_parity = random.Below(2) == 0;
      const gex_TM_t team = by_parity ? parity_team : tm;
      const auto rank =
          static_cast<gex_Rank_t>(random.Below(gex_TM_QuerySize(team)));
      const size_t bytes =
          random.Below(8) == 0 ? random.Below(kLargest) : random.Below(3000);
      const auto key = static_cast<gex_AM_Arg_t>(random.Below(1u << 30));
      expected[i] = static_cast<int64_t>(bytes) * 1000 + key +
                    (by_parity ? JobrankInTeam(rank) : rank);
      Call(team, rank, futures[i], bytes, key);
    }
    for (int i = kWindow - 1; i >= 0; --i) {
      CHECK_EQ(Await(futures[i]), expected[i]);
    }
    uint64_t before = 0;
    gex_Event_t added = gex_AD_OpNB_U64(counters, &before, 0, SegmentOf(0),
                                        GEX_OP_FADD, kWindow, 0, 0);
    while (gex_Event_Test(added) != 0) Progress();
    CHECK(before < uint64_t{Size()} * kThreads * kCallsOfThread);
  }
}

void AwaitEvent(gex_Event_t event) {
  while (gex_Event_Test(event) != 0) Progress();
}

// Checks the totals by collectives of both teams. Calls are served while these
// collectives are under way.
void CheckTotals() {
  const gex_Event_t barrier = gex_Coll_BarrierNB(tm, 0);
  uint64_t mine = Me();
  uint64_t sum = 0;
  const gex_Event_t sum_event =
      gex_Coll_ReduceToAllNB(parity_team, &sum, &mine, GEX_DT_U64, 8, 1,
                             GEX_OP_ADD, nullptr, nullptr, 0);
  uint64_t root = gex_TM_QueryRank(parity_team) == 0 ? Me() : 0;
  const gex_Event_t root_event =
      gex_Coll_BroadcastNB(parity_team, 0, &root, &root, sizeof root, 0);
  AwaitEvent(root_event);
  AwaitEvent(barrier);
  AwaitEvent(sum_event);
  uint64_t expected = 0;
  for (gex_Rank_t i = 0; i < gex_TM_QuerySize(parity_team); ++i) {
    expected += JobrankInTeam(i);
    CHECK_EQ(JobrankInTeam(i) % 2, Me() % 2);
  }
  CHECK_EQ(sum, expected);
  CHECK_EQ(root, JobrankInTeam(0));
  uint64_t total = 0;
  AwaitEvent(
      gex_AD_OpNB_U64(counters, &total, 0, SegmentOf(0), GEX_OP_GET, 0, 0, 0));
  CHECK_EQ(total, uint64_t{Size()} * kThreads * kCallsOfThread);
}

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kCall, OnCall, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 3),
    EX_HANDLER(kCallLarge, OnCallLarge, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST,
               6),
    EX_HANDLER(kResult, OnResult, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQREP, 4),
    EX_HANDLER(kRelease, OnRelease, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQREP, 2),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers),
          kOffset + kThreads * 2 * kLargest);
  blocks.Start(SegmentOf(Me()) + kOffset);
  gex_TM_Split(&parity_team, conformance::tm, static_cast<int>(Me() % 2),
               -static_cast<int>(Me()), nullptr, 0, GEX_FLAG_TM_NO_SCRATCH);
  gex_AD_Create(&counters, conformance::tm, GEX_DT_U64,
                GEX_OP_FADD | GEX_OP_GET, 0);
  Barrier();
  RunThreads(kThreads, CallOthers);
  CheckTotals();
  AwaitEvent(gex_Coll_BarrierNB(conformance::tm, 0));
  gex_AD_Destroy(counters);
  gex_TM_Destroy(parity_team, nullptr, GEX_FLAG_GLOBALLY_QUIESCED);
  return FinishJob();
}
