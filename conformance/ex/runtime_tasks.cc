// A client that works like a runtime with tasks that move to other processes. A
// message forks a statement `on` a process. A small statement runs in the
// handler. Other statements run in worker threads, where they fork further
// statements and wait for their end. A task fetches an argument that is too
// large for a message.
//
// There are also puts, gets and strided transfers, and barriers that are tried
// between polls. A separate thread polls.
#include <gasnet_vis.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kFork = 200, kForkLarge, kForkFast, kDone };

constexpr int kWorkers = 2;
constexpr int kStatements = 60;
constexpr size_t kLargeBytes = 150000;
// Bytes at the start of the segment for the sums of each process's statements;
// blocks follow.
constexpr size_t kCounts = 4096;
// bytes of a matrix; each segment has one for every process
constexpr size_t kArray = 40 * 1000;

char* CountOf(gex_Rank_t owner, gex_Rank_t of) {
  return SegmentOf(owner) + of * sizeof(int64_t);
}
char* ArrayOf(gex_Rank_t owner, gex_Rank_t of) {
  return SegmentOf(owner) + kCounts + of * kArray;
}
char* LargeOf(gex_Rank_t owner) {
  return SegmentOf(owner) + kCounts + Size() * kArray;
}

// --- Statements ---

// The head of each statement. `done` points to a flag in the forking process.
// That process sets the flag when the statement has ended.
struct Statement {
  gex_Rank_t from;
  int32_t depth;  // depth of nested statements
  uint32_t key;
  int32_t amount;
  uint64_t bytes;  // bytes of the statement's argument
  std::atomic<bool>* done;
};

struct Task {
  Statement statement;
  std::vector<char> argument;
  char* theirs = nullptr;
};

