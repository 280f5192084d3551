#include "core/ip/host_listing.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "core/ip/host_pieces.h"
#include "job/gather.h"
#include "job/shared_failure.h"
#include "job/wire/limits.h"
#include "job/wire/wire.h"

namespace gasnet::ip {
namespace {

static_assert(kMaxListingBytes <= job::kMaxGatherBytes);

constexpr size_t kMaxNameBytes = 256;

std::string OwnName() {
  char name[kMaxNameBytes] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

// Returns the identity of the machine and of its network namespace. The machine
// has a new identity each time it starts.
std::string OwnStack() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  struct stat space;
  if (boot.empty() || stat("/proc/self/ns/net", &space) != 0) return "";
  return absl::StrCat(boot, "/", space.st_ino);
}

void WriteAddress(job::WireWriter& out, const std::optional<Address>& address) {
  out.Text(address ? address->bytes() : std::string_view());
}

// Reads an address or an empty text. Returns false if the bytes are neither of
// the two.
bool ReadAddress(job::WireReader& in, std::optional<Address>& address) {
  const std::string_view bytes = in.Text(sizeof(in6_addr));
  address = Address::FromBytes(bytes);
  return bytes.empty() || address.has_value();
}

std::string EncodeInterface(const HostInterface& interface) {
  job::WireWriter out;
  out.Text(interface.Name());
  WriteAddress(out, interface.address);
  out.U32(interface.prefix_bits);
  out.U32(interface.mtu);
  return out.Take();
}

bool ReadInterface(job::WireReader& in, HostInterface& interface) {
  const std::string_view name = in.Text(interface.name.size() - 1);
  std::optional<Address> address;
  if (!ReadAddress(in, address) || !address) return false;
  name.copy(interface.name.data(), name.size());
  interface.address = *address;
  const uint32_t bits = in.U32();
  interface.prefix_bits = static_cast<uint8_t>(bits);
  interface.mtu = in.U32();
  return in.ok() && bits <= 8 * address->bytes().size();
}

// Gathers the hosts' texts. listed: the status of making this rank's listing.
// If it is an error, `mine` is empty and all ranks fail.
absl::StatusOr<std::vector<std::string>> GatherTexts(job::Job& job,
                                                     const absl::Status& listed,
                                                     std::string_view mine) {
  const std::vector<TextHead> heads = job::Gather(job, HeadOf(mine));
  for (size_t rank = 0; rank < heads.size(); ++rank) {
    if (heads[rank].bytes > 0) continue;
    return job::ReportFirst(job, "gasnet_init", static_cast<uint32_t>(rank),
                            listed, "could not list its host's addresses");
  }
  const HostPieces pieces(job.host_of(), heads);
  // Ranks of this job never send more bytes. The limit stops other senders from
  // making this rank allocate more.
  if (pieces.piece_bytes() > kMaxListingBytes) {
    return absl::DataLossError("a host lists too many addresses");
  }
  const std::string piece = pieces.PieceOf(job.rank(), mine);
  std::string all(job.size() * piece.size(), '\0');
  const absl::Status status = job.AllGather(
      std::as_bytes(std::span(piece)), std::as_writable_bytes(std::span(all)));
  if (!status.ok()) return status;
  return pieces.Join(all);
}

}  // namespace

absl::StatusOr<HostListing> ListThisHost(const job::Reached& reached) {
  absl::StatusOr<std::vector<HostInterface>> interfaces = LocalInterfaces();
  if (!interfaces.ok()) return interfaces.status();
  return HostListing{.name = OwnName(),
                     .stack = OwnStack(),
                     .reached_at = Address::Parse(reached.at),
                     .reached_from = Address::Parse(reached.from),
                     .interfaces = *std::move(interfaces)};
}

std::string EncodeListing(const HostListing& listing, size_t& left_out) {
  job::WireWriter out;
  out.Text(listing.name);
  out.Text(listing.stack);
  WriteAddress(out, listing.reached_at);
  WriteAddress(out, listing.reached_from);
  std::string text = out.Take();
  left_out = 0;
  for (const HostInterface& interface : listing.interfaces) {
    const std::string more = EncodeInterface(interface);
    if (left_out > 0 || text.size() + more.size() > kMaxListingBytes) {
      ++left_out;
    } else {
      text += more;
    }
  }
  return text;
}

std::optional<HostListing> DecodeListing(std::string_view text) {
  job::WireReader in(text);
  HostListing listing;
  listing.name = in.Text(kMaxNameBytes);
  listing.stack = in.Text(kMaxNameBytes);
  if (!ReadAddress(in, listing.reached_at) ||
      !ReadAddress(in, listing.reached_from) || !in.ok()) {
    return std::nullopt;
  }
  while (in.remaining() > 0) {
    if (!ReadInterface(in, listing.interfaces.emplace_back())) {
      return std::nullopt;
    }
  }
  return listing;
}

absl::StatusOr<std::vector<HostListing>> GatherListings(job::Job& job) {
  absl::StatusOr<HostListing> listing = ListThisHost(job.reached());
  size_t left_out = 0;
  const std::string mine =
      listing.ok() ? EncodeListing(*listing, left_out) : std::string();
  if (left_out > 0 && job.host_rank() == 0) {
    Warn(
        "this host has %zu more addresses than it can list for the others; "
        "GASNET_WORKERIP can only choose among the first ones",
        left_out);
  }
  const auto texts = GatherTexts(job, listing.status(), mine);
  if (!texts.ok()) return texts.status();
  std::vector<HostListing> hosts;
  for (const std::string& text : *texts) {
    std::optional<HostListing> told = DecodeListing(text);
    if (!told) {
      return absl::DataLossError(
          absl::StrCat("host ", hosts.size(),
                       " has sent a malformed list of its addresses"));
    }
    hosts.push_back(*std::move(told));
  }
  return hosts;
}

}  // namespace gasnet::ip
