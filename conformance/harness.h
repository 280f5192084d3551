// The common part of the programs of the conformance suite.
//
// A test is an SPMD program over the public API: every node runs the same
// main(), checks what it sees, and ends with FinishJob(). A check that fails
// prints one line that says where and what, and ends the whole job with code 1.
// Nothing here watches the clock: a job that hangs is ended by the time limit
// of the launcher.
//
// For C11 and C++20. Checks may be used anywhere, in handlers and threads too,
// because gasnet_exit may be called anywhere.
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

// gasnet_init, which must succeed.
void InitJob(int* argc, char*** argv);

// gasnet_attach with the handlers in `table`, so that each node has at least
// `bytes` of memory that its peers may access. Collective, and a barrier.
void AttachJob(gasnet_handlerentry_t* table, int entries, size_t bytes);

// Both of the above.
void StartJob(int* argc, char*** argv, gasnet_handlerentry_t* table,
              int entries, size_t bytes);

// A barrier, the line "PASSED" that the runner looks for, and gasnet_exit(0).
// Does not return; has a value so that main() can end in `return FinishJob();`.
int FinishJob(void);

// Ends the job without having tested anything: the runner counts a skip. Every
// node must call it, after AttachJob.
void SkipTest(const char* reason);

// The same, unless an operation was seen to be under way: a synchronization of
// what was complete when it began tests nothing.
void SkipUnlessInFlight(int seen_in_flight);

// An anonymous barrier.
void Barrier(void);

// The start of the memory of `node` that its peers may access, aligned to a
// page: its segment or, under GASNET_SEGMENT_EVERYTHING, a block of its heap.
char* SharedMemory(gasnet_node_t node);

// One row of a table of handlers.
#define HANDLER(index, function) \
  { (gasnet_handler_t)(index), (void (*)(void))(function) }

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

// --- Threads ---

// Runs body(0, context) ... body(count - 1, context) and returns when all have
// finished. Each has a thread of its own. They run at once under GASNET_PAR;
// under GASNET_PARSYNC they take turns, from one LetOthersRun to the next;
// under GASNET_SEQ the calling thread runs them all, one after the other. So
// bodies must not wait for each other, except in a test for GASNET_PAR alone.
void RunInThreads(int count, void (*body)(int thread, void* context),
                  void* context);

// To be called by bodies here and there, above all where operations are under
// way: under GASNET_PARSYNC the other threads have a turn each before it
// returns. Holds no lock when it is called.
void LetOthersRun(void);

// Returns true if the thread, of any process of this machine, waits for
// something and does not want a processor.
bool IsAsleep(int thread);

// --- Data ---

// Fills `bytes` bytes with a pattern that depends on `key`.
void FillPattern(void* buffer, size_t bytes, uint32_t key);

// Sizes at which an implementation may change its course: 0 to 16, then the
// powers of two and their neighbours, then `limit` itself. For a loop like
//   for (size_t n = 0; n <= limit; n = NextSize(n, limit))
size_t NextSize(size_t size, size_t limit);

// The seed of all pseudo-random numbers: CONFORMANCE_SEED of the environment,
// or a fixed number. A failed check prints it.
uint64_t RandomSeed(void);

// --- Checks ---

#define CHECK(condition) \
  ((condition) ? (void)0 \
               : CONFORMANCE_SCOPE FailCheck(#condition, __FILE__, __LINE__))

// For integers and pointers.
#define CHECK_EQ(left, right)                                         \
  CONFORMANCE_SCOPE CheckEqual((long long)(left), (long long)(right), \
                               #left " == " #right, __FILE__, __LINE__)

// The value of a function that returns GASNET_OK or an error.
#define CHECK_OK(call) \
  CONFORMANCE_SCOPE CheckResult(call, GASNET_OK, #call, __FILE__, __LINE__)
#define CHECK_RESULT(call, expected) \
  CONFORMANCE_SCOPE CheckResult(call, expected, #call, __FILE__, __LINE__)

// That a buffer holds what FillPattern would have put there.
#define CHECK_PATTERN(buffer, bytes, key) \
  CONFORMANCE_SCOPE CheckPattern(buffer, bytes, key, __FILE__, __LINE__)

// That every byte of a buffer has the value.
#define CHECK_BYTES(buffer, bytes, value) \
  CONFORMANCE_SCOPE CheckBytes(buffer, bytes, value, __FILE__, __LINE__)

// The function behind the macros.
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

// RunInThreads for anything that can be called with the number of the thread.
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

// Runs the case that the only argument names, which must exist.
void RunCase(int argc, char** argv, const Case* cases, int count);

// For programs that do what the specification forbids, and must be ended for
// it: node 0 runs the case; the others enter one barrier, and then serve the
// network. Should node 0 survive, the job ends with code 0, which the runner
// does not accept.
void RunMisuse(int argc, char** argv, const Case* cases, int count);

// Pseudo-random numbers: the same for the same seed and stream.
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

  // From 0 to limit - 1.
  uint64_t Below(uint64_t limit) { return Next() % limit; }

 private:
  uint64_t state_;
};

}  // namespace conformance
#endif

#endif  // CONFORMANCE_HARNESS_H_
