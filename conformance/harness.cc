#include "conformance/harness.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <memory>
#include <string>

#include "absl/synchronization/mutex.h"

namespace conformance {
namespace {

constexpr uint64_t kDefaultSeed = 20061102;

std::unique_ptr<char*[]> memory_of;  // indexed by node
std::atomic<gasnet_node_t> known{0};

// Returns bytes 8 * word to 8 * word + 7 of a pattern. All words of a pattern
// differ, so a misplaced word is noticed.
uint64_t PatternWord(uint32_t key, uint64_t word) {
  uint64_t mixed = (uint64_t{key} << 32 ^ word) * 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ (mixed >> 32)) * 0xBF58476D1CE4E5B9u;
  return mixed ^ (mixed >> 29);
}

uint8_t PatternByte(uint32_t key, size_t index) {
  return static_cast<uint8_t>(PatternWord(key, index / 8) >> (index % 8 * 8));
}

[[noreturn]] void Fail() {
  fflush(stderr);
  gasnet_exit(1);
  // Not reached, but gasnet.h need not declare that gasnet_exit never returns.
  abort();
}

// Prints "*** node 1: am/short.cc:30: (seed 20061102) " on standard error.
void PrintPlace(const char* file, int line) {
  fprintf(stderr, "*** node %u: %s:%d: (seed %llu) ",
          static_cast<unsigned>(gasnet_mynode()), file, line,
          static_cast<unsigned long long>(RandomSeed()));
}

void LearnAddress(gasnet_token_t token, gasnet_handlerarg_t high,
                  gasnet_handlerarg_t low) {
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  const uintptr_t address =
      (static_cast<uintptr_t>(high) << 32) | static_cast<uint32_t>(low);
  memory_of[source] = reinterpret_cast<char*>(address);
  ++known;
}

#ifdef GASNET_SEGMENT_EVERYTHING
constexpr bool kOwnMemory = true;
#else
constexpr bool kOwnMemory = false;
#endif

// Ends the job with a line on standard output. After the first barrier all
// nodes have done their part. Without the second barrier, another node's
// gasnet_exit could end node 0 before node 0 prints the line.
void EndJobSaying(const char* what, const char* why) {
  Barrier();
  if (gasnet_mynode() == 0) {
    printf("%s%s\n", what, why);
    fflush(stdout);
  }
  Barrier();
  gasnet_exit(0);
}

// Tells every node the address of this node's memory, and waits for the
// addresses of all nodes.
void ExchangeAddresses(gasnet_handler_t handler, size_t bytes) {
  void* mine = aligned_alloc(GASNET_PAGESIZE, bytes);
  CHECK(mine != nullptr);
  const uintptr_t address = reinterpret_cast<uintptr_t>(mine);
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    CHECK_OK(gasnet_AMRequestShort2(
        peer, handler, static_cast<gasnet_handlerarg_t>(address >> 32),
        static_cast<gasnet_handlerarg_t>(address)));
  }
  GASNET_BLOCKUNTIL(known == gasnet_nodes());
}

void QuerySegments(size_t bytes) {
  const auto info = std::make_unique<gasnet_seginfo_t[]>(gasnet_nodes());
  CHECK_OK(gasnet_getSegmentInfo(info.get(), static_cast<int>(gasnet_nodes())));
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    CHECK(info[node].size >= bytes);
    memory_of[node] = static_cast<char*>(info[node].addr);
  }
}

struct Thread {
  void (*body)(int thread, void* context);
  void* context;
  int number;
  pthread_t id;
  uint64_t place;  // place in the queue for the baton
};

#ifdef GASNET_PARSYNC
// The right to use GASNet. One thread at a time holds the baton. It passes to
// threads in the order of their places in a queue, so that all take turns.
class Baton {
 public:
  uint64_t Queue() {
    const absl::MutexLock lock(&mutex_);
    return next_++;
  }
  void Take(uint64_t place) {
    const auto is_mine = [&] { return serving_ == place; };
    const absl::MutexLock lock(&mutex_, absl::Condition(&is_mine));
  }
  void Give() {
    const absl::MutexLock lock(&mutex_);
    ++serving_;
  }

 private:
  absl::Mutex mutex_;
  uint64_t next_ = 0;
  uint64_t serving_ = 0;
};

Baton baton;
#endif

[[maybe_unused]] void* ThreadMain(void* argument) {
  const Thread& thread = *static_cast<Thread*>(argument);
#ifdef GASNET_PARSYNC
  baton.Take(thread.place);
#endif
  thread.body(thread.number, thread.context);
#ifdef GASNET_PARSYNC
  baton.Give();
#endif
  return nullptr;
}

[[maybe_unused]] void Spawn(Thread& thread) {
  CHECK_EQ(pthread_create(&thread.id, nullptr, ThreadMain, &thread), 0);
}

[[maybe_unused]] void Join(Thread& thread) {
  CHECK_EQ(pthread_join(thread.id, nullptr), 0);
}

}  // namespace

void InitJob(int* argc, char*** argv) { CHECK_OK(gasnet_init(argc, argv)); }