class Tasks {
 public:
  void Add(Task task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  bool Take(Task* task) {
    const std::lock_guard lock(mutex_);
    if (tasks_.empty()) return false;
    *task = std::move(tasks_.front());
    tasks_.pop_front();
    return true;
  }

 private:
  std::mutex mutex_;
  std::deque<Task> tasks_;
};
Tasks tasks;

std::atomic<int64_t> added_here{0};

// --- Handlers ---

Statement HeadOf(const void* buffer, size_t bytes) {
  CHECK(bytes >= sizeof(Statement));
  Statement statement;
  memcpy(static_cast<void*>(&statement), buffer, sizeof statement);
  return statement;
}

void OnFork(gex_Token_t, void* buffer, size_t bytes) {
  char* const argument = static_cast<char*>(buffer) + sizeof(Statement);
  tasks.Add({HeadOf(buffer, bytes),
             {argument, argument + bytes - sizeof(Statement)}});
}
void OnForkLarge(gex_Token_t, void* buffer, size_t bytes) {
  Task task = {HeadOf(buffer, bytes), {}};
  task.theirs = LargeOf(task.statement.from);
  tasks.Add(std::move(task));
}
// Runs a small statement in the handler. The statement does not communicate.
void OnForkFast(gex_Token_t token, void* buffer, size_t bytes) {
  const Statement statement = HeadOf(buffer, bytes);
  added_here += statement.amount;
  CHECK_EQ(gex_AM_ReplyMedium(token, kDone, &statement.done,
                              sizeof statement.done, GEX_EVENT_NOW, 0),
           0);
}
void OnDone(gex_Token_t, void* buffer, size_t bytes) {
  std::atomic<bool>* done;
  CHECK_EQ(bytes, sizeof done);
  memcpy(&done, buffer, sizeof done);
  *done = true;
}

// --- Forking ---

// Waits for the polling thread to set `done`.
void Await(const std::atomic<bool>& done) {
  while (!done) sched_yield();
}

void ForkSmall(gex_Rank_t where, gex_AM_Index_t how, const Statement& statement,
               uint64_t bytes) {
  std::vector<char> message(sizeof statement + bytes);
  memcpy(message.data(), static_cast<const void*>(&statement),
         sizeof statement);
  FillPattern(message.data() + sizeof statement, bytes, statement.key);
  CHECK_EQ(gex_AM_RequestMedium(tm, where, how, message.data(), message.size(),
                                GEX_EVENT_NOW, 0),
           0);
}

std::mutex large_mutex;

// Forks a statement, and returns when the statement has ended.
void On(gex_Rank_t where, Statement statement) {
  std::atomic<bool> done{false};
  statement.from = Me();
  statement.done = &done;
  if (statement.bytes > gex_AM_LUBRequestMedium() - sizeof statement) {
    const std::lock_guard lock(large_mutex);
    FillPattern(LargeOf(Me()), statement.bytes, statement.key);
    ForkSmall(where, kForkLarge, statement, 0);
    return Await(done);
  }
  const bool is_fast = statement.bytes == 0 && statement.depth == 0;
  ForkSmall(where, is_fast ? kForkFast : kFork, statement, statement.bytes);
  Await(done);
}

gex_Rank_t NextPlace(const Statement& statement) {
  return (Me() + 1 + statement.key % Size()) % Size();
}

void Run(Task& task) {
  const Statement& statement = task.statement;
  if (task.theirs != nullptr) {
    task.argument.resize(statement.bytes);
    CHECK_EQ(gex_RMA_GetBlocking(tm, task.argument.data(), statement.from,
                                 task.theirs, statement.bytes, 0),
             0);
  }
  CHECK_EQ(task.argument.size(), statement.bytes);
  CHECK_PATTERN(task.argument.data(), statement.bytes, statement.key);
  added_here += statement.amount;
  if (statement.depth > 0) {
    Statement deeper = statement;
    deeper.bytes = 0;
    deeper.depth = 0;  // runs in a handler: a worker must not wait for a worker
    On(NextPlace(statement), deeper);
  }
  CHECK_EQ(gex_AM_RequestMedium(tm, statement.from, kDone, &statement.done,
                                sizeof statement.done, GEX_EVENT_NOW, 0),
           0);
}

std::atomic<bool> is_over{false};

void Work() {
  Task task;
  while (!is_over) {
    if (tasks.Take(&task)) {
      Run(task);
    } else {
      sched_yield();
    }
  }
}

void Poll() {
  while (!is_over) {
    CHECK_OK(gasnet_AMPoll());
    sched_yield();
  }
}

// --- The program's own thread ---

// Puts every second column of a matrix, and gets these columns back. The
// matrix's rows have 40 bytes.
void MoveColumns(gex_Rank_t peer, uint32_t key) {
  constexpr size_t kRow = 40;
  const ptrdiff_t strides[] = {2, kRow};
  const ptrdiff_t dense[] = {1, kRow / 2};
  const size_t counts[] = {kRow / 2, kArray / kRow};
  std::vector<char> out(kArray / 2), in(kArray / 2);
  FillPattern(out.data(), out.size(), key);
  CHECK_EQ(gex_VIS_StridedPutBlocking(tm, peer, ArrayOf(peer, Me()), strides,
                                      out.data(), dense, 1, counts, 2, 0),
           0);
  CHECK_EQ(
      gex_VIS_StridedGetBlocking(tm, in.data(), dense, peer,
                                 ArrayOf(peer, Me()), strides, 1, counts, 2, 0),
      0);
  CHECK_PATTERN(in.data(), in.size(), key);
  char odd = 1;
  CHECK_EQ(gex_RMA_GetBlocking(tm, &odd, peer, ArrayOf(peer, Me()) + 1, 1, 0),
           0);
  CHECK_EQ(odd, 0);
}

// Waits in a barrier like a runtime with tasks. Lets other threads run between
// tries.
void TryBarrier(int name) {
  gasnet_barrier_notify(name, 0);
  int result;
  while ((result = gasnet_barrier_try(name, 0)) == GASNET_ERR_NOT_READY) {
    sched_yield();
  }
  CHECK_OK(result);
}

int64_t RunStatements() {
  Random random(Me());
  int64_t total = 0;
  for (int i = 0; i < kStatements; ++i) {
    Statement statement = {};
    statement.depth = static_cast<int32_t>(random.Below(2));
    statement.key = static_cast<uint32_t>(random.Next());
    statement.amount = static_cast<int32_t>(random.Below(1000));
    statement.bytes = random.Below(3) == 0   ? 0
                      : random.Below(6) == 0 ? random.Below(kLargeBytes)
                                             : random.Below(2000);
    const auto where = static_cast<gex_Rank_t>(random.Below(Size()));
    On(where, statement);
    total += int64_t{statement.amount} * (statement.depth > 0 ? 2 : 1);
    if (i % 8 == 0) MoveColumns(where, statement.key);
    if (i % 16 == 0) TryBarrier(i);
  }
  return total;
}

// Checks that the sum of the requested amounts was added. Each amount may have
// been added in any process.
void CheckAmounts(int64_t asked) {
  for (gex_Rank_t rank = 0; rank < Size(); ++rank) {
    CHECK_EQ(
        gex_RMA_PutBlockingVal(tm, rank, CountOf(rank, Me()),
                               static_cast<gex_RMA_Value_t>(asked - added_here),
                               sizeof(int64_t), 0),
        0);
  }
  TryBarrier(1000);
  int64_t rest = 0;
  for (gex_Rank_t rank = 0; rank < Size(); ++rank) {
    int64_t part;
    memcpy(&part, CountOf(Me(), rank), sizeof part);
    rest += part;
  }
  CHECK_EQ(rest, 0);
}

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kFork, OnFork, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0),
    EX_HANDLER(kForkLarge, OnForkLarge,
               GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0),
    EX_HANDLER(kForkFast, OnForkFast, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST,
               0),
    EX_HANDLER(kDone, OnDone, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQREP, 0),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  gasnet_client_attach_hook = nullptr;
  JoinEx(&argc, &argv, handlers, COUNT_OF(handlers));
  const size_t bytes = kCounts + Size() * kArray + kLargeBytes;
  CHECK_OK(gex_Segment_Attach(
      &segment, conformance::tm,
      (bytes + GASNET_PAGESIZE) / GASNET_PAGESIZE * GASNET_PAGESIZE));
  FindSegments();
  RunThreads(kWorkers + 2, [](int thread) {
    if (thread == kWorkers) return Poll();
    if (thread < kWorkers) return Work();
    const int64_t asked = RunStatements();
    TryBarrier(999);
    CheckAmounts(asked);
    TryBarrier(1001);
    is_over = true;
  });
  return FinishJob();
}
