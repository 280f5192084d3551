// gasnet_finalize ends GASNet, and gasnet_init starts it again in the same
// process. The first argument is the number of such lives (gasnet_finalize.h).
// One function runs all lives. This reveals values that the compiler wrongly
// takes to be constant, and carries into the next life. Each life has another
// segment and other handlers. It also has other settings, if the process may
// change them.
//
// The second argument says how the last node ends in the last life:
//
// - "killed": it is killed.
// - "absent": it takes no part while the other nodes finalize.
// - "exits": it calls gasnet_exit between two lives.
#include <dirent.h>
#include <gasnet_coll.h>
#include <gasnet_finalize.h>
#include <gasnet_vis.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

// bytes that each node owns in a peer's segment
constexpr size_t kBlock = 16 << 10;
constexpr int kWords = 64;

gasnet_handler_t request, reply;
std::atomic<int> requests, replies;
int32_t expected;  // the argument of each message

void OnRequest(gasnet_token_t token, void*, size_t, gasnet_handlerarg_t word) {
  CHECK_EQ(word, expected);
  ++requests;
  CHECK_OK(gasnet_AMReplyShort1(token, reply, word + 1));
}

void OnReply(gasnet_token_t, gasnet_handlerarg_t word) {
  CHECK_EQ(word, expected + 1);
  ++replies;
}

// --- The state of this process ---

#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadSanitizer = true;
#elif defined(__has_feature)
constexpr bool kThreadSanitizer = __has_feature(thread_sanitizer);
#else
constexpr bool kThreadSanitizer = false;
#endif

extern "C" [[gnu::weak]] void __sanitizer_symbolize_pc(void* pc,
                                                       const char* format,
                                                       char* text, size_t size);

// Makes the thread sanitizer start its symbolizer before descriptors are
// counted. The symbolizer is a process, and the sanitizer keeps pipes to it.
// The sanitizer starts it with the first look-up of a symbol.
void StartSymbolizer() {
  if (!kThreadSanitizer) return;
  char text[256];
  __sanitizer_symbolize_pc(reinterpret_cast<void*>(&StartSymbolizer), "%f",
                           text, sizeof text);
}

size_t EntriesOf(const char* directory) {
  DIR* const open = opendir(directory);
  CHECK(open != nullptr);
  size_t count = 0;
  while (readdir(open) != nullptr) ++count;
  closedir(open);
  return count;
}

// Returns the number of shared mappings (of any kind) that this process has.
size_t SharedMappings() {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);) {
    // A line has an address, a blank, and the permissions: "rw-s" is shared.
    const size_t blank = line.find(' ');
    if (blank != std::string::npos && line[blank + 4] == 's') ++count;
  }
  return count;
}

std::vector<void (*)(int)> Handlers() {
  std::vector<void (*)(int)> all;
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action = {};
    sigaction(number, nullptr, &action);
    all.push_back(action.sa_handler);
  }
  return all;
}

struct ProcessState {
  size_t descriptors = EntriesOf("/proc/self/fd");
  // The number of entries in the directory: the threads, ".", and "..". Adds
  // the thread that the thread sanitizer starts later.
  size_t threads = EntriesOf("/proc/self/task") + kThreadSanitizer;
  size_t shared = SharedMappings();
  std::vector<void (*)(int)> handlers = Handlers();
};

// Ends the process if `right` is false. Unlike CHECK of the harness, this needs
// no running job.
void Require(bool right, const char* what, size_t before, size_t now) {
  if (right) return;
  fprintf(stderr, "gasnet_finalize leaves %s: %zu, %zu before gasnet_init\n",
          what, now, before);
  abort();
}

void TellDescriptors() {
  const std::string directory = "/proc/self/fd/";
  DIR* const open = opendir(directory.c_str());
  CHECK(open != nullptr);
  while (const dirent* const entry = readdir(open)) {
    char target[256] = {};
    if (readlink((directory + entry->d_name).c_str(), target,
                 sizeof target - 1) > 0) {
      fprintf(stderr, "descriptor %s: %s\n", entry->d_name, target);
    }
  }
  closedir(open);
}

