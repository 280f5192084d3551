// Counts the words in files, with all ranks together.
//
// The table of words is distributed over the ranks' memory (table.h). Each rank
// reads its share of the input (input.h) and sends every word to the rank that
// owns it (sender.h). At the end rank 0 reads the words to print from the other
// ranks' memory, without their help.

#include <gasnet.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "examples/util/job.h"
#include "examples/util/options.h"
#include "examples/util/progress.h"
#include "examples/wordcount/input.h"
#include "examples/wordcount/sender.h"
#include "examples/wordcount/table.h"
#include "examples/wordcount/verify.h"
#include "examples/wordcount/words.h"

namespace {

using example::Rank;
using example::Size;
using wordcount::File;
using wordcount::TableLayout;
using wordcount::VerifyResult;
using wordcount::WordCount;
using wordcount::WordTable;

constexpr uint64_t kMiB = uint64_t{1} << 20;

struct WordCountSettings {
  uint64_t top = 20;
  uint64_t table_mib = 0;
  bool no_verify = false;
  std::vector<std::string> find;
  std::vector<std::string> paths;
};

WordCountSettings ReadCommandLine(int argc, char** argv) {
  WordCountSettings settings;
  example::Options options("wordcount [OPTION...] FILE...",
                           "Counts the words in files, all ranks together.");
  options.Number("top", &settings.top, 0, 100'000,
                 "print the N most frequent words");
  options.Texts("find", "WORD", &settings.find,
                "print how often WORD occurs; may be repeated");
  options.Switch("no-verify", &settings.no_verify,
                 "do not count again serially (for huge input)");
  options.Number("table-mib", &settings.table_mib, 0, uint64_t{1} << 30,
                 "table of N MiB on each rank; 0: by the size of the input");
  options.Rest(&settings.paths);
  options.ParseOrExit(argc, argv);
  if (settings.paths.empty()) options.Reject("name at least one file");
  const uint64_t most = example::MaxSegmentBytes() / kMiB;
  if (settings.table_mib > most) {
    options.Reject(absl::StrCat("--table-mib ", settings.table_mib,
                                ": there are only ", most,
                                " MiB for each rank"));
  }
  return settings;
}

TableLayout ChooseLayout(const WordCountSettings& settings,
                         uint64_t input_bytes) {
  if (settings.table_mib == 0) {
    return wordcount::PlanTable(input_bytes, Size(), settings.top,
                                example::MaxSegmentBytes());
  }
  return wordcount::DivideSegment(settings.table_mib * kMiB, settings.top);
}

// Checks that all ranks see the same files. Otherwise the ranks could not
// divide them. Ranks may be on different hosts, so each rank has examined the
// files itself. The first rank with a problem reports it and ends the job.
void AgreeOnInput(const std::string& problem, uint64_t input_bytes) {
  const std::vector<uint64_t> failed =
      example::AllGather<uint64_t>(!problem.empty());
  const auto first = std::find(failed.begin(), failed.end(), 1);
  if (first != failed.end()) {
    if (first - failed.begin() == Rank()) {
      std::fprintf(stderr, "wordcount: %s\n", problem.c_str());
    }
    example::Finish(1);
  }
  const std::vector<uint64_t> bytes = example::AllGather(input_bytes);
  for (gasnet_node_t rank = 0; rank < Size(); ++rank) {
    if (bytes[rank] == bytes[0]) continue;
    if (example::IsRoot()) {
      std::fprintf(stderr,
                   "wordcount: the files have %llu bytes for rank 0 and %llu "
                   "for rank %u\n",
                   static_cast<unsigned long long>(bytes[0]),
                   static_cast<unsigned long long>(bytes[rank]), rank);
    }
    example::Finish(1);
  }
}

// Counts the words of this rank's share. Returns their number.
uint64_t CountShare(const std::vector<File>& files) {
  const std::vector<wordcount::FileRange> ranges =
      ShareOf(files, Rank(), Size());
  example::ProgressMeter progress("counting", wordcount::TotalBytes(files));
  wordcount::WordSender sender;
  const auto add = [&](std::string_view word) { sender.Add(word); };
  uint64_t done = 0;
  for (const wordcount::FileRange& range : ranges) {
    wordcount::RangeReader reader(range);
    wordcount::WordSplitter splitter;
    for (;;) {
      const std::string_view piece = reader.Next();
      if (piece.empty() || sender.table_full()) break;
      splitter.Add(piece, add);
      done += piece.size();
      progress.Update(done * Size());  // assumes equal progress on all ranks
      // Polls, so that other ranks' words are inserted even while this rank
      // sends nothing.
      gasnet_AMPoll();
    }
    splitter.End(add);
  }
  sender.Finish();
  return sender.words();
}

void FinishIfRefused(const WordTable& table, const TableLayout& layout) {
  if (example::Sum(table.Refused()) == 0) return;
  const uint64_t distinct = example::Sum(table.Distinct());
  if (example::IsRoot()) {
    std::fprintf(stderr,
                 "wordcount: the table is full: %llu different words in %.1f "
                 "MiB on each of %u ranks. Give it more with --table-mib, or "
                 "run more ranks.\n",
                 static_cast<unsigned long long>(distinct),
                 static_cast<double>(layout.Bytes()) / kMiB, Size());
  }
  example::Finish(1);
}

// Prints the most frequent words. Each of these words is in its owner's
// ranking, so the rankings of all ranks suffice.
void PrintTop(const WordTable& table, uint64_t top) {
  std::vector<WordCount> all;
  for (gasnet_node_t rank = 0; rank < Size(); ++rank) {
    const std::vector<WordCount> some = table.FetchTop(rank);
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end(), wordcount::RanksBefore);
  all.resize(std::min<size_t>(all.size(), top));
  for (const WordCount& entry : all) {
    std::printf("%10llu  %s\n", static_cast<unsigned long long>(entry.count),
                entry.word.c_str());
  }
}

void PrintFound(const WordTable& table, const std::vector<std::string>& words) {
  for (const std::string& text : words) {
    wordcount::WordSplitter splitter;
    const auto print = [&](std::string_view word) {
      std::printf("%10llu  %.*s\n",
                  static_cast<unsigned long long>(table.LookUp(word)),
                  static_cast<int>(word.size()), word.data());
    };
    splitter.Add(text, print);
    splitter.End(print);
  }
}

void PrintSummary(const std::vector<File>& files, const VerifyResult& result,
                  double seconds) {
  const double megabytes =
      static_cast<double>(wordcount::TotalBytes(files)) / 1e6;
  std::printf(
      "%llu words, %llu different ones, in %.3f MB of %zu files: %u ranks, "
      "%.3f s, %.1f MB/s\n",
      static_cast<unsigned long long>(result.words),
      static_cast<unsigned long long>(result.distinct), megabytes, files.size(),
      Size(), seconds, megabytes / seconds);
}

// Returns the totals of all ranks. Call it between two barriers, when all words
// are counted and the table is constant.
VerifyResult Summarise(const WordTable& table) {
  const WordTable::Totals totals = table.Total();
  return {example::Sum(totals.words), example::Sum(table.Distinct()),
          example::Sum(totals.checksum)};
}

// Prints the result on rank 0, which reads the other ranks' memory. Returns
// true if the count is right, or if it was not checked.
bool Report(const WordCountSettings& settings, const std::vector<File>& files,
            const WordTable& table, const VerifyResult& result,
            double seconds) {
  PrintTop(table, settings.top);
  PrintFound(table, settings.find);
  PrintSummary(files, result, seconds);
  return settings.no_verify || Verify(files, table, result);
}

}  // namespace

