#include "examples/wordcount/table.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "examples/util/job.h"
#include "examples/wordcount/words.h"

namespace wordcount {

using example::Rank;
using example::SegmentOf;

struct WordTable::Entry {
  uint64_t next;  // offset of the next entry in the chain, or 0
  uint64_t count;
  uint64_t length;  // length of the word; its bytes follow

  char* Text() { return reinterpret_cast<char*>(this + 1); }
  std::string_view Word() { return {Text(), length}; }

  static uint64_t Bytes(uint64_t length) {
    return sizeof(Entry) + (length + 7) / 8 * 8;
  }
};

struct WordTable::Ranked {
  uint64_t count;  // 0 marks the end of the ranking
  uint64_t offset;
};

// --- Sizes ------------------------------------------------------------------

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// The approximate number of bytes of a common word's entry.
constexpr uint64_t kHeapBytesPerBucket = 64;

constexpr uint64_t kMinHeapBytes = 64 << 10;

}  // namespace

uint64_t TableLayout::RankingOffset() const {
  return buckets * sizeof(uint64_t);
}

uint64_t TableLayout::HeapOffset() const {
  return RankingOffset() + top * 2 * sizeof(uint64_t);
}

uint64_t TableLayout::Bytes() const { return HeapOffset() + heap_bytes; }

TableLayout DivideSegment(uint64_t bytes, uint64_t top) {
  TableLayout layout = {1, top, 0};
  const uint64_t rest = bytes - std::min(bytes, layout.HeapOffset());
  const uint64_t wished = rest / (kHeapBytesPerBucket + sizeof(uint64_t));
  layout.buckets = std::bit_floor(std::max<uint64_t>(wished, 1));
  layout.heap_bytes = bytes - std::min(bytes, layout.HeapOffset());
  return layout;
}

TableLayout PlanTable(uint64_t input_bytes, uint64_t ranks, uint64_t top,
                      uint64_t most_bytes) {
  // In the worst case a text consists only of short words that never repeat.
  // Then every 3 bytes of text (a word and a space) need an entry of 32 bytes
  // and a bucket. Long texts repeat words, so a smaller limit applies to them.
  const uint64_t worst = 16 * input_bytes;
  const uint64_t large = 256 * kMiB + 2 * input_bytes;
  const uint64_t all_ranks = std::min(worst, large);
  // Hashes do not distribute words evenly, so each rank gets 50 % more than an
  // equal share.
  const uint64_t each = all_ranks / ranks * 3 / 2 + kMinHeapBytes;
  const uint64_t ranking = top * 2 * sizeof(uint64_t);
  return DivideSegment(std::min(each + ranking, most_bytes), top);
}

// --- Addresses --------------------------------------------------------------

gasnet_node_t OwnerOf(std::string_view word) {
  return static_cast<gasnet_node_t>((HashWord(word) >> 32) % example::Size());
}

// Returns the bucket of a word. Uses other bits of the hash than OwnerOf().
// With the same bits, the words of one rank would share few buckets.
uint64_t WordTable::BucketOf(std::string_view word) const {
  return HashWord(word) & (layout_.buckets - 1);
}

uint64_t* WordTable::OwnBucket(uint64_t bucket) const {
  return reinterpret_cast<uint64_t*>(SegmentOf(Rank())) + bucket;
}

WordTable::Entry* WordTable::OwnEntry(uint64_t offset) const {
  return reinterpret_cast<Entry*>(SegmentOf(Rank()) + offset);
}

// --- This rank's part -------------------------------------------------------

void WordTable::Clear() {
  std::fill_n(OwnBucket(0), layout_.buckets, 0);
  heap_used_ = distinct_ = refused_ = 0;
}

bool WordTable::Insert(std::string_view word) {
  uint64_t* const bucket = OwnBucket(BucketOf(word));
  for (uint64_t at = *bucket; at != 0; at = OwnEntry(at)->next) {
    Entry* const entry = OwnEntry(at);
    if (entry->Word() != word) continue;
    ++entry->count;
    return true;
  }
  const uint64_t offset = NewEntry(word, *bucket);
  if (offset == 0) {
    ++refused_;
    return false;
  }
  *bucket = offset;
  ++distinct_;
  return true;
}

