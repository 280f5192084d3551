#include "core/ip/address.h"

#include <gtest/gtest.h>
#include <netinet/in.h>

namespace gasnet::ip {
namespace {

Address Of(const char* text) { return *Address::Parse(text); }

TEST(AddressTest, ReadsAndWritesBothFamilies) {
  for (const char* text : {"192.0.2.7", "0.0.0.0", "2001:db8::7", "::1"}) {
    const auto address = Address::Parse(text);
    ASSERT_TRUE(address.has_value()) << text;
    EXPECT_EQ(address->ToString(), text);
  }
}

TEST(AddressTest, RefusesWhatIsNoAddress) {
  for (const char* text : {"", "192.0.2", "192.0.2.7/24", "eth0", "::1%lo"}) {
    EXPECT_FALSE(Address::Parse(text).has_value()) << text;
  }
}

TEST(AddressTest, KeepsThePort) {
  for (const char* text : {"192.0.2.7", "2001:db8::7"}) {
    Address address = Of(text);
    EXPECT_EQ(address.port(), 0);
    // sin6_port is at the same place as sin_port.
    reinterpret_cast<sockaddr_in*>(address.get())->sin_port = htons(0x1234);
    EXPECT_EQ(address.port(), 0x1234);
    EXPECT_TRUE(address.SameHost(Of(text)));
  }
}

TEST(AddressTest, ComparesPrefixes) {
  EXPECT_TRUE(Of("192.0.2.7").SharesPrefix(Of("192.0.2.200"), 24));
  EXPECT_FALSE(Of("192.0.2.7").SharesPrefix(Of("192.0.3.7"), 24));
  EXPECT_TRUE(Of("192.0.2.7").SharesPrefix(Of("192.0.3.7"), 23));
  EXPECT_FALSE(Of("192.0.2.7").SharesPrefix(Of("192.0.4.7"), 23));
  EXPECT_TRUE(Of("192.0.2.7").SharesPrefix(Of("10.0.0.1"), 0));
  EXPECT_TRUE(Of("192.0.2.7").SharesPrefix(Of("192.0.2.7"), 32));
  EXPECT_FALSE(Of("192.0.2.7").SharesPrefix(Of("192.0.2.7"), 33));
  EXPECT_FALSE(Of("192.0.2.7").SharesPrefix(Of("::1"), 0));
  EXPECT_TRUE(Of("2001:db8::1").SharesPrefix(Of("2001:db8::2"), 64));
}

TEST(AddressTest, PrefixesAreEqualWhereTheyAreShared) {
  EXPECT_EQ(Of("192.0.2.7").Prefix(24), Of("192.0.2.200").Prefix(24));
  EXPECT_NE(Of("192.0.2.7").Prefix(24), Of("192.0.3.7").Prefix(24));
  EXPECT_NE(Of("192.0.2.7").Prefix(24), Of("192.0.2.7").Prefix(25));
  EXPECT_EQ(Of("192.0.2.7").Prefix(23), Of("192.0.3.7").Prefix(23));
  EXPECT_NE(Of("192.0.2.7").Prefix(23), Of("192.0.4.7").Prefix(23));
  EXPECT_NE(Of("32.1.0.0").Prefix(16), Of("2001::").Prefix(16));
  EXPECT_EQ(Of("2001:db8::1").Prefix(64), Of("2001:db8::2").Prefix(64));
}

TEST(AddressTest, ReadsTheBytesOfBothFamilies) {
  for (const char* text : {"192.0.2.7", "2001:db8::7"}) {
    EXPECT_EQ(Address::FromBytes(Of(text).bytes())->ToString(), text);
  }
  EXPECT_FALSE(Address::FromBytes("12345").has_value());
}

TEST(AddressTest, KnowsLoopbackAndLinkLocal) {
  EXPECT_TRUE(Of("127.1.2.3").IsLoopback());
  EXPECT_TRUE(Of("::1").IsLoopback());
  EXPECT_FALSE(Of("192.0.2.7").IsLoopback());
  EXPECT_TRUE(Of("169.254.1.1").IsLinkLocal());
  EXPECT_TRUE(Of("fe80::1").IsLinkLocal());
  EXPECT_FALSE(Of("2001:db8::1").IsLinkLocal());
}

}  // namespace
}  // namespace gasnet::ip
