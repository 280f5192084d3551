#include "conformance/observe/report.h"

#include <fstream>
#include <sstream>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr char kHead[] = "GASNet statistics ";
constexpr char kClients[] = "H  ";

bool StartsWith(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

std::vector<std::string> Words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string FileName() {
  const char* const setting = gasnet_getenv("GASNET_STATSFILE");
  CHECK(setting != nullptr);
  std::string name = setting;
  const size_t at = name.find('%');
  CHECK(at != std::string::npos);
  return name.replace(at, 1, std::to_string(gasnet_mynode()));
}

// Adds a line to a table. `headline` names the table and its columns.
void AddRow(const std::string& line, const std::vector<std::string>& headline,
            Report& report) {
  const std::vector<std::string> words = Words(line);
  CHECK_EQ(words.size(), headline.size() + 1);
  CHECK_EQ(words[0].size(), 1);
  ReportRow& row = report.tables[headline[0]][words[1]];
  CHECK(row.columns.empty());  // each name has one line
  row.group = words[0][0];
  for (size_t i = 1; i < headline.size(); ++i) {
    row.columns[headline[i]] = std::stod(words[i + 1]);
  }
}

}  // namespace

ReportRow Report::Of(const std::string& table, const std::string& name) const {
  const auto rows = tables.find(table);
  if (rows == tables.end()) return {};
  const auto row = rows->second.find(name);
  return row == rows->second.end() ? ReportRow() : row->second;
}

uint64_t Report::Sum(const std::string& table,
                     const std::string& column) const {
  uint64_t sum = 0;
  const auto rows = tables.find(table);
  if (rows == tables.end()) return 0;
  for (const auto& [name, row] : rows->second) sum += row.Count(column);
  return sum;
}

std::vector<Report> ReadReports() {
  std::ifstream in(FileName());
  std::vector<Report> reports(1);
  std::vector<std::string> headline;
  bool in_report = false;
  for (std::string line; std::getline(in, line);) {
    if (StartsWith(line, kHead)) {
      if (in_report) reports.emplace_back();
      reports.back().head = line;
      in_report = true;
    } else if (StartsWith(line, kClients)) {
      if (in_report) reports.emplace_back();
      in_report = false;
      reports.back().client_lines.push_back(line.substr(sizeof kClients - 1));
    } else if (StartsWith(line, "   ")) {
      headline = Words(line);
      // Creates the entry of the table even if no line follows.
      reports.back().tables[headline[0]];
    } else if (!StartsWith(line, "times in microseconds; ")) {
      AddRow(line, headline, reports.back());
    }
  }
  return reports;
}

Report LastReport() {
  const std::vector<Report> reports = ReadReports();
  const Report& last = reports.back();
  CHECK(!last.head.empty());
  // These tables are left out if they have no rows.
  size_t others = 0;
  for (const char* const name :
       {"network", "native_transfer", "library_message"}) {
    const auto found = last.tables.find(name);
    if (found == last.tables.end()) continue;
    CHECK(!found->second.empty());
    ++others;
  }
  CHECK_EQ(last.tables.size(), 4 + others);
  return last;
}

bool HasReportFile() { return std::ifstream(FileName()).is_open(); }

bool InlinesAccesses() {
#ifdef GASNET_DEBUG
  return false;
#else
  const char* const mapped = gasnet_getenv("GASNET_SUPERNODE_MAXSIZE");
  return mapped == nullptr || std::string(mapped) != "1";
#endif
}

void CheckTimes(const Report& report) {
  // Allows for the rounding of times to nanoseconds.
  constexpr double kRounded = 0.001;
  for (const auto& [table, rows] : report.tables) {
    for (const auto& [name, row] : rows) {
      const uint64_t number = row.Count("calls") + row.Count("runs");
      if (row.In("least") == 0 || row.Count("timed") != number) continue;
      CHECK(row.In("least") <= row.In("mean") + kRounded);
      CHECK(row.In("mean") <= row.In("most") + kRounded);
      CHECK(row.In("waiting") <= row.In("total"));
    }
  }
}

}  // namespace conformance