void AttachJob(gasnet_handlerentry_t* table, int entries, size_t bytes) {
  const size_t pages = (bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE;
  const size_t size = pages * GASNET_PAGESIZE;
  const auto all = std::make_unique<gasnet_handlerentry_t[]>(entries + 1);
  for (int i = 0; i < entries; ++i) all[i] = table[i];
  all[entries] = HANDLER(0, LearnAddress);
  memory_of = std::make_unique<char*[]>(gasnet_nodes());
  CHECK_OK(gasnet_attach(all.get(), entries + 1, kOwnMemory ? 0 : size, 0));
  for (int i = 0; i < entries; ++i) table[i].index = all[i].index;
  if (kOwnMemory) {
    ExchangeAddresses(all[entries].index, size);
  } else {
    QuerySegments(size);
  }
  Barrier();
}

void StartJob(int* argc, char*** argv, gasnet_handlerentry_t* table,
              int entries, size_t bytes) {
  InitJob(argc, argv);
  AttachJob(table, entries, bytes);
}

int FinishJob() {
  EndJobSaying("PASSED", "");
  return 0;
}

void SkipTest(const char* reason) { EndJobSaying("SKIPPED: ", reason); }

void SkipUnlessInFlight(int seen_in_flight) {
  if (seen_in_flight) return;
  SkipTest("each operation was complete when it began: nothing to synchronize");
}

void Barrier() {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  CHECK_OK(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS));
}

char* SharedMemory(gasnet_node_t node) { return memory_of[node]; }

void RunInThreads(int count, void (*body)(int thread, void* context),
                  void* context) {
#ifdef GASNET_SEQ
  for (int i = 0; i < count; ++i) body(i, context);
#else
  const auto threads = std::make_unique<Thread[]>(count);
  for (int i = 0; i < count; ++i) {
    threads[i] = {body, context, i, pthread_t(), 0};
#ifdef GASNET_PARSYNC
    // Threads queue in the order of their numbers, regardless of the order in
    // which they start.
    threads[i].place = baton.Queue();
#endif
    Spawn(threads[i]);
  }
  for (int i = 0; i < count; ++i) Join(threads[i]);
#endif
}

void LetOthersRun() {
#ifdef GASNET_PARSYNC
  const uint64_t place = baton.Queue();
  baton.Give();
  baton.Take(place);
#endif
}

void RunCase(int argc, char** argv, const Case* cases, int count) {
  CHECK_EQ(argc, 2);
  for (int i = 0; i < count; ++i) {
    if (strcmp(argv[1], cases[i].name) == 0) return cases[i].run();
  }
  FailCheck("the name of a case", argv[1], 0);
}

void RunMisuse(int argc, char** argv, const Case* cases, int count) {
  if (gasnet_mynode() == 0) {
    RunCase(argc, argv, cases, count);
    fprintf(stderr, "%s: not detected\n", argv[1]);
    gasnet_exit(0);
  }
  Barrier();
  for (;;) CHECK_OK(gasnet_AMPoll());
}

bool IsAsleep(int thread) {
  std::ifstream file("/proc/" + std::to_string(thread) + "/stat");
  std::string line;
  std::getline(file, line);
  const size_t name_end = line.rfind(") ");
  return name_end != std::string::npos && line[name_end + 2] == 'S';
}

void FillPattern(void* buffer, size_t bytes, uint32_t key) {
  uint8_t* const out = static_cast<uint8_t*>(buffer);
  for (size_t done = 0; done < bytes; done += 8) {
    const uint64_t word = PatternWord(key, done / 8);
    memcpy(out + done, &word, std::min<size_t>(8, bytes - done));
  }
}

size_t NextSize(size_t size, size_t limit) {
  size_t next = size + 1;
  if (size >= 16) {
    size_t power = 16;
    while (power + 1 <= size) power *= 2;
    next = size == power - 1 ? power : size == power ? power + 1 : power - 1;
  }
  return size < limit && next > limit ? limit : next;
}

uint64_t RandomSeed() {
  const char* seed = gasnet_getenv("CONFORMANCE_SEED");
  return seed == nullptr || *seed == '\0' ? kDefaultSeed
                                          : strtoull(seed, nullptr, 10);
}

void FailCheck(const char* what, const char* file, int line) {
  PrintPlace(file, line);
  fprintf(stderr, "expected %s\n", what);
  Fail();
}

void CheckEqual(long long left, long long right, const char* what,
                const char* file, int line) {
  if (left == right) return;
  PrintPlace(file, line);
  fprintf(stderr, "expected %s, have %lld (0x%llx) and %lld (0x%llx)\n", what,
          left, left, right, right);
  Fail();
}

void CheckResult(int result, int expected, const char* call, const char* file,
                 int line) {
  if (result == expected) return;
  PrintPlace(file, line);
  fprintf(stderr, "%s returned %s, expected %s\n", call,
          gasnet_ErrorName(result), gasnet_ErrorName(expected));
  Fail();
}

void CheckPattern(const void* buffer, size_t bytes, uint32_t key,
                  const char* file, int line) {
  const uint8_t* in = static_cast<const uint8_t*>(buffer);
  for (size_t i = 0; i < bytes; ++i) {
    if (in[i] == PatternByte(key, i)) continue;
    PrintPlace(file, line);
    fprintf(stderr, "byte %zu of %zu at %p is 0x%02x, expected 0x%02x\n", i,
            bytes, buffer, in[i], PatternByte(key, i));
    Fail();
  }
}

void CheckBytes(const void* buffer, size_t bytes, int value, const char* file,
                int line) {
  const uint8_t* in = static_cast<const uint8_t*>(buffer);
  const uint8_t expected = static_cast<uint8_t>(value);
  for (size_t i = 0; i < bytes; ++i) {
    if (in[i] == expected) continue;
    PrintPlace(file, line);
    fprintf(stderr, "byte %zu of %zu at %p is 0x%02x, expected 0x%02x\n", i,
            bytes, buffer, in[i], expected);
    Fail();
  }
}

}  // namespace conformance
