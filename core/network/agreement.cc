#include "core/network/agreement.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "job/gather.h"
#include "job/shared_failure.h"

namespace gasnet::network {
namespace {

Offer OfferOf(const absl::Status& started, size_t max_medium) {
  Offer offer = {};
  if (started.ok()) offer.max_medium = max_medium;
  struct stat net;
  if (stat("/proc/self/ns/net", &net) == 0) {
    offer.device = net.st_dev;
    offer.inode = net.st_ino;
  }
  return offer;
}

const Offer& LeastOf(std::span<const Offer> offers) {
  return *std::min_element(offers.begin(), offers.end(),
                           [](const Offer& a, const Offer& b) {
                             return a.max_medium < b.max_medium;
                           });
}

}  // namespace

Agreed Combine(std::span<const Offer> offers, std::span<const Rank> group,
               const Offer& mine) {
  return {
      .max_medium = LeastOf(offers).max_medium,
      .one_namespace = group.size() == 1 ||
                       std::all_of(group.begin(), group.end(), [&](Rank rank) {
                         return offers[rank].HasNamespace() &&
                                offers[rank].SharesNamespace(mine);
                       })};
}

absl::StatusOr<Agreed> Agree(job::Job& job, std::span<const Rank> group,
                             const absl::Status& started, size_t max_medium) {
  const Offer mine = OfferOf(started, max_medium);
  const std::vector<Offer> offers = job::Gather(job, mine);
  const Offer& least = LeastOf(offers);
  if (least.max_medium == 0) {
    return job::ReportFirst(job, "gasnet_init",
                            static_cast<Rank>(&least - offers.data()), started,
                            "could not start its network");
  }
  return Combine(offers, group, mine);
}

}  // namespace gasnet::network
