// Reads this node's reports from its file. GASNET_STATSFILE is the file's name,
// in which % stands for the node.
#ifndef CONFORMANCE_OBSERVE_REPORT_H_
#define CONFORMANCE_OBSERVE_REPORT_H_

#include <stdint.h>

#include <map>
#include <string>
#include <vector>

namespace conformance {

// A line of a table. Times are in microseconds.
struct ReportRow {
  char group = ' ';
  std::map<std::string, double> columns;

  // Returns the number in the given column, or 0 if the line has no such
  // column.
  double In(const std::string& column) const {
    const auto found = columns.find(column);
    return found == columns.end() ? 0 : found->second;
  }
  uint64_t Count(const std::string& column) const {
    return static_cast<uint64_t>(In(column));
  }
};

struct Report {
  std::string head;
  // The client's own lines since the previous report.
  std::vector<std::string> client_lines;
  // Tables by name ("call", "handler", "wait", "peer"). The lines of a table
  // are listed by their names.
  std::map<std::string, std::map<std::string, ReportRow>> tables;

  // Returns the line of the given name. It is empty if the table has no such
  // line.
  ReportRow Of(const std::string& table, const std::string& name) const;
  ReportRow OfPeer(uint32_t node) const {
    return Of("peer", std::to_string(node));
  }
  // Returns the sum of a column over all lines of a table.
  uint64_t Sum(const std::string& table, const std::string& column) const;
};

// Returns all reports in this node's file. If client lines follow the last
// report, they are in one more report, which has no head.
std::vector<Report> ReadReports();

// Returns the last report of ReadReports(). It must be a complete one.
Report LastReport();

// Returns true if this node has a statistics file.
bool HasReportFile();

// Returns false if no access to a peer is inlined. Builds with checks never
// inline. Other builds do not inline if the job is told to map no memory of
// other nodes.
bool InlinesAccesses();

// Checks that least <= mean <= most in each line, if all its calls were timed.
// Lines with estimated times are skipped.
void CheckTimes(const Report& report);

}  // namespace conformance

#endif  // CONFORMANCE_OBSERVE_REPORT_H_
