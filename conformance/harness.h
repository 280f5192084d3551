// The common part of the programs of the conformance suite.
//
// A test is an SPMD program over the public API. Every node runs the same
// main(), checks its observations, and ends with FinishJob(). A check that
// fails prints one line with its place and its condition, and ends the whole
// job with code 1. No function here reads the clock; if a job hangs, the time
// limit of the launcher ends it.
//
// This header supports C11 and C++20. Checks may be used anywhere, in handlers
// and threads too, because gasnet_exit may be called anywhere.
#ifndef CONFORMANCE_HARNESS_H_
#define CONFORMANCE_HARNESS_H_

#include <gasnet.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
#define CONFORMANCE_SCOPE ::conformance::
namespace conformance {
extern "C" {
#else
#define CONFORMANCE_SCOPE
#endif

// --- The job ---

// Calls gasnet_init, and checks that it succeeds.
void InitJob(int* argc, char*** argv);

// Calls gasnet_attach with the handlers in `table`. Each node then has at least
// `bytes` bytes of memory that its peers may access. Collective; includes a
// barrier.
void AttachJob(gasnet_handlerentry_t* table, int entries, size_t bytes);

// Calls InitJob and AttachJob.
void StartJob(int* argc, char*** argv, gasnet_handlerentry_t* table,
              int entries, size_t bytes);

// Enters a barrier, prints the line "PASSED" that the test runner looks for,
// and calls gasnet_exit(0). Does not return. The type is int only so that
// main() can end in `return FinishJob();`.
int FinishJob(void);

// Ends the job without having tested anything. The test runner counts the test
// as skipped. Called by every node, after AttachJob.
void SkipTest(const char* reason);

// Calls SkipTest, unless an operation was seen under way. A test that
// synchronizes only operations that were already complete tests nothing.
void SkipUnlessInFlight(int seen_in_flight);

// Enters an anonymous barrier.
void Barrier(void);

// Returns the start of the memory of `node` that its peers may access, aligned
// to a page. The memory is the node's segment or, under
// GASNET_SEGMENT_EVERYTHING, a block of its heap.
char* SharedMemory(gasnet_node_t node);

// Expands to one row of a handler table.
#define HANDLER(index, function) \
  { (gasnet_handler_t)(index), (void (*)(void))(function) }

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

// --- Threads ---

// Runs body(0, context) ... body(count - 1, context), and returns when all have
// finished.
//
// - Under GASNET_PAR, each body has its own thread, and all run at once.
// - Under GASNET_PARSYNC, each body has its own thread. The threads take
//   turns: a turn lasts from one LetOthersRun to the next.
// - Under GASNET_SEQ, the calling thread runs the bodies, one after the
//   other.
//
// Bodies must not wait for each other, except in a test that runs only under
// GASNET_PAR.
void RunInThreads(int count, void (*body)(int thread, void* context),
                  void* context);

// Lets other threads run. Under GASNET_PARSYNC, each of them has a turn before
// this call returns. Bodies call this function now and then, above all while
// operations are under way. The caller must hold no lock.
void LetOthersRun(void);

// Returns true if the thread sleeps in the kernel and wants no processor.
// `thread` may belong to any process of this machine.
bool IsAsleep(int thread);

// --- Data ---

// Fills `bytes` bytes with a pattern that depends on `key`.
void FillPattern(void* buffer, size_t bytes, uint32_t key);

// Returns the next size to test: one at which an implementation may change its
// behaviour. The sizes are 0 to 16, then the powers of two and their
// neighbours, then `limit` itself. Used in loops like
//     for (size_t n = 0; n <= limit; n = NextSize(n, limit))
size_t NextSize(size_t size, size_t limit);

// Returns the seed of all pseudo-random numbers: the environment variable
// CONFORMANCE_SEED, or a fixed number. A failed check prints the seed.
uint64_t RandomSeed(void);

// --- Checks ---

#define CHECK(condition) \
  ((condition) ? (void)0 \
               : CONFORMANCE_SCOPE FailCheck(#condition, __FILE__, __LINE__))

// Checks that two integers or pointers are equal.
#define CHECK_EQ(left, right)                                         \
  CONFORMANCE_SCOPE CheckEqual((long long)(left), (long long)(right), \
                               #left " == " #right, __FILE__, __LINE__)

// Checks that a function returns GASNET_OK.
#define CHECK_OK(call) \
  CONFORMANCE_SCOPE CheckResult(call, GASNET_OK, #call, __FILE__, __LINE__)
#define CHECK_RESULT(call, expected) \
  CONFORMANCE_SCOPE CheckResult(call, expected, #call, __FILE__, __LINE__)

// Checks that a buffer holds the pattern of FillPattern.
#define CHECK_PATTERN(buffer, bytes, key) \
  CONFORMANCE_SCOPE CheckPattern(buffer, bytes, key, __FILE__, __LINE__)

// Checks that every byte of a buffer equals `value`.
#define CHECK_BYTES(buffer, bytes, value) \
  CONFORMANCE_SCOPE CheckBytes(buffer, bytes, value, __FILE__, __LINE__)

// The functions behind the macros.
void FailCheck(const char* what, const char* file, int line);
void CheckEqual(long long left, long long right, const char* what,
                const char* file, int line);
void CheckResult(int result, int expected, const char* call, const char* file,
                 int line);
void CheckPattern(const void* buffer, size_t bytes, uint32_t key,
                  const char* file, int line);
void CheckBytes(const void* buffer, size_t bytes, int value, const char* file,
                int line);

#ifdef __cplusplus
}  // extern "C"

// Calls RunInThreads with any callable that takes the thread's number.
template <typename Body>
void RunThreads(int count, Body body) {
  RunInThreads(
      count,
      [](int thread, void* context) { (*static_cast<Body*>(context))(thread); },
      &body);
}

// One of several cases that a program can run, chosen by its argument.
struct Case {
  const char* name;
  void (*run)();
};

// Runs the case that the only argument names. The case must exist.
void RunCase(int argc, char** argv, const Case* cases, int count);

// Runs a case that the specification forbids and that must end the program.
// Node 0 runs the case. The other nodes enter one barrier, and then serve the
// network. If node 0 survives, the job ends with code 0. The test runner does
// not accept this code.
void RunMisuse(int argc, char** argv, const Case* cases, int count);

// Generates pseudo-random numbers. The same seed and stream give the same
// numbers.
class Random {
 public:
  explicit Random(uint64_t stream)
      : state_(RandomSeed() * 0x9E3779B97F4A7C15u + stream) {}

  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
  }

  // Returns a number from 0 to limit - 1.
  uint64_t Below(uint64_t limit) { return Next() % limit; }

 private:
  uint64_t state_;
};

}  // namespace conformance
#endif

#endif  // CONFORMANCE_HARNESS_H_
