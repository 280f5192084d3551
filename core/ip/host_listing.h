// A host's listing describes its network to the others, before any of it is
// used: every rank has all hosts' listings, the same ones, and chooses
// addresses from them (address_choice.h).
#ifndef CORE_IP_HOST_LISTING_H_
#define CORE_IP_HOST_LISTING_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/ip/address.h"
#include "core/ip/interfaces.h"
#include "job/job.h"
#include "job/wire/reached.h"

namespace gasnet::ip {

struct HostListing {
  std::string name;
  // Of the network stack: hosts with the same one, and the same addresses, are
  // one machine and reach each other by loopback. Empty: unknown.
  std::string stack;
  std::optional<Address> reached_at;    // see job/wire/reached.h
  std::optional<Address> reached_from;  // an address of the other side
  std::vector<Interface> interfaces;
};

absl::StatusOr<HostListing> ListThisHost(const job::Reached& reached);

// As bytes that other hosts read; at most kMaxListingBytes. Addresses beyond
// that are left out, the last ones first, and `left_out` counts them.
inline constexpr size_t kMaxListingBytes = 16 << 10;
std::string EncodeListing(const HostListing& listing, size_t& left_out);

// Empty for anything else.
std::optional<HostListing> DecodeListing(std::string_view text);

// By host. Collective; fails on all ranks when it fails on one. Warns where
// this host has more addresses than it can list.
absl::StatusOr<std::vector<HostListing>> GatherListings(job::Job& job);

}  // namespace gasnet::ip

#endif  // CORE_IP_HOST_LISTING_H_
