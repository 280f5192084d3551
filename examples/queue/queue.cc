// A distributed queue of work, with GASNet-EX. Each host (more precisely, each
// neighbourhood of processes that share memory) has a queue: a ticket counter
// in the segment of its first process. A process takes the next ticket by an
// atomic operation. It empties its own neighbourhood's queue first and then
// takes from the others, so that processes that finish early help the rest.
// Results go to rank 0 in messages with a negotiated payload: each message
// carries as many results as it has room for.
//
// The work: compute the number of steps of the Collatz sequence of each number
// up to --numbers. The program prints the longest sequence and checks it.

#include <gasnet_coll.h>
#include <gasnet_ratomic.h>
#include <gasnetex.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr uint64_t kBatch = 64;  // numbers per ticket

struct TaskResult {
  uint64_t number;
  uint64_t steps;
};

gex_Client_t client;
gex_EP_t endpoint;
gex_TM_t all;
gex_TM_t neighbourhood;
gex_AM_Index_t results_handler;

// Used on rank 0 only.
uint64_t results_received = 0;
TaskResult best = {0, 0};

void Check(int result, const char* call) {
  if (result == GASNET_OK) return;
  fprintf(stderr, "queue: %s: %s\n", call, gasnet_ErrorDesc(result));
  gasnet_exit(1);
}

void Meet() { gex_Event_Wait(gex_Coll_BarrierNB(all, 0)); }

bool IsBetter(const TaskResult& a, const TaskResult& b) {
  return a.steps > b.steps || (a.steps == b.steps && a.number < b.number);
}

// Records results. No lock is needed, since a SEQ program has only one thread.
void OnResults(gex_Token_t, void* payload, size_t nbytes) {
  std::vector<TaskResult> results(nbytes / sizeof(TaskResult));
  memcpy(results.data(), payload, nbytes);
  for (const TaskResult& result : results) {
    if (IsBetter(result, best)) best = result;
  }
  results_received += results.size();
}

uint64_t StepsFrom(uint64_t number) {
  uint64_t steps = 0;
  for (; number != 1; ++steps) {
    number = number % 2 == 0 ? number / 2 : 3 * number + 1;
  }
  return steps;
}

// Sends results to rank 0, from index `first` on and as many as fit into one
// message. The library decides how many fit, and SendSome returns this number.
// The results are written directly into the memory that the library sends from.
size_t SendSome(const std::vector<TaskResult>& results, size_t first) {
  const size_t left = (results.size() - first) * sizeof(TaskResult);
  const gex_AM_SrcDesc_t message = gex_AM_PrepareRequestMedium(
      all, 0, nullptr, sizeof(TaskResult), left, nullptr, 0, 0);
  const size_t count = gex_AM_SrcDescSize(message) / sizeof(TaskResult);
  memcpy(gex_AM_SrcDescAddr(message), &results[first],
         count * sizeof(TaskResult));
  gex_AM_CommitRequestMedium0(message, results_handler,
                              count * sizeof(TaskResult));
  return count;
}

// The queues: one for each neighbourhood, in the segment of its first process.
class Queues {
 public:
  // Makes the queues. Collective.
  Queues(uint64_t numbers, gex_Segment_t segment);
  ~Queues() { gex_AD_Destroy(domain_); }
  Queues(const Queues&) = delete;
  Queues& operator=(const Queues&) = delete;

  // Takes a ticket. Tries this neighbourhood's queue first, and then the
  // others. Returns false if no queue has tickets left.
  bool Take(uint64_t& first, uint64_t& end);

 private:
  uint64_t TicketOf(gex_Rank_t queue);

  gex_AD_t domain_;
  uint64_t numbers_;
  std::vector<gex_Rank_t> owners_;  // rank of each queue's first process
  std::vector<void*> counters_;     // address of each counter, at its owner
  size_t mine_ = 0;
  size_t finished_ = 0;  // number of empty queues, counted from mine_ on
};

Queues::Queues(uint64_t numbers, gex_Segment_t segment) : numbers_(numbers) {
  memset(gex_Segment_QueryAddr(segment), 0, sizeof(uint64_t));
  gex_AD_Create(&domain_, all, GEX_DT_U64, GEX_OP_FINC, 0);
  // Finds the first process of each neighbourhood. Every process computes this
  // list: a reduction yields the smallest rank of each neighbourhood.
  gex_Rank_t count = 0;
  gex_Rank_t mine = 0;
  gex_System_QueryMyPosition(&count, &mine, nullptr, nullptr);
  std::vector<uint32_t> firsts(count, GEX_RANK_INVALID);
  firsts[mine] = gex_TM_TranslateRankToJobrank(neighbourhood, 0);
  gex_Event_Wait(gex_Coll_ReduceToAllNB(all, firsts.data(), firsts.data(),
                                        GEX_DT_U32, sizeof(uint32_t), count,
                                        GEX_OP_MIN, nullptr, nullptr, 0));
  mine_ = mine;
  owners_.assign(firsts.begin(), firsts.end());
  for (const gex_Rank_t owner : owners_) {
    void* address = nullptr;
    uintptr_t size = 0;
    gex_Event_Wait(
        gex_EP_QueryBoundSegmentNB(all, owner, &address, nullptr, &size, 0));
    counters_.push_back(address);
  }
  Meet();
}

