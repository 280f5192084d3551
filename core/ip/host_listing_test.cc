#include "core/ip/host_listing.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace gasnet::ip {
namespace {

HostListing Example(int addresses) {
  HostListing listing = {.name = "node7",
                         .stack = "machine/1",
                         .reached_at = Address::Parse("10.0.0.7"),
                         .reached_from = std::nullopt,
                         .interfaces = {}};
  for (int i = 0; i < addresses; ++i) {
    HostInterface interface;
    std::string("eth0").copy(interface.name.data(), 4);
    interface.address = *Address::Parse(
        absl::StrCat("10.", i / 65536, ".", i / 256 % 256, ".", i % 256));
    interface.prefix_bits = 24;
    interface.mtu = 9000;
    listing.interfaces.push_back(interface);
  }
  listing.interfaces.back().address = *Address::Parse("2001:db8::1");
  return listing;
}

TEST(HostListingTest, ReadsWhatItWrites) {
  size_t left_out;
  const auto read = DecodeListing(EncodeListing(Example(3), left_out));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(left_out, 0u);
  EXPECT_EQ(read->name, "node7");
  EXPECT_EQ(read->stack, "machine/1");
  EXPECT_EQ(read->reached_at->ToString(), "10.0.0.7");
  EXPECT_FALSE(read->reached_from.has_value());
  ASSERT_EQ(read->interfaces.size(), 3u);
  EXPECT_EQ(read->interfaces[1].address.ToString(), "10.0.0.1");
  EXPECT_EQ(read->interfaces[2].address.ToString(), "2001:db8::1");
  EXPECT_EQ(read->interfaces[2].Name(), "eth0");
  EXPECT_EQ(read->interfaces[2].prefix_bits, 24);
  EXPECT_EQ(read->interfaces[2].mtu, 9000u);
}

TEST(HostListingTest, RefusesWhatIsCutShortOrLonger) {
  size_t left_out;
  HostListing listing = Example(1);
  const std::string whole = EncodeListing(listing, left_out);
  listing.interfaces.clear();
  const size_t without_any = EncodeListing(listing, left_out).size();
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(DecodeListing(whole.substr(0, size)).has_value(),
              size == without_any)
        << size;
  }
  EXPECT_FALSE(DecodeListing(whole + "x").has_value());
}

TEST(HostListingTest, HundredsOfAddressesAreTold) {
  size_t left_out;
  const auto read = DecodeListing(EncodeListing(Example(500), left_out));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->interfaces.size(), 500u);
  EXPECT_EQ(left_out, 0u);
}

TEST(HostListingTest, CountsThoseThatDoNotFit) {
  size_t left_out;
  const std::string text = EncodeListing(Example(2000), left_out);
  EXPECT_LE(text.size(), kMaxListingBytes);
  EXPECT_EQ(DecodeListing(text)->interfaces.size() + left_out, 2000u);
  EXPECT_GT(left_out, 0u);
}

TEST(HostListingTest, ListsThisHost) {
  const absl::StatusOr<HostListing> listing =
      ListThisHost({.at = "10.1.1.1", .from = ""});
  ASSERT_TRUE(listing.ok());
  EXPECT_FALSE(listing->name.empty());
  EXPECT_FALSE(listing->stack.empty());
  EXPECT_EQ(listing->reached_at->ToString(), "10.1.1.1");
  EXPECT_FALSE(listing->interfaces.empty());
}

}  // namespace
}  // namespace gasnet::ip
