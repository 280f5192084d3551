// Reads this node's reports from its file. GASNET_STATSFILE is the name of the
// file. A % in the name stands for the node.
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

  // Returns the number in the given column. Returns 0 if the line lacks this
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
  // Tables by name ("call", "handler", "wait", "peer"; "network" if the job has
  // one). The lines of a table are listed by their names.
  std::map<std::string, std::map<std::string, ReportRow>> tables;

  // Returns the line of the given name. Returns an empty line if the table has
  // none of this name.
  ReportRow Of(const std::string& table, const std::string& name) const;
  ReportRow OfPeer(uint32_t node) const {
    return Of("peer", std::to_string(node));
  }
  // Returns the sum of a column over all lines of a table.
  uint64_t Sum(const std::string& table, const std::string& column) const;
};

// Returns all reports in this node's file. Client lines after the last report
// are in one more report. That report has no head.
std::vector<Report> ReadReports();

// Returns the last report of ReadReports(). Requires that it is complete.
Report LastReport();

// Returns true if this node has a statistics file.
bool HasReportFile();

// Returns false if no access to a peer is inlined. Builds with checks never
// inline accesses. In other builds, accesses are not inlined if the job is told
// to map no memory of other nodes.
bool InlinesAccesses();

// Checks that least <= mean <= most in each line whose calls were all timed.
// Lines with estimated times are skipped.
void CheckTimes(const Report& report);

}  // namespace conformance

#endif  // CONFORMANCE_OBSERVE_REPORT_H_
