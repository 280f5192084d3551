// Reads the reports that GASNET_STATSFILE has of this node. The file's name has
// a % for the node.
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

  // Returns the number in the column of that name, or 0 if there is no such
  // line.
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
  // Those of the client since the report before.
  std::vector<std::string> client_lines;
  // Tables by name ("call", "handler", "wait", "peer"), lines by theirs.
  std::map<std::string, std::map<std::string, ReportRow>> tables;

  // Returns the line of that name, which is empty if there is none.
  ReportRow Of(const std::string& table, const std::string& name) const;
  ReportRow OfPeer(uint32_t node) const {
    return Of("peer", std::to_string(node));
  }
  // Returns the sum of a column.
  uint64_t Sum(const std::string& table, const std::string& column) const;
};

// Returns all reports in this node's file, and after them the client's lines
// that no report follows, in one without a head.
std::vector<Report> ReadReports();

// Returns the last report.
Report LastReport();

// Returns true if this node has a file.
bool HasReportFile();

// Returns false if no access to a peer is inlined: builds with checks inline
// none, and memory of other nodes is not mapped if the job says so.
bool InlinesAccesses();

// Checks that least <= mean <= most in each line that has times of all its
// calls, and no estimate.
void CheckTimes(const Report& report);

}  // namespace conformance

#endif  // CONFORMANCE_OBSERVE_REPORT_H_
