// Sends words to the ranks that own them, in messages of many words each.
//
// A batch is one Medium message. It contains, for each word, the word's length
// in two bytes and its characters. The owner's handler inserts the words into
// the table and replies. The replies serve two purposes:
// - They limit how many batches are in flight, so that a fast reader does
//   not swamp the other ranks.
// - They tell a rank that all its words are in the table. If all ranks then
//   meet in a barrier, the table is complete.

#ifndef EXAMPLES_WORDCOUNT_SENDER_H_
#define EXAMPLES_WORDCOUNT_SENDER_H_

#include <gasnet.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "examples/wordcount/table.h"

namespace wordcount {

// Returns the handlers, to be registered when attaching.
std::span<gasnet_handlerentry_t> SenderHandlers();

// Sets the table that the handlers insert into. Called before any rank sends.
void ReceiveInto(WordTable* table);

class WordSender {
 public:
  WordSender();

  void Add(std::string_view word);

  // Sends the remaining words. Returns when the owners have inserted all words
  // that this rank sent.
  void Finish();

  uint64_t words() const { return words_; }

  // Returns true if some rank's table is full and has rejected words of this
  // rank. It is then useless to add more words.
  bool table_full() const;

 private:
  void Send(gasnet_node_t owner);

  const size_t batch_bytes_;
  std::vector<std::vector<char>> batches_;  // one for each owner
  uint64_t batches_sent_ = 0;
  uint64_t words_ = 0;
};

}  // namespace wordcount

#endif  // EXAMPLES_WORDCOUNT_SENDER_H_
