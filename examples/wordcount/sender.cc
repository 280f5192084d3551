#include "examples/wordcount/sender.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "examples/util/job.h"
#include "examples/wordcount/words.h"

namespace wordcount {
namespace {

constexpr gasnet_handler_t kInsertHandler = 128;
constexpr gasnet_handler_t kInsertedHandler = 129;

// Larger batches are no faster and only take more memory.
constexpr size_t kMaxBatchBytes = size_t{16} << 10;

// Any GASNet carries 512 bytes in a Medium message, which is enough for the
// longest word.
static_assert(sizeof(uint16_t) + kMaxWordBytes <= 512);

// Returns the maximum number of batches that may be unanswered at a time: on
// average two for each rank.
uint64_t Window() { return 2 * uint64_t{example::Size()}; }

// Handlers may run on other threads than main(). So a handler-safe lock guards
// the table, and main() waits for an atomic variable.
WordTable* g_table = nullptr;
gasnet_hsl_t g_table_lock = GASNET_HSL_INITIALIZER;
std::atomic<uint64_t> g_batches_answered{0};
std::atomic<bool> g_table_full{false};

// Inserts the words of a batch. Returns true if all were inserted.
bool InsertBatch(std::string_view batch) {
  bool all = true;
  while (!batch.empty()) {
    uint16_t length;
    std::memcpy(&length, batch.data(), sizeof(length));
    all &= g_table->Insert(batch.substr(sizeof(length), length));
    batch.remove_prefix(sizeof(length) + length);
  }
  return all;
}

// Handles a batch. Releases the lock before the reply, since a reply may run
// other handlers that take the lock.
void OnInsert(gasnet_token_t token, void* payload, size_t bytes) {
  gasnet_hsl_lock(&g_table_lock);
  const bool all = InsertBatch({static_cast<const char*>(payload), bytes});
  gasnet_hsl_unlock(&g_table_lock);
  gasnet_AMReplyShort1(token, kInsertedHandler, all ? 1 : 0);
}

void OnInserted(gasnet_token_t, gasnet_handlerarg_t all) {
  if (!all) g_table_full = true;
  g_batches_answered.fetch_add(1, std::memory_order_release);
}

gasnet_handlerentry_t g_handlers[] = {
    {kInsertHandler, reinterpret_cast<void (*)()>(OnInsert)},
    {kInsertedHandler, reinterpret_cast<void (*)()>(OnInserted)}};

void WaitForAnswers(uint64_t number) {
  GASNET_BLOCKUNTIL(g_batches_answered.load(std::memory_order_acquire) >=
                    number);
}

}  // namespace

std::span<gasnet_handlerentry_t> SenderHandlers() { return g_handlers; }

void ReceiveInto(WordTable* table) { g_table = table; }

WordSender::WordSender()
    : batch_bytes_(std::min(gasnet_AMMaxMedium(), kMaxBatchBytes)),
      batches_(example::Size()) {}

void WordSender::Add(std::string_view word) {
  ++words_;
  const gasnet_node_t owner = OwnerOf(word);
  std::vector<char>& batch = batches_[owner];
  const auto length = static_cast<uint16_t>(word.size());
  if (batch.size() + sizeof(length) + length > batch_bytes_) Send(owner);
  const char* const bytes = reinterpret_cast<const char*>(&length);
  batch.insert(batch.end(), bytes, bytes + sizeof(length));
  batch.insert(batch.end(), word.begin(), word.end());
}

void WordSender::Send(gasnet_node_t owner) {
  if (batches_sent_ >= Window()) WaitForAnswers(batches_sent_ - Window() + 1);
  std::vector<char>& batch = batches_[owner];
  const int result = gasnet_AMRequestMedium0(owner, kInsertHandler,
                                             batch.data(), batch.size());
  if (result != GASNET_OK) {
    example::Die("gasnet_AMRequestMedium0: %s", gasnet_ErrorDesc(result));
  }
  ++batches_sent_;
  batch.clear();
}

void WordSender::Finish() {
  for (gasnet_node_t owner = 0; owner < example::Size(); ++owner) {
    if (!batches_[owner].empty()) Send(owner);
  }
  WaitForAnswers(batches_sent_);
}

bool WordSender::table_full() const { return g_table_full; }

}  // namespace wordcount