void CheckNothingIsLeft(const ProcessState& before) {
  const ProcessState now;
  if (now.descriptors > before.descriptors) TellDescriptors();
  Require(now.descriptors <= before.descriptors, "descriptors",
          before.descriptors, now.descriptors);
  // The kernel lists a joined thread for a moment longer.
  while (EntriesOf("/proc/self/task") > before.threads) sched_yield();
  Require(now.shared == before.shared, "shared memory", before.shared,
          now.shared);
  for (size_t i = 0; i < now.handlers.size(); ++i) {
    Require(now.handlers[i] == before.handlers[i], "the handler of a signal",
            i + 1, i + 1);
  }
}

// Changes settings before each life.
void ChangeSettings(int life) {
  const char* const barriers[] = {"AMDISSEM", "AMCENTRAL"};
  setenv("GASNET_BARRIER", barriers[life % 2], 1);
  if (life % 3 == 0) unsetenv("GASNET_BARRIER");
  // Every second life maps the memory of peers; the next one does not.
  setenv("GASNET_SUPERNODE_MAXSIZE", life % 2 == 0 ? "0" : "1", 1);
}

// Checks that settings have their current values. From the second life on, this
// includes values that the process set itself.
void CheckSettings() {
  const char* const own = getenv("GASNET_BARRIER");
  const char* const of_job = gasnet_getenv("GASNET_BARRIER");
  CHECK_EQ(own == nullptr, of_job == nullptr);
  CHECK(own == nullptr || strcmp(own, of_job) == 0);
}

// Checks that the memory of the process does not keep growing. This is memory
// that is in use, or that the C library keeps for later use. Its amount
// fluctuates.
class Growth {
 public:
  void CheckAfter(int life) {
    const struct mallinfo2 info = mallinfo2();
    const size_t now = info.uordblks + info.hblkhd;
    if (life == kFirst) begin_ = now;
    if (life < 2 * kFirst) return;
    const size_t most = begin_ + kMaxOfLife * static_cast<size_t>(life);
    Require(now <= most, "more and more memory", most, now);
  }

 private:
  static constexpr int kFirst = 20;
  static constexpr size_t kMaxOfLife = 500;

  size_t begin_ = 0;
};

// Sends requests to node 0 while node 0 finalizes. It must still answer them.
void AskDuringFinalize() {
  if (gasnet_mynode() == 0 || gasnet_mynode() + 1 < gasnet_nodes()) return;
  for (int i = 0; i < 100; ++i) {
    const int before = replies;
    CHECK_OK(gasnet_AMRequestMedium1(0, request, nullptr, 0, expected));
    GASNET_BLOCKUNTIL(replies > before);
  }
}

