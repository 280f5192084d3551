// Random updates to a table that is distributed over all ranks. It is the
// hardest case for a network: only tiny transfers, without locality.
//
// An update is table[i] ^= value with random i and value. There are two
// methods:
// - am: sends the update to the rank that owns the word. A handler there
//   applies it atomically. No update is lost.
// - getput: gets the word, changes it locally, and puts it back. The
//   owner's processor takes no part, but another rank's update between the
//   get and the put is lost.
//
// At the end every rank computes the expected contents of its part of the table
// from the updates of all ranks, and counts the words that differ. With am no
// word may differ; with getput at most one percent may.

#include <gasnet.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "examples/util/job.h"
#include "examples/util/options.h"

namespace {

using example::Rank;
using example::Size;

constexpr gasnet_handler_t kUpdateHandler = 128;
constexpr double kAcceptableLoss = 0.01;

uint64_t g_log2_words = 20;
uint64_t g_updates_per_rank = 0;

// --- The table: word i is word i / Size() of rank i % Size(). ---------------

uint64_t Words() { return uint64_t{1} << g_log2_words; }
uint64_t WordsPerRank() { return (Words() + Size() - 1) / Size(); }

uint64_t* TableOf(gasnet_node_t rank) {
  return reinterpret_cast<uint64_t*>(example::SegmentOf(rank));
}

// Returns the counters that follow a rank's part of the table. Counter r is the
// number of updates that rank r has sent there.
uint64_t* CountersOf(gasnet_node_t rank) {
  return TableOf(rank) + WordsPerRank();
}

size_t NeededBytes() { return (WordsPerRank() + Size()) * sizeof(uint64_t); }

uint64_t InitialWord(gasnet_node_t rank, uint64_t local) {
  return local * Size() + rank;
}

// --- The updates ------------------------------------------------------------

// Returns the value of update n of a rank. It is a hash of both numbers, so
// every rank can recompute the updates of all others.
uint64_t Value(gasnet_node_t rank, uint64_t n) {
  uint64_t x = (uint64_t{rank} << 40 | n) + 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

struct Update {
  gasnet_node_t owner;
  uint64_t local;
  uint64_t value;
};

Update UpdateOf(gasnet_node_t rank, uint64_t n) {
  const uint64_t value = Value(rank, n);
  const uint64_t word = value & (Words() - 1);
  return {static_cast<gasnet_node_t>(word % Size()), word / Size(), value};
}

// --- By active message ------------------------------------------------------

std::atomic<uint64_t> g_applied{0};

// Handlers may run at any time and on any thread, even two at once. So the
// update is atomic, although main() uses only one thread.
void OnUpdate(gasnet_token_t, gasnet_handlerarg_t local,
              gasnet_handlerarg_t high, gasnet_handlerarg_t low) {
  const uint64_t value =
      uint64_t{static_cast<uint32_t>(high)} << 32 | static_cast<uint32_t>(low);
  uint64_t& word = TableOf(Rank())[static_cast<uint32_t>(local)];
  std::atomic_ref(word).fetch_xor(value, std::memory_order_relaxed);
  g_applied.fetch_add(1, std::memory_order_release);
}

gasnet_handlerentry_t g_handlers[] = {
    {kUpdateHandler, reinterpret_cast<void (*)()>(OnUpdate)}};

void Send(const Update& update) {
  const int result = gasnet_AMRequestShort3(
      update.owner, kUpdateHandler,
      static_cast<gasnet_handlerarg_t>(update.local),
      static_cast<gasnet_handlerarg_t>(update.value >> 32),
      static_cast<gasnet_handlerarg_t>(update.value));
  if (result != GASNET_OK) {
    example::Die("gasnet_AMRequestShort3: %s", gasnet_ErrorDesc(result));
  }
}

// Waits until all updates have been applied. A message that was sent may not
// have been handled yet. Handlers do not reply to each update. Instead every
// rank tells all others how many updates it sent them. Then it waits until it
// has applied all updates that were sent to it.
void WaitUntilAllApplied(const std::vector<uint64_t>& sent) {
  for (gasnet_node_t rank = 0; rank < Size(); ++rank) {
    gasnet_put_nbi_val(rank, CountersOf(rank) + Rank(), sent[rank],
                       sizeof(uint64_t));
  }
  gasnet_wait_syncnbi_puts();
  example::Barrier();
  uint64_t expected = 0;
  for (gasnet_node_t rank = 0; rank < Size(); ++rank) {
    expected += CountersOf(Rank())[rank];
  }
  GASNET_BLOCKUNTIL(g_applied.load(std::memory_order_acquire) == expected);
}

void UpdateByMessages() {
  std::vector<uint64_t> sent(Size(), 0);
  for (uint64_t n = 0; n < g_updates_per_rank; ++n) {
    const Update update = UpdateOf(Rank(), n);
    Send(update);
    ++sent[update.owner];
  }
  WaitUntilAllApplied(sent);
}

// --- By get and put ---------------------------------------------------------

// Returns the maximum number of updates in flight. Several updates at a time
// hide the latency of each. A small table allows fewer, since more updates
// would collide.
uint64_t Lookahead() {
  return std::clamp<uint64_t>(Words() / (1000 * uint64_t{Size()}), 1, 16);
}

void UpdateByGetAndPut() {
  std::vector<Update> batch;
  std::vector<uint64_t> words(Lookahead());
  for (uint64_t n = 0; n < g_updates_per_rank; n += batch.size()) {
    batch.clear();
    const uint64_t end = std::min(n + Lookahead(), g_updates_per_rank);
    for (uint64_t i = n; i < end; ++i) {
      const Update update = UpdateOf(Rank(), i);
      gasnet_get_nbi(&words[batch.size()], update.owner,
                     TableOf(update.owner) + update.local, sizeof(uint64_t));
      batch.push_back(update);
    }
    gasnet_wait_syncnbi_gets();
    for (size_t i = 0; i < batch.size(); ++i) {
      gasnet_put_nbi_val(batch[i].owner,
                         TableOf(batch[i].owner) + batch[i].local,
                         words[i] ^ batch[i].value, sizeof(uint64_t));
    }
    gasnet_wait_syncnbi_puts();
  }
}

// --- Running and checking ---------------------------------------------------

void FillTable() {
  for (uint64_t i = 0; i < WordsPerRank(); ++i) {
    TableOf(Rank())[i] = InitialWord(Rank(), i);
  }
  g_applied = 0;
  example::Barrier();
}

uint64_t CountWrongWords() {
  std::vector<uint64_t> expected(WordsPerRank());
  for (uint64_t i = 0; i < expected.size(); ++i) {
    expected[i] = InitialWord(Rank(), i);
  }
  for (gasnet_node_t rank = 0; rank < Size(); ++rank) {
    for (uint64_t n = 0; n < g_updates_per_rank; ++n) {
      const Update update = UpdateOf(rank, n);
      if (update.owner == Rank()) expected[update.local] ^= update.value;
    }
  }
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < expected.size(); ++i) {
    wrong += expected[i] != TableOf(Rank())[i];
  }
  return example::Sum(wrong);
}

// Runs a method. Returns true if at most `acceptable_loss` of the words are
// wrong.
bool Run(const char* method, void (*update)(), double acceptable_loss) {
  FillTable();
  const double start = example::Now();
  update();
  example::Barrier();
  const double seconds = example::Now() - start;

  const uint64_t wrong = CountWrongWords();
  const double loss = static_cast<double>(wrong) / static_cast<double>(Words());
  const bool good = loss <= acceptable_loss;
  const double updates = static_cast<double>(g_updates_per_rank) * Size();
  if (example::IsRoot()) {
    std::printf("%-7s %.0f updates in %.3f s: %.3f million/s, ", method,
                updates, seconds, updates / seconds / 1e6);
    std::printf("%llu wrong words (%.4f%%): %s\n",
                static_cast<unsigned long long>(wrong), loss * 100,
                good ? "ok" : "TOO MANY");
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  example::Start(&argc, &argv);
  uint64_t updates = 1 << 20;
  std::string method = "both";
  example::Options options(
      "gups [OPTION...]",
      "Random updates per second to a table spread over all ranks.");
  options.Number("log2-words", &g_log2_words, 16, 31,
                 "size of the table: 2 to the N words of 8 bytes");
  options.Number("updates", &updates, 1, uint64_t{1} << 39,
                 "how many updates, all ranks together");
  options.Text("method", "am|getput|both", &method, "how to update");
  options.ParseOrExit(argc, argv);
  if (method != "am" && method != "getput" && method != "both") {
    options.Reject("--method '" + method + "': accepts am, getput or both");
  }
  g_updates_per_rank = (updates + Size() - 1) / Size();
  if (NeededBytes() > example::MaxSegmentBytes()) {
    options.Reject(absl::StrCat("--log2-words ", g_log2_words, ": needs ",
                                NeededBytes(), " bytes on every rank, only ",
                                example::MaxSegmentBytes(), " are available"));
  }
  example::Attach(g_handlers, NeededBytes());

  if (example::IsRoot()) {
    std::printf("%u ranks, a table of %llu words\n", Size(),
                static_cast<unsigned long long>(Words()));
  }
  bool good = true;
  if (method != "getput") good &= Run("am", UpdateByMessages, 0);
  if (method != "am") good &= Run("getput", UpdateByGetAndPut, kAcceptableLoss);
  example::Finish(good ? 0 : 1);
}
