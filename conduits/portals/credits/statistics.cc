#include "conduits/portals/credits/statistics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>

#include "absl/strings/str_cat.h"
#include "base/syscall.h"

namespace gasnet::portals_conduit::credits {
namespace {

struct Field {
  const char* name;
  uint64_t value;
};

// A buffer for one line. Every line is shorter: a line has a name and a number
// for each field.
using Buffer = std::array<char, 1024>;

// Formats a line. Allocates nothing, because the process may be ending in the
// middle of an allocation.
std::string_view Line(Buffer& buffer, const char* what, Rank rank,
                      std::initializer_list<Field> fields) {
  size_t size = 0;
  const auto took = [&](int printed) {
    size = std::min(size + static_cast<size_t>(std::max(printed, 0)),
                    buffer.size() - 1);
  };
  took(snprintf(buffer.data(), buffer.size(), "%s %u:", what, rank));
  for (const Field& field : fields) {
    took(snprintf(buffer.data() + size, buffer.size() - size, " %s %llu",
                  field.name, static_cast<unsigned long long>(field.value)));
  }
  took(snprintf(buffer.data() + size, buffer.size() - size, "\n"));
  return {buffer.data(), size};
}

std::string_view PeerLine(Buffer& buffer, Rank rank, const PeerCredits& peer) {
  return Line(buffer, "peer", rank,
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

std::string_view RankLine(Buffer& buffer, const Credits& credits,
                          uint64_t lent) {
  const Counters& c = credits.counters();
  return Line(buffer, "rank", credits.self(),
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

// Calls emit(line) for each line. Stops and returns false when emit() returns
// false.
template <class Emit>
bool EmitLines(const Credits& credits, Emit emit) {
  uint64_t lent = 0;
  for (Rank rank = 0; rank < credits.ranks(); ++rank) {
    lent += credits.Look(rank).loan;
  }
  Buffer buffer;
  if (!emit(RankLine(buffer, credits, lent))) return false;
  for (Rank rank = 0; rank < credits.ranks(); ++rank) {
    const PeerCredits peer = credits.Look(rank);
    const bool has_credits = (peer.flags & kExcluded) == 0;
    if (!has_credits || !credits.IsKnown(rank)) continue;
    if (!emit(PeerLine(buffer, rank, peer))) return false;
  }
  return true;
}

}  // namespace

std::string StatisticsText(const Credits& credits) {
  std::string text;
  EmitLines(credits, [&](std::string_view line) {
    text += line;
    return true;
  });
  return text;
}

std::string StatisticsPath(std::string_view pattern, Rank rank) {
  std::string path;
  while (true) {
    const size_t at = pattern.find("%r");
    path += pattern.substr(0, at);
    if (at == std::string_view::npos) return path;
    absl::StrAppend(&path, rank);
    pattern.remove_prefix(at + 2);
  }
}

int WriteStatistics(const Credits& credits, const char* path) {
  constexpr mode_t kMode = 0666;
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (fd < 0) return errno;
  int error = 0;
  EmitLines(credits, [&](std::string_view line) {
    if (!WriteFull(fd, line.data(), line.size())) error = errno;
    return error == 0;
  });
  if (close(fd) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace gasnet::portals_conduit::credits