// Returns the offset of a new entry, or 0 if the heap is full.
uint64_t WordTable::NewEntry(std::string_view word, uint64_t next) {
  const uint64_t bytes = Entry::Bytes(word.size());
  if (bytes > layout_.heap_bytes - heap_used_) return 0;
  const uint64_t offset = layout_.HeapOffset() + heap_used_;
  heap_used_ += bytes;
  Entry* const entry = OwnEntry(offset);
  *entry = {next, 1, word.size()};
  std::memcpy(entry->Text(), word.data(), word.size());
  return offset;
}

template <typename Visitor>
void WordTable::ForEachOwnEntry(Visitor visit) const {
  uint64_t at = 0;
  while (at < heap_used_) {
    Entry* const entry = OwnEntry(layout_.HeapOffset() + at);
    visit(*entry, layout_.HeapOffset() + at);
    at += Entry::Bytes(entry->length);
  }
}

WordTable::Totals WordTable::Total() const {
  Totals totals;
  ForEachOwnEntry([&](Entry& entry, uint64_t) {
    totals.words += entry.count;
    totals.checksum += ChecksumTerm(entry.Word(), entry.count);
  });
  return totals;
}

void WordTable::PublishTop() {
  std::vector<Ranked> all;
  ForEachOwnEntry([&](Entry& entry, uint64_t offset) {
    all.push_back({entry.count, offset});
  });
  const auto before = [this](const Ranked& a, const Ranked& b) {
    if (a.count != b.count) return a.count > b.count;
    return OwnEntry(a.offset)->Word() < OwnEntry(b.offset)->Word();
  };
  const auto listed =
      static_cast<ptrdiff_t>(std::min<size_t>(layout_.top, all.size()));
  std::partial_sort(all.begin(), all.begin() + listed, all.end(), before);
  all.resize(layout_.top, {0, 0});
  auto* const ranking =
      reinterpret_cast<Ranked*>(SegmentOf(Rank()) + layout_.RankingOffset());
  std::copy(all.begin(), all.end(), ranking);
}

// --- Any rank's part --------------------------------------------------------

uint64_t WordTable::LookUp(std::string_view word) const {
  const gasnet_node_t owner = OwnerOf(word);
  std::byte* const segment = SegmentOf(owner);
  uint64_t at = gasnet_get_val(
      owner, segment + BucketOf(word) * sizeof(uint64_t), sizeof(uint64_t));
  while (at != 0) {
    // Fetches the entry and as much of its text as the comparison needs. If the
    // entry's word is shorter, the copy also includes bytes behind the entry.
    alignas(Entry) std::byte copy[sizeof(Entry) + kMaxWordBytes];
    const uint64_t room = layout_.Bytes() - at;
    gasnet_get_bulk(copy, owner, segment + at,
                    std::min<uint64_t>(sizeof(Entry) + word.size(), room));
    auto* const entry = reinterpret_cast<Entry*>(copy);
    if (entry->length == word.size() && entry->Word() == word) {
      return entry->count;
    }
    at = entry->next;
  }
  return 0;
}

std::vector<WordCount> WordTable::FetchTop(gasnet_node_t rank) const {
  if (layout_.top == 0) return {};
  std::byte* const segment = SegmentOf(rank);
  std::vector<Ranked> ranking(layout_.top);
  gasnet_get_bulk(ranking.data(), rank, segment + layout_.RankingOffset(),
                  ranking.size() * sizeof(Ranked));
  std::vector<WordCount> top;
  for (const auto& [count, offset] : ranking) {
    if (count == 0) break;
    Entry entry;
    gasnet_get_bulk(&entry, rank, segment + offset, sizeof(entry));
    std::string word(entry.length, '\0');
    gasnet_get_bulk(word.data(), rank, segment + offset + sizeof(entry),
                    word.size());
    top.push_back({std::move(word), count});
  }
  return top;
}

bool RanksBefore(const WordCount& a, const WordCount& b) {
  return a.count != b.count ? a.count > b.count : a.word < b.word;
}

}  // namespace wordcount
