// The definition of a word, shared by the parallel count, the serial count and
// look-ups.
//
// A word is a run of ASCII letters, digits, underscores and bytes from 0x80 up.
// So letters of all languages in UTF-8 belong to words, as bytes. ASCII
// capitals are folded to small letters. If a run is longer than kMaxWordBytes,
// its first kMaxWordBytes are the word.

#ifndef EXAMPLES_WORDCOUNT_WORDS_H_
#define EXAMPLES_WORDCOUNT_WORDS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wordcount {

constexpr size_t kMaxWordBytes = 256;

// Returns the byte as it appears in a word, or 0 for bytes between words.
constexpr unsigned char FoldByte(unsigned char byte) {
  if (byte >= 'A' && byte <= 'Z') return byte - 'A' + 'a';
  const bool in_word = (byte >= 'a' && byte <= 'z') ||
                       (byte >= '0' && byte <= '9') || byte == '_' ||
                       byte >= 0x80;
  return in_word ? byte : 0;
}

inline uint64_t Scramble(uint64_t x) {
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
  return x ^ x >> 32;
}

inline uint64_t HashWord(std::string_view word) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (unsigned char byte : word) hash = (hash ^ byte) * 0x100000001b3;
  return Scramble(hash);
}

// Returns one word's contribution to the checksum of a whole count. `count` is
// how often the word occurs. Contributions are added, so their order does not
// matter.
inline uint64_t ChecksumTerm(std::string_view word, uint64_t count) {
  return Scramble(HashWord(word) + Scramble(count));
}

// Splits text into words. The text may arrive in pieces, cut at any place.
class WordSplitter {
 public:
  // Calls on_word(std::string_view) for each word that ends in this piece.
  template <typename OnWord>
  void Add(std::string_view piece, OnWord on_word) {
    for (unsigned char byte : piece) {
      const unsigned char folded = FoldByte(byte);
      if (folded == 0) {
        End(on_word);
      } else if (size_ < kMaxWordBytes) {
        word_[size_++] = static_cast<char>(folded);
      }
    }
  }

  // Ends the text. If a word has been collected, calls on_word with it.
  template <typename OnWord>
  void End(OnWord on_word) {
    if (size_ > 0) on_word(std::string_view(word_, size_));
    size_ = 0;
  }

 private:
  char word_[kMaxWordBytes];
  size_t size_ = 0;
};

}  // namespace wordcount

#endif  // EXAMPLES_WORDCOUNT_WORDS_H_
