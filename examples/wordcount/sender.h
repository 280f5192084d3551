// Takes words to the ranks that own them, in messages of many words each.
//
// A batch is one Medium message: for each word its length, in two bytes, and
// its bytes. The owner's handler inserts them into the table and replies. The
// replies serve twice: only so many batches may be under way at a time, so that
// a fast reader does not swamp the others; and once all our batches have been
// answered and all ranks have met in a barrier, the table is complete.

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

// To be registered when attaching.
std::span<gasnet_handlerentry_t> SenderHandlers();

// Tells the handlers where to insert. Before any rank sends.
void ReceiveInto(Table* table);

class Sender {
 public:
  Sender();

  void Add(std::string_view word);

  // Sends what is left and returns when the owners have inserted everything.
  void Finish();

  uint64_t words() const { return words_; }

  // Some rank's table is full and has refused words of ours. From then on there
  // is no use in adding more.
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
