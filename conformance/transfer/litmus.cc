// Tests the order in which threads may see each other's puts (section 3.3.1).
// Runs four small programs that are known as litmus tests. A capital letter is
// a put that is completed, and a small letter is a get. At first all values are
// old:
//
//   store buffering    Xy | Yx            some get returns the new value
//   message passing    XY | yx            a new y implies a new x
//   load buffering     xY | yX            some get returns the old value
//   independent reads  X | Y | xy | yx    both readers see the same order
//
// Every test is run with every way to put and to get, between nodes and between
// threads of one node. The last program requires more than the specification
// does.
//
// Each round has its own x and y. Threads start in step and then go through
// many rounds, so that some rounds are executed at the same time. If threads
// share processors, a step takes a time slice of the scheduler. So node 0 reads
// the clock between runs. Once the tests have taken long, all nodes run fewer
// rounds.
#include <sched.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/sanitizer.h"
#include "conformance/harness.h"

namespace conformance {
namespace {

// The thread sanitizer would report data races among the threads of a process.
// So the test runs only one thread under it.
#if defined(GASNET_PAR)
constexpr int kThreads = gasnet::kThreadSanitizer ? 1 : 2;
#else
constexpr int kThreads = 1;
#endif

constexpr int kParties = 4;
constexpr int kLines = 64;
constexpr int kMappedBatches = 600;
constexpr int kMaxRounds = kMappedBatches * kLines;

struct alignas(64) Line {
  uint64_t word;
};

struct Area {
  Line arrived[kParties];
  Line x[kLines];
  Line y[kLines];
  uint8_t seen[kParties][kMaxRounds];  // used on node 0
  // batches of the next run; node 0 sets it
  uint64_t batches;
};

Area* Of(gasnet_node_t node) {
  return reinterpret_cast<Area*>(SharedMemory(node));
}

struct Litmus {
  const char* name;
  int parties;
  const char* code[kParties];
  // The result that must not occur. In a party's element, bit i is set if the
  // party's get i returns the new value.
  uint8_t forbidden[kParties];
};

constexpr Litmus kLitmus[] = {
    {"store buffering", 2, {"Xy", "Yx"}, {0, 0}},
    {"message passing", 2, {"XY", "yx"}, {0, 1}},
    {"load buffering", 2, {"xY", "yX"}, {1, 1}},
    {"independent reads", 4, {"X", "Y", "xy", "yx"}, {0, 0, 1, 1}},
};

// --- Ways to put and to get ---

using Word = uint64_t;

void WaitSome(gasnet_handle_t handle) { gasnet_wait_syncnb_some(&handle, 1); }
void WaitAll(gasnet_handle_t handle) { gasnet_wait_syncnb_all(&handle, 1); }

template <class Try>
void Until(Try done) {
  while (done() != GASNET_OK) {
  }
}

struct PutWay {
  const char* name;
  void (*put)(gasnet_node_t node, Word* there, Word value);
};

#define PUT_BY(name, statement)                                          \
  {                                                                      \
    name, [](gasnet_node_t node, Word* there, Word value) { statement; } \
  }

constexpr PutWay kPuts[] = {
    PUT_BY("put", gasnet_put(node, there, &value, sizeof(value))),
    PUT_BY("put_bulk", gasnet_put_bulk(node, there, &value, sizeof(value))),
    PUT_BY("put_val", gasnet_put_val(node, there, value, sizeof(value))),
    PUT_BY("memset", gasnet_memset(node, there, value & 0xff, sizeof(value))),
    PUT_BY("put_nb, wait", gasnet_wait_syncnb(gasnet_put_nb(node, there, &value,
                                                            sizeof(value)))),
    PUT_BY("put_nb_val, try",
           {
             const gasnet_handle_t handle =
                 gasnet_put_nb_val(node, there, value, sizeof(value));
             Until([&] { return gasnet_try_syncnb(handle); });
           }),
    PUT_BY("put_nb_bulk, wait for all",
           WaitAll(gasnet_put_nb_bulk(node, there, &value, sizeof(value)))),
    PUT_BY(
        "memset_nb, wait for some",
        WaitSome(gasnet_memset_nb(node, there, value & 0xff, sizeof(value)))),
    PUT_BY("put_nb, try all",
           {
             gasnet_handle_t handle =
                 gasnet_put_nb(node, there, &value, sizeof(value));
             Until([&] { return gasnet_try_syncnb_all(&handle, 1); });
           }),
    PUT_BY("put_nb, try some",
           {
             gasnet_handle_t handle =
                 gasnet_put_nb(node, there, &value, sizeof(value));
             Until([&] { return gasnet_try_syncnb_some(&handle, 1); });
           }),
    // If the handle is GASNET_INVALID_HANDLE, the put is complete. Then a
    // client need not synchronize it.
    PUT_BY("put_nb, look at the handle",
           {
             const gasnet_handle_t handle =
                 gasnet_put_nb(node, there, &value, sizeof(value));
             if (handle != GASNET_INVALID_HANDLE) gasnet_wait_syncnb(handle);
           }),
    PUT_BY("put_nbi, wait",
           {
             gasnet_put_nbi(node, there, &value, sizeof(value));
             gasnet_wait_syncnbi_puts();
           }),
    PUT_BY("put_nbi_bulk, wait for all",
           {
             gasnet_put_nbi_bulk(node, there, &value, sizeof(value));
             gasnet_wait_syncnbi_all();
           }),
    PUT_BY("put_nbi_val, try",
           {
             gasnet_put_nbi_val(node, there, value, sizeof(value));
             Until(gasnet_try_syncnbi_puts);
           }),
    PUT_BY("memset_nbi, try all",
           {
             gasnet_memset_nbi(node, there, value & 0xff, sizeof(value));
             Until(gasnet_try_syncnbi_all);
           }),
    PUT_BY("access region",
           {
             gasnet_begin_nbi_accessregion();
             gasnet_put_nbi(node, there, &value, sizeof(value));
             gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
           }),
};

struct GetWay {
  void (*get)(gasnet_node_t node, Word* there, Word* value);
};

#define GET_BY(statement)                                           \
  {                                                                 \
    [](gasnet_node_t node, Word* there, Word* value) { statement; } \
  }

void Load(gasnet_node_t node, Word* there, Word* value) {
  *value = node == gasnet_mynode() ? __atomic_load_n(there, __ATOMIC_ACQUIRE)
                                   : gasnet_get_val(node, there, sizeof(Word));
}

constexpr GetWay kGets[] = {
    {Load},
    GET_BY(gasnet_get(value, node, there, sizeof(Word))),
    GET_BY(*value = gasnet_get_val(node, there, sizeof(Word))),
    GET_BY(gasnet_get_bulk(value, node, there, sizeof(Word))),
    GET_BY(gasnet_wait_syncnb(gasnet_get_nb(value, node, there, sizeof(Word)))),
    GET_BY(gasnet_get_nbi(value, node, there, sizeof(Word));
           gasnet_wait_syncnbi_gets()),
    GET_BY(*value = gasnet_wait_syncnb_valget(
               gasnet_get_nb_val(node, there, sizeof(Word)))),
};

// --- One run: a litmus test by one way, with a node for each party ---

struct Run {
  const Litmus* litmus;
  int way;  // index in kPuts
  // true: x and y are at the putters; false: at the getters
  bool at_the_putters;
  bool together;  // parties are threads of one node, if it has enough
  bool mapped;
  int number;
  int batches;
};

gasnet_node_t NodeOf(const Run& run, int party) {
  return run.together ? party / kThreads : party % gasnet_nodes();
}
int ThreadOf(const Run& run, int party) {
  return run.together ? party % kThreads
                      : party / static_cast<int>(gasnet_nodes());
}

// Returns the node that holds 'x' or 'y'.
gasnet_node_t HomeOf(const Run& run, char place) {
  const char wanted = run.at_the_putters ? place - 'a' + 'A' : place;
  int party = 0;
  while (strchr(run.litmus->code[party], wanted) == nullptr) ++party;
  return NodeOf(run, party);
}

// Waits until all parties have reached this step.
void Meet(const Run& run, int party, uint64_t step) {
  constexpr int kLooks = 500;
  for (int i = 0; i < run.litmus->parties; ++i) {
    const gasnet_node_t node = NodeOf(run, i);
    gasnet_put_val(node, &Of(node)->arrived[party].word, step, sizeof(step));
  }
  for (int i = 0; i < run.litmus->parties; ++i) {
    const uint64_t* const word = &Of(gasnet_mynode())->arrived[i].word;
    for (int looks = 0; __atomic_load_n(word, __ATOMIC_ACQUIRE) < step;) {
      if (run.mapped && ++looks % kLooks != 0) continue;
      gasnet_AMPoll();
      sched_yield();
    }
  }
}

// Returns the value that a batch puts. A memset must be able to write it, so
// all its bytes are equal. It is not 0, and differs from the value of the
// previous batch.
Word ValueOf(int batch) { return 0x0101010101010101u * (batch % 255 + 1); }

uint8_t Execute(const char* code, const Run& run, const gasnet_node_t home[2],
                int line, Word value) {
  const GetWay& by = kGets[run.way % COUNT_OF(kGets)];
  uint8_t seen = 0;
  uint8_t bit = 1;
  for (; *code != 0; ++code) {
    const bool is_x = *code == 'x' || *code == 'X';
    const gasnet_node_t node = home[is_x ? 0 : 1];
    Word* const there =
        is_x ? &Of(node)->x[line].word : &Of(node)->y[line].word;
    if (*code == 'X' || *code == 'Y') {
      kPuts[run.way].put(node, there, value);
    } else {
      Word got = 0;
      by.get(node, there, &got);
      if (got == value) seen |= bit;
      bit = static_cast<uint8_t>(bit << 1);
    }
  }
  return seen;
}

void RunParty(const Run& run, int party) {
  const gasnet_node_t home[] = {HomeOf(run, 'x'), HomeOf(run, 'y')};
  const char* const code = run.litmus->code[party];
  uint8_t seen[kMaxRounds];
  for (int batch = 0; batch < run.batches; ++batch) {
    Meet(run, party, uint64_t{kMappedBatches} * run.number + batch + 1);
    for (int line = 0; line < kLines; ++line) {
      seen[batch * kLines + line] =
          Execute(code, run, home, line, ValueOf(batch));
    }
  }
  gasnet_put_bulk(0, Of(0)->seen[party], seen,
                  static_cast<size_t>(run.batches) * kLines);
}

bool IsForbidden(const Litmus& litmus, int round) {
  for (int party = 0; party < litmus.parties; ++party) {
    if (Of(0)->seen[party][round] != litmus.forbidden[party]) return false;
  }
  return true;
}

void CheckRun(const Run& run) {
  const int rounds = run.batches * kLines;
  int forbidden = 0;
  for (int round = 0; round < rounds; ++round) {
    forbidden += IsForbidden(*run.litmus, round);
  }
  if (forbidden > 0) {
    fprintf(stderr, "*** %s, %s, %s %s: %d of %d rounds\n", run.litmus->name,
            kPuts[run.way].name, run.together ? "threads" : "nodes",
            run.at_the_putters ? "put at home" : "get at home", forbidden,
            rounds);
  }
  CHECK_EQ(forbidden, 0);
}

// Returns the number of batches of the next run, at most `most`. All nodes get
// the same number. Calls Barrier().
int BatchesOfNext(int most) {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point begin = Clock::now();
  if (gasnet_mynode() == 0) {
    const bool is_long = Clock::now() - begin > std::chrono::seconds(15);
    const uint64_t batches =
        is_long ? std::max(most / 20, 1) : static_cast<uint64_t>(most);
    for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
      gasnet_put_val(node, &Of(node)->batches, batches, sizeof(batches));
    }
  }
  Barrier();
  return static_cast<int>(Of(gasnet_mynode())->batches);
}

void Execute(const Run& run) {
  memset(Of(gasnet_mynode())->x, 0, sizeof(Area::x));
  memset(Of(gasnet_mynode())->y, 0, sizeof(Area::y));
  Barrier();
  RunThreads(kThreads, [&](int thread) {
    for (int party = 0; party < run.litmus->parties; ++party) {
      if (NodeOf(run, party) == gasnet_mynode() &&
          ThreadOf(run, party) == thread)
        RunParty(run, party);
    }
  });
  Barrier();
  if (gasnet_mynode() == 0) CheckRun(run);
}

// Returns true if every node reaches all memory by loads and stores.
bool IsMapped() {
#ifdef GASNET_PSHM
  std::vector<gasnet_nodeinfo_t> info(gasnet_nodes());
  CHECK_OK(gasnet_getNodeInfo(info.data(), static_cast<int>(info.size())));
  return std::all_of(info.begin(), info.end(), [&](const auto& node) {
    return node.supernode == info[0].supernode;
  });
#else
  return false;
#endif
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT: the whole program is in there
  StartJob(&argc, &argv, nullptr, 0, sizeof(Area));
  const int parties = static_cast<int>(gasnet_nodes()) * kThreads;
  const bool mapped = IsMapped();
  int number = 0;
  for (const Litmus& litmus : kLitmus) {
    if (litmus.parties > parties) continue;
    // More than two parties hardly ever run at the same time, and delay each
    // other. Such a test runs fewer batches.
    const bool crowded = litmus.parties > 2 || gasnet_nodes() > 2;
    const int batches = crowded ? kMappedBatches / 20 : kMappedBatches;
    for (int way = 0; way < COUNT_OF(kPuts); ++way) {
      for (int where = 0; where < (kThreads > 1 ? 4 : 2); ++where) {
        Execute({&litmus, way, where % 2 != 0, where / 2 != 0, mapped, number++,
                 BatchesOfNext(mapped ? batches : 1)});
      }
    }
  }
  return FinishJob();
}
