// Cuts one rank's output stream into whole lines.
#ifndef JOB_LAUNCH_LINE_SPLITTER_H_
#define JOB_LAUNCH_LINE_SPLITTER_H_

#include <string>
#include <string_view>

namespace gasnet::job {

class LineSplitter {
 public:
  struct Options {
    std::string tag = {};         // A text to put in front of every line.
    bool ends_at_return = false;  // '\r' ends a line too, as on a terminal.
    bool passes_partial =
        false;  // Incomplete lines pass at once: no other rank writes.
  };

  explicit LineSplitter(Options options) : options_(std::move(options)) {}

  // Consumes bytes and returns the lines that are complete. A line longer than
  // a mebibyte is returned in pieces.
  std::string Take(std::string_view bytes);

  // Returns true if the beginning of a line is held.
  bool HasPartial() const { return !partial_.empty(); }

  // Returns the held part of a line. The rest of the line gets the tag again,
  // because lines of other ranks may come between the two parts.
  std::string Pass();

  // Ends the stream. Returns the held part, with a line end if other output may
  // follow.
  std::string Finish();

 private:
  const Options options_;
  std::string partial_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_LINE_SPLITTER_H_
