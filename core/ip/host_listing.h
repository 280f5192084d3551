// A description of a host's network for the other hosts, exchanged before the
// network is used. Every rank gets the same listings of all hosts, and chooses
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
  // The identity of the network stack. If hosts have the same identity and the
  // same addresses, they are one machine and reach each other by loopback.
  // Empty if unknown.
  std::string stack;
  std::optional<Address> reached_at;    // see job/wire/reached.h
  std::optional<Address> reached_from;  // the address of the starting side
  std::vector<HostInterface> interfaces;
};

absl::StatusOr<HostListing> ListThisHost(const job::Reached& reached);

// Encodes a listing as bytes for other hosts, at most kMaxListingBytes. Leaves
// out excess addresses, the last addresses first, and counts them in
// `left_out`.
inline constexpr size_t kMaxListingBytes = 16 << 10;
std::string EncodeListing(const HostListing& listing, size_t& left_out);

// Decodes a listing. Returns nothing if `text` is not a listing.
std::optional<HostListing> DecodeListing(std::string_view text);

// Returns the listings of all hosts, indexed by host. Collective; fails on all
// ranks if it fails on one. Warns if this host has more addresses than a
// listing can hold.
absl::StatusOr<std::vector<HostListing>> GatherListings(job::Job& job);

}  // namespace gasnet::ip

#endif  // CORE_IP_HOST_LISTING_H_