uint64_t Queues::TicketOf(gex_Rank_t queue) {
  uint64_t ticket = 0;
  gex_Event_Wait(gex_AD_OpNB_U64(domain_, &ticket, owners_[queue],
                                 counters_[queue], GEX_OP_FINC, 0, 0, 0));
  return ticket;
}

// Queue q has the batches q, q + Q, q + 2 * Q and so on, if there are Q queues.
bool Queues::Take(uint64_t& first, uint64_t& end) {
  for (; finished_ < owners_.size(); ++finished_) {
    const size_t queue = (mine_ + finished_) % owners_.size();
    const uint64_t ticket = TicketOf(static_cast<gex_Rank_t>(queue));
    first = 1 + (ticket * owners_.size() + queue) * kBatch;
    if (first > numbers_) continue;
    end = std::min(first + kBatch, numbers_ + 1);
    return true;
  }
  return false;
}

// Computes until no work is left. Returns how many numbers this process has
// computed.
uint64_t Work(Queues& queues) {
  std::vector<TaskResult> results;
  uint64_t first = 0;
  uint64_t end = 0;
  while (queues.Take(first, end)) {
    for (uint64_t number = first; number < end; ++number) {
      results.push_back({number, StepsFrom(number)});
    }
    gasnet_AMPoll();  // lets processes that wait for this one continue
  }
  for (size_t sent = 0; sent < results.size();) {
    sent += SendSome(results, sent);
  }
  return results.size();
}

// Does the work and reports the result. Returns the program's exit code.
int Run(uint64_t numbers, gex_Segment_t segment) {
  uint64_t mine = 0;
  {
    Queues queues(numbers, segment);
    mine = Work(queues);
    Meet();
  }
  const gex_Rank_t me = gex_TM_QueryRank(all);
  printf("Rank %u has computed %llu numbers.\n", me,
         static_cast<unsigned long long>(mine));
  fflush(stdout);
  if (me != 0) return 0;
  GASNET_BLOCKUNTIL(results_received == numbers);
  TaskResult expected = {0, 0};
  for (uint64_t number = 1; number <= numbers; ++number) {
    const TaskResult result = {number, StepsFrom(number)};
    if (IsBetter(result, expected)) expected = result;
  }
  printf("The longest sequence up to %llu begins at %llu, with %llu steps.\n",
         static_cast<unsigned long long>(numbers),
         static_cast<unsigned long long>(best.number),
         static_cast<unsigned long long>(best.steps));
  return best.number == expected.number && best.steps == expected.steps ? 0 : 1;
}

// Returns false if the command line is invalid; rank 0 explains why.
bool ReadNumbers(int argc, char** argv, uint64_t& numbers, bool& help) {
  numbers = 20000;
  help = argc == 2 && std::string(argv[1]) == "--help";
  if (argc == 1 || help) return true;
  char* end = nullptr;
  if (argc == 3 && std::string(argv[1]) == "--numbers") {
    numbers = strtoull(argv[2], &end, 10);
    if (*argv[2] != '\0' && *end == '\0' && numbers >= 1 &&
        numbers <= 100000000)
      return true;
  }
  if (gex_TM_QueryRank(all) == 0) {
    fprintf(stderr,
            "queue: bad arguments '%s'...; it takes --numbers N, with N from 1 "
            "to 100000000\n",
            argv[1]);
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  gex_Segment_t segment;
  Check(gex_Client_Init(&client, &endpoint, &all, "QUEUE", &argc, &argv, 0),
        "gex_Client_Init");
  gex_AM_Entry_t table[] = {{0, reinterpret_cast<gex_AM_Fn_t>(&OnResults),
                             GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0,
                             nullptr, "results"}};
  Check(gex_EP_RegisterHandlers(endpoint, table, 1), "gex_EP_RegisterHandlers");
  results_handler = table[0].gex_index;
  Check(gex_Segment_Attach(&segment, all, GASNET_PAGESIZE),
        "gex_Segment_Attach");
  // The processes that share memory form a team. Rank 0 of the team has their
  // queue in its segment.
  gex_Rank_t mine = 0;
  gex_System_QueryMyPosition(nullptr, &mine, nullptr, nullptr);
  gex_TM_Split(&neighbourhood, all, static_cast<int>(mine), 0, nullptr, 0,
               GEX_FLAG_TM_NO_SCRATCH);

  uint64_t numbers = 0;
  bool help = false;
  int code = 2;
  const bool legal = ReadNumbers(argc, argv, numbers, help);
  if (help && gex_TM_QueryRank(all) == 0) {
    puts(
        "Usage: queue [--numbers N]\nFinds the longest Collatz sequence that "
        "begins at 1 to N.");
  }
  if (legal) code = help ? 0 : Run(numbers, segment);
  gex_TM_Destroy(neighbourhood, nullptr, 0);
  Meet();
  gasnet_exit(code);
}
