#include "examples/wordcount/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "examples/util/job.h"
#include "examples/wordcount/words.h"

namespace wordcount {
namespace {

constexpr size_t kBlockBytes = size_t{256} << 10;

bool InWord(char byte) { return FoldByte(static_cast<unsigned char>(byte)); }
bool BetweenWords(char byte) { return !InWord(byte); }

std::string Quote(const std::string& path) { return "'" + path + "'"; }

// Examines an open file. Returns the reason if it cannot be used, or an empty
// string.
std::string Examine(const std::string& path, int descriptor, File* file) {
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    return "cannot read " + Quote(path) + ": " + example::ErrnoText();
  }
  if (S_ISDIR(status.st_mode)) {
    return Quote(path) + " is a directory; name the files in it";
  }
  if (!S_ISREG(status.st_mode)) {
    return Quote(path) +
           " is not a regular file; ranks cannot each read a part of it";
  }
  *file = {path, static_cast<uint64_t>(status.st_size)};
  return "";
}

int OpenOrDie(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    example::Die("cannot read '%s': %s", path.c_str(),
                 example::ErrnoText().c_str());
  }
  return descriptor;
}

}  // namespace

std::string OpenAll(const std::vector<std::string>& paths,
                    std::vector<File>* files) {
  for (const std::string& path : paths) {
    // With O_NONBLOCK open() does not wait for a writer if the file is a pipe.
    const int descriptor =
        open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    File file;
    std::string problem = Examine(path, descriptor, &file);
    if (descriptor >= 0) close(descriptor);
    if (!problem.empty()) return problem;
    files->push_back(file);
  }
  return "";
}

uint64_t TotalBytes(const std::vector<File>& files) {
  uint64_t total = 0;
  for (const File& file : files) total += file.size;
  return total;
}

std::vector<FileRange> ShareOf(const std::vector<File>& files, uint64_t index,
                               uint64_t shares) {
  // A border is an offset in the one long text of all files. The division comes
  // first, since the product of total and n could overflow.
  const uint64_t total = TotalBytes(files);
  const auto border = [&](uint64_t n) {
    return total / shares * n + total % shares * n / shares;
  };
  const uint64_t share_begin = border(index);
  const uint64_t share_end = border(index + 1);

  std::vector<FileRange> ranges;
  uint64_t file_begin = 0;
  for (const File& file : files) {
    const uint64_t file_end = file_begin + file.size;
    const uint64_t begin = std::max(file_begin, share_begin);
    const uint64_t end = std::min(file_end, share_end);
    if (begin < end) {
      ranges.push_back({&file, begin - file_begin, end - file_begin});
    }
    file_begin = file_end;
  }
  return ranges;
}

// Starts one byte before the range. If that byte belongs to a word, the range
// may begin within the word.
RangeReader::RangeReader(const FileRange& range)
    : range_(range),
      descriptor_(OpenOrDie(range.file->path)),
      position_(range.begin == 0 ? 0 : range.begin - 1),
      buffer_(kBlockBytes) {}

RangeReader::~RangeReader() { close(descriptor_); }

std::string_view RangeReader::Next() {
  if (finished_) return "";
  std::string_view piece;
  if (started_ || range_.begin == 0) {
    piece = ReadBlock();
  } else {
    piece = SkipForeignWord();
  }
  started_ = true;
  if (position_ < range_.end || piece.empty()) return piece;

  // The range ends within this piece. After the range's end, only the rest of
  // its last word is returned.
  const uint64_t piece_begin = position_ - piece.size();
  const size_t own = range_.end > piece_begin ? range_.end - piece_begin : 0;
  // If no byte of the piece is in the range, the range's last word began in the
  // previous piece.
  const bool word_open = own == 0 || InWord(piece[own - 1]);
  const auto rest_end =
      std::find_if(piece.begin() + own, piece.end(), BetweenWords);
  finished_ = !word_open || rest_end != piece.end();
  return word_open ? piece.substr(0, rest_end - piece.begin())
                   : piece.substr(0, own);
}

// Skips the rest of a word that began in the previous range, and returns the
// text after it. The reader of the previous range counts that word.
std::string_view RangeReader::SkipForeignWord() {
  for (;;) {
    const std::string_view block = ReadBlock();
    const uint64_t block_begin = position_ - block.size();
    const auto gap = std::find_if(block.begin(), block.end(), BetweenWords);
    const size_t skipped = gap - block.begin();
    if (block_begin + skipped >= range_.end) {
      finished_ = true;  // one word fills the range
      return "";
    }
    if (gap != block.end()) return block.substr(skipped);
    if (block.empty()) return block;
  }
}

// Returns the next block, which is empty at the end of the file.
std::string_view RangeReader::ReadBlock() {
  ssize_t got;
  do {
    got = pread(descriptor_, buffer_.data(), buffer_.size(),
                static_cast<off_t>(position_));
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    example::Die("cannot read '%s': %s", range_.file->path.c_str(),
                 example::ErrnoText().c_str());
  }
  if (got == 0 && position_ < range_.end) {
    example::Die("'%s' became shorter while it was read",
                 range_.file->path.c_str());
  }
  position_ += static_cast<uint64_t>(got);
  return {buffer_.data(), static_cast<size_t>(got)};
}

}  // namespace wordcount