int main(int argc, char** argv) {
  example::Start(&argc, &argv);
  const WordCountSettings settings = ReadCommandLine(argc, argv);
  std::vector<File> files;
  const std::string problem = wordcount::OpenAll(settings.paths, &files);
  const uint64_t input_bytes = wordcount::TotalBytes(files);
  const TableLayout layout = ChooseLayout(settings, input_bytes);
  example::Attach(wordcount::SenderHandlers(), layout.Bytes());
  AgreeOnInput(problem, input_bytes);

  WordTable table(layout);
  table.Clear();
  wordcount::ReceiveInto(&table);
  // No rank may send before all ranks are ready to receive.
  example::Barrier();
  const double start = example::Now();
  const uint64_t words_sent = CountShare(files);
  // Here this rank's words are in their owners' tables. After the barrier, so
  // are the words of all ranks.
  example::Barrier();
  const double seconds = example::Now() - start;
  FinishIfRefused(table, layout);

  const VerifyResult result = Summarise(table);
  bool good = result.words == example::Sum(words_sent);
  table.PublishTop();
  example::Barrier();
  if (example::IsRoot()) {
    good &= Report(settings, files, table, result, seconds);
  }
  // The other ranks wait here while rank 0 reads their memory. The sum then
  // tells them the result.
  const bool all_good = example::Sum<uint64_t>(!good) == 0;
  if (example::IsRoot() && !all_good) {
    std::fprintf(stderr, "wordcount: the count is wrong\n");
  }
  example::Finish(all_good ? 0 : 1);
}