void Live(int lives, const std::string& end, int* argc, char*** argv) {
  const ProcessState before;
  Growth growth;
  for (int life = 0; life < lives; ++life) {
    ChangeSettings(life);
    // An extra life that ends before gasnet_attach.
    if (life % 4 == 2) {
      InitJob(argc, argv);
      CHECK_OK(gasnet_finalize());
      CheckNothingIsLeft(before);
    }
    InitJob(argc, argv);
    const gasnet_node_t me = gasnet_mynode();
    const gasnet_node_t nodes = gasnet_nodes();
    const gasnet_node_t peer = (me + 1) % nodes;
    CHECK(me < nodes);
    if (life > 0) CheckSettings();

    request = static_cast<gasnet_handler_t>(128 + life % 50);
    reply = static_cast<gasnet_handler_t>(200 + life % 50);
    requests = replies = 0;
    expected = life;
    gasnet_handlerentry_t handlers[] = {HANDLER(request, OnRequest),
                                        HANDLER(reply, OnReply)};
    AttachJob(handlers, COUNT_OF(handlers),
              kBlock * (1 + static_cast<size_t>(life % 5)));
    char* const mine = SharedMemory(me);
    auto* const there = reinterpret_cast<uint64_t*>(SharedMemory(peer));

    // The segment holds no data of an earlier life.
#ifndef GASNET_SEGMENT_EVERYTHING
    CHECK_BYTES(mine, kBlock, 0);
    Barrier();
#endif

    // Tests accesses that the compiler inlines, of constant and of variable
    // size.
    const uint64_t word = 1000 * static_cast<uint64_t>(life) + peer;
    gasnet_put_val(peer, there, word, sizeof word);
    gasnet_put(peer, there + 1, &word, sizeof word);
    uint64_t words[kWords];
    for (int i = 0; i < kWords; ++i) words[i] = word + i;
    gasnet_handle_t handle =
        gasnet_put_nb_bulk(peer, there + kWords, words, sizeof words);
    gasnet_put_nbi(peer, there + 2, &word, sizeof word);
    gasnet_wait_syncnb(handle);
    gasnet_wait_syncnbi_all();
    CHECK_EQ(gasnet_get_val(peer, there, sizeof word), word);
    uint64_t got[kWords] = {};
    gasnet_get_bulk(got, peer, there + kWords, sizeof got);
    CHECK_EQ(memcmp(got, words, sizeof got), 0);

    // Tests messages.
    for (int i = 0; i < 3; ++i) {
      CHECK_OK(
          gasnet_AMRequestMedium1(peer, request, words, sizeof words, life));
    }
    CHECK_OK(gasnet_AMRequestLong1(peer, request, words, sizeof words,
                                   there + 2 * kWords, life));
    GASNET_BLOCKUNTIL(replies == 4);

    // Tests transfers in pieces.
    gasnet_memvec_t from = {words, sizeof words};
    gasnet_memvec_t to[] = {{there + 3 * kWords, sizeof words / 2},
                            {there + 4 * kWords, sizeof words / 2}};
    gasnet_putv_bulk(peer, 2, to, 1, &from);

    Barrier();
    const auto* const here = reinterpret_cast<const uint64_t*>(mine);
    const uint64_t arrived = 1000 * static_cast<uint64_t>(life) + me;
    for (int i = 0; i < 3; ++i) CHECK_EQ(here[i], arrived);
    CHECK_EQ(here[2 * kWords + 7], arrived + 7);
    CHECK_EQ(here[4 * kWords], arrived + kWords / 2);
    CHECK_EQ(requests, 4);

    // Tests a collective.
    gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
    uint64_t root = me == 0 ? word : 0, all = 0;
    gasnet_coll_broadcast(
        GASNET_TEAM_ALL, &all, 0, &root, sizeof all,
        GASNET_COLL_LOCAL | GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC);
    CHECK_EQ(all, 1000 * static_cast<uint64_t>(life) + 1 % nodes);

    if (life + 1 == lives && end.empty()) return;
    if (life + 1 == lives && me + 1 == nodes) {
      if (end == "killed") raise(SIGKILL);
      if (end == "absent") _exit(0);
    }
    AskDuringFinalize();
    CHECK_OK(gasnet_finalize());
    Require(gasnet_finalize() == GASNET_ERR_NOT_INIT, "a job", 0, 1);
    CheckNothingIsLeft(before);
    growth.CheckAfter(life);
    if (life + 1 == lives && me + 1 == nodes && end == "exits") gasnet_exit(43);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartSymbolizer();
  const int lives = argc > 1 ? atoi(argv[1]) : 3;
  conformance::Live(lives, argc > 2 ? argv[2] : "", &argc, &argv);
  // The job ends during this call.
  if (argc > 2) conformance::InitJob(&argc, &argv);
  return conformance::FinishJob();
}
