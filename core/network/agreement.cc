#include "core/network/agreement.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "job/gather.h"
#include "job/shared_failure.h"

namespace gasnet::network {
namespace {

// What a rank tells of itself.
struct Offer {
  uint64_t max_medium;  // 0: its start has failed
  // Of its network namespace; both 0: unknown.
  uint64_t device;
  uint64_t inode;

  bool HasNamespace() const { return inode != 0; }
  bool SharesNamespace(const Offer& other) const {
    return device == other.device && inode == other.inode;
  }
};

Offer OfferOf(const Status& started, size_t max_medium) {
  Offer offer = {};
  if (started.ok()) offer.max_medium = max_medium;
  struct stat net;
  if (stat("/proc/self/ns/net", &net) == 0) {
    offer.device = net.st_dev;
    offer.inode = net.st_ino;
  }
  return offer;
}

}  // namespace

StatusOr<Agreed> Agree(job::Job& job, std::span<const Rank> group,
                       const Status& started, size_t max_medium) {
  const Offer mine = OfferOf(started, max_medium);
  const std::vector<Offer> offers = job::Gather(job, mine);
  const auto least = std::min_element(offers.begin(), offers.end(),
                                      [](const Offer& a, const Offer& b) {
                                        return a.max_medium < b.max_medium;
                                      });
  if (least->max_medium == 0) {
    return job::ReportFirst(job, "gasnet_init",
                            static_cast<Rank>(least - offers.begin()), started,
                            "could not start its network");
  }
  return Agreed{
      .max_medium = least->max_medium,
      .one_namespace = group.size() == 1 ||
                       std::all_of(group.begin(), group.end(), [&](Rank rank) {
                         return offers[rank].HasNamespace() &&
                                offers[rank].SharesNamespace(mine);
                       })};
}

}  // namespace gasnet::network
