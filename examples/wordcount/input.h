// The files to count, treated as one long text. Every rank gets an equal share
// of its bytes, so a share may begin within a word.
//
// A word belongs to the rank in whose share it begins. That rank reads beyond
// its share to the end of its last word. The next rank skips this part of the
// word.

#ifndef EXAMPLES_WORDCOUNT_INPUT_H_
#define EXAMPLES_WORDCOUNT_INPUT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wordcount {

struct File {
  std::string path;
  uint64_t size;
};

// Finds the sizes of the files. Returns an empty string, or a message about a
// file that cannot be used.
std::string OpenAll(const std::vector<std::string>& paths,
                    std::vector<File>* files);

uint64_t TotalBytes(const std::vector<File>& files);

struct FileRange {
  const File* file;
  uint64_t begin;
  uint64_t end;
};

// Returns the ranges of files that form share `index` of `shares`.
std::vector<FileRange> ShareOf(const std::vector<File>& files, uint64_t index,
                               uint64_t shares);

// Reads all words that begin in a range, each to its end. Ends the job with a
// message if the file cannot be read.
class RangeReader {
 public:
  explicit RangeReader(const FileRange& range);
  ~RangeReader();
  RangeReader(const RangeReader&) = delete;
  RangeReader& operator=(const RangeReader&) = delete;

  // Returns the next piece of text, or an empty one at the end. A piece is
  // valid until the next call.
  std::string_view Next();

 private:
  std::string_view ReadBlock();
  std::string_view SkipForeignWord();

  const FileRange range_;
  const int descriptor_;
  uint64_t position_;
  bool started_ = false;
  bool finished_ = false;
  std::vector<char> buffer_;
};

}  // namespace wordcount

#endif  // EXAMPLES_WORDCOUNT_INPUT_H_
