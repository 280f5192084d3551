// A hash table of words and their counts, distributed over the segments of all
// ranks.
//
// A word's hash selects the rank that owns the word, and the bucket on that
// rank. Only the owner inserts words, in the handler of a message (sender.h).
// Every rank can look up any word by gets alone, without disturbing the owner.
//
// A rank's segment contains, in this order:
// - buckets: each is the offset of its first entry, or 0 if it has none
// - ranking: room for the owner's most frequent words, see PublishTop
// - heap: the entries, one after the other. The entries of a bucket form a
//   chain. Entries never move and are never removed.
//
// Offsets count from the start of the segment. A table with more words than
// expected gets longer chains; it rejects words only if the heap is full.
//
// There are three phases, with a barrier between them: all ranks Clear; owners
// Insert; all ranks look up and read.

#ifndef EXAMPLES_WORDCOUNT_TABLE_H_
#define EXAMPLES_WORDCOUNT_TABLE_H_

#include <gasnet.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wordcount {

struct WordCount {
  std::string word;
  uint64_t count;
};

// The sizes of the parts of a segment, the same on all ranks.
struct TableLayout {
  uint64_t buckets;  // a power of two
  uint64_t top;      // maximum number of words in the ranking
  uint64_t heap_bytes;

  uint64_t RankingOffset() const;
  uint64_t HeapOffset() const;
  uint64_t Bytes() const;
};

// Chooses the layout for a text of `input_bytes` bytes. Each of `ranks` ranks
// uses at most `most_bytes`. Any small text fits. A large text fits if it
// repeats words at all.
TableLayout PlanTable(uint64_t input_bytes, uint64_t ranks, uint64_t top,
                      uint64_t most_bytes);

// Divides a segment of `bytes` bytes into its parts. Used if the user chooses
// the size.
TableLayout DivideSegment(uint64_t bytes, uint64_t top);

gasnet_node_t OwnerOf(std::string_view word);

class WordTable {
 public:
  // The attached segments must have at least layout.Bytes() bytes.
  explicit WordTable(const TableLayout& layout) : layout_(layout) {}

  // --- On this rank's part ---------------------------------------------------

  void Clear();

  // Counts one occurrence of a word that this rank owns. Returns false if the
  // table is full. May run in handlers: it allocates only from the heap in the
  // segment. The caller ensures that only one thread inserts at a time.
  bool Insert(std::string_view word);

  uint64_t Distinct() const { return distinct_; }
  uint64_t Refused() const { return refused_; }

  struct Totals {
    uint64_t words = 0;
    uint64_t checksum = 0;
  };
  Totals Total() const;

  // Writes the most frequent words into the ranking. Other ranks can get them
  // from there.
  void PublishTop();

  // --- On any rank's part, by gets ------------------------------------------

  // Returns how often the word was counted, 0 if never.
  uint64_t LookUp(std::string_view word) const;

  // Returns the published ranking of a rank, most frequent first.
  std::vector<WordCount> FetchTop(gasnet_node_t rank) const;

 private:
  struct Entry;
  struct Ranked;

  uint64_t BucketOf(std::string_view word) const;
  uint64_t* OwnBucket(uint64_t bucket) const;
  Entry* OwnEntry(uint64_t offset) const;
  uint64_t NewEntry(std::string_view word, uint64_t next);
  template <typename Visitor>
  void ForEachOwnEntry(Visitor visit) const;

  const TableLayout layout_;
  uint64_t heap_used_ = 0;
  uint64_t distinct_ = 0;
  uint64_t refused_ = 0;
};

// Returns true if `a` ranks before `b`: by count, and then by the words' bytes.
bool RanksBefore(const WordCount& a, const WordCount& b);

}  // namespace wordcount

#endif  // EXAMPLES_WORDCOUNT_TABLE_H_
