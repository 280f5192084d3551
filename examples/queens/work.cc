#include "examples/queens/work.h"

#include <algorithm>
#include <deque>
#include <random>

#include "examples/util/job.h"

namespace queens {
namespace {

using example::Rank;
using example::Size;

constexpr gasnet_handler_t kStealHandler = 128;
constexpr gasnet_handler_t kStolenHandler = 129;
constexpr gasnet_handler_t kTokenHandler = 130;
constexpr gasnet_handler_t kDoneHandler = 131;

// Any GASNet carries at least 512 bytes in a Medium message.
constexpr size_t kMaxStolen = 512 / sizeof(Task);

struct TerminationToken {
  // replies with tasks: sent minus received, over visited ranks
  int32_t balance;
  bool black;  // true if a visited rank was black
};

struct WorkState {
  gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
  std::deque<Task> tasks;  // the oldest task is first
  uint64_t stolen = 0;
  bool steal_pending = false;  // this rank's request awaits its reply
  // replies with tasks: sent by this rank, minus received by it
  int32_t balance = 0;
  bool black = false;  // this rank received tasks since the token's last visit
  bool has_token = false;
  TerminationToken token = {0, false};
  bool done = false;
};
WorkState g_state;

class ScopedLock {
 public:
  ScopedLock() { gasnet_hsl_lock(&g_state.lock); }
  ~ScopedLock() { gasnet_hsl_unlock(&g_state.lock); }
  ScopedLock(const ScopedLock&) = delete;
  ScopedLock& operator=(const ScopedLock&) = delete;
};

void Check(int result) {
  if (result != GASNET_OK) {
    example::Die("active message: %s", gasnet_ErrorDesc(result));
  }
}

// --- Handlers: stealing -----------------------------------------------------

// Moves the oldest half of the tasks, at most kMaxStolen, to `taken`. Returns
// their number.
size_t TakeOldestHalf(Task* taken) {
  const ScopedLock lock;
  std::deque<Task>& tasks = g_state.tasks;
  const size_t count = std::min((tasks.size() + 1) / 2, kMaxStolen);
  const auto end = tasks.begin() + static_cast<ptrdiff_t>(count);
  std::copy(tasks.begin(), end, taken);
  tasks.erase(tasks.begin(), end);
  if (count > 0) ++g_state.balance;
  return count;
}

// Handles a request to steal. Releases the lock before the reply, since a reply
// may run other handlers that take the lock.
void OnSteal(gasnet_token_t token) {
  Task taken[kMaxStolen];
  const size_t count = TakeOldestHalf(taken);
  gasnet_AMReplyMedium0(token, kStolenHandler, taken, count * sizeof(Task));
}

void OnStolen(gasnet_token_t, void* payload, size_t bytes) {
  const auto* const tasks = static_cast<const Task*>(payload);
  const size_t count = bytes / sizeof(Task);
  const ScopedLock lock;
  g_state.steal_pending = false;
  if (count == 0) return;
  g_state.tasks.insert(g_state.tasks.end(), tasks, tasks + count);
  g_state.stolen += count;
  --g_state.balance;
  g_state.black = true;
}

// --- Handlers: termination --------------------------------------------------

void OnToken(gasnet_token_t, gasnet_handlerarg_t balance,
             gasnet_handlerarg_t black) {
  const ScopedLock lock;
  g_state.has_token = true;
  g_state.token = {balance, black != 0};
}

void OnDone(gasnet_token_t) {
  const ScopedLock lock;
  g_state.done = true;
}

gasnet_handlerentry_t g_handlers[] = {
    {kStealHandler, reinterpret_cast<void (*)()>(OnSteal)},
    {kStolenHandler, reinterpret_cast<void (*)()>(OnStolen)},
    {kTokenHandler, reinterpret_cast<void (*)()>(OnToken)},
    {kDoneHandler, reinterpret_cast<void (*)()>(OnDone)}};

// --- main() without tasks ---------------------------------------------------

bool TakeNewest(Task* task) {
  const ScopedLock lock;
  if (g_state.tasks.empty()) return false;
  *task = g_state.tasks.back();
  g_state.tasks.pop_back();
  return true;
}

bool Done() {
  const ScopedLock lock;
  return g_state.done;
}

void Steal() {
  static std::minstd_rand random(Rank() + 1);
  if (Size() == 1) return;
  {
    const ScopedLock lock;
    if (g_state.steal_pending) return;
    g_state.steal_pending = true;
  }
  // Chooses a random rank other than this one.
  const auto distance = static_cast<gasnet_node_t>(1 + random() % (Size() - 1));
  Check(gasnet_AMRequestShort0((Rank() + distance) % Size(), kStealHandler));
}

// Takes the token if this rank has it and is idle. Only an idle rank may pass
// the token on.
bool TakeToken(TerminationToken* token) {
  const ScopedLock lock;
  if (!g_state.has_token || !g_state.tasks.empty()) return false;
  g_state.has_token = false;
  *token = {g_state.token.balance + g_state.balance,
            g_state.token.black || g_state.black};
  g_state.black = false;
  return true;
}

void SendDone() {
  for (gasnet_node_t rank = 0; rank < Size(); ++rank) {
    Check(gasnet_AMRequestShort0(rank, kDoneHandler));
  }
}

// Passes the token on, if this rank has it and is idle. The last rank adds its
// own counts and then knows the result of the round. If tasks may remain, it
// sends rank 0 a fresh token for another round.
void PassToken() {
  TerminationToken token;
  if (!TakeToken(&token)) return;
  const bool all_idle = !token.black && token.balance == 0;
  if (Rank() == Size() - 1 && all_idle) {
    SendDone();
    return;
  }
  if (Rank() == Size() - 1) token = {0, false};
  Check(gasnet_AMRequestShort2((Rank() + 1) % Size(), kTokenHandler,
                               token.balance, token.black));
}

// Returns true if main() has something to do.
bool Eventful() {
  const ScopedLock lock;
  const bool may_steal = Size() > 1 && !g_state.steal_pending;
  return g_state.done || g_state.has_token || !g_state.tasks.empty() ||
         may_steal;
}

}  // namespace

std::span<gasnet_handlerentry_t> WorkHandlers() { return g_handlers; }

void StartWork(const Task& first) {
  if (!example::IsRoot()) return;
  const ScopedLock lock;
  g_state.tasks.push_back(first);
  g_state.has_token = true;
}

void AddTask(const Task& task) {
  const ScopedLock lock;
  g_state.tasks.push_back(task);
}

bool TakeTask(Task* task) {
  // Requests to steal from this rank are served here, between two tasks.
  gasnet_AMPoll();
  while (!TakeNewest(task)) {
    if (Done()) return false;
    PassToken();
    Steal();
    GASNET_BLOCKUNTIL(Eventful());
  }
  return true;
}

uint64_t TasksStolen() {
  const ScopedLock lock;
  return g_state.stolen;
}

}  // namespace queens
