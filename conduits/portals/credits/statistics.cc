#include "conduits/portals/credits/statistics.h"

#include <errno.h>
#include <stdio.h>

#include <utility>

#include "base/strings.h"

namespace gasnet::portals::credits {
namespace {

using Field = std::pair<std::string_view, uint64_t>;

std::string Line(std::string_view what, Rank rank,
                 std::initializer_list<Field> fields) {
  std::string line = StrCat(what, " ", rank, ":");
  for (const auto& [name, value] : fields)
    StrAppend(&line, " ", name, " ", value);
  line += '\n';
  return line;
}

std::string PeerLine(Rank rank, const Peer& peer) {
  return Line("peer", rank,
              {{"loan", peer.loan},
               {"serving", peer.serving},
               {"loan_given", peer.loan_given},
               {"loan_requested", peer.loan_requested},
               {"send", peer.send},
               {"in_use", peer.in_use},
               {"send_max", peer.send_max},
               {"stalls", peer.stalls},
               {"revoked", peer.revoked}});
}

std::string RankLine(const Credits& credits, uint64_t lent) {
  const Counters& c = credits.counters();
  return Line("rank", credits.self(),
              {{"total", credits.total()},
               {"bank", credits.bank()},
               {"lent", lent},
               {"requests_sent", c.requests_sent},
               {"stalls", c.stalls},
               {"requests_served", c.requests_served},
               {"epochs", c.epochs},
               {"asked_for", c.asked_for},
               {"lent_on_top", c.lent},
               {"borrowed", c.borrowed},
               {"revokes_sent", c.revokes_sent},
               {"revokes_answered", c.revokes_answered},
               {"regained", c.regained},
               {"returned", c.returned},
               {"refused", c.refused}});
}

}  // namespace

std::string StatisticsText(const Credits& credits) {
  uint64_t lent = 0;
  std::string peers;
  for (Rank rank = 0; rank < credits.ranks(); ++rank) {
    const Peer peer = credits.Look(rank);
    lent += peer.loan;
    const bool has_credits = (peer.flags & kExcluded) == 0;
    if (has_credits && credits.IsKnown(rank)) peers += PeerLine(rank, peer);
  }
  return RankLine(credits, lent) + peers;
}

std::string StatisticsPath(std::string_view pattern, Rank rank) {
  std::string path;
  while (true) {
    const size_t at = pattern.find("%r");
    path += pattern.substr(0, at);
    if (at == std::string_view::npos) return path;
    StrAppend(&path, rank);
    pattern.remove_prefix(at + 2);
  }
}

Status WriteStatistics(const Credits& credits, const std::string& path) {
  FILE* const file = fopen(path.c_str(), "we");
  if (file == nullptr) return ErrnoToStatus(errno, path);
  const std::string text = StatisticsText(credits);
  const bool written = fwrite(text.data(), 1, text.size(), file) == text.size();
  const int error = errno;
  if (fclose(file) != 0) return ErrnoToStatus(errno, path);
  return written ? OkStatus() : ErrnoToStatus(error, path);
}

}  // namespace gasnet::portals::credits
