#include "conduits/udp/interfaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gasnet::udp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Host = std::vector<Interface>;

Interface On(std::string_view name, std::string_view address, uint8_t bits) {
  Interface interface;
  name.copy(interface.name.data(), interface.name.size() - 1);
  interface.address = *Address::Parse(address);
  interface.prefix_bits = bits;
  interface.mtu = 1500;
  return interface;
}

const Interface kLoopback = On("lo", "127.0.0.1", 8);

// What was chosen, as text, or the error.
std::vector<std::string> Chosen(const std::vector<Host>& hosts,
                                const AddressWishes& wishes = {}) {
  const auto chosen = ChooseInterfaces(hosts, wishes);
  if (!chosen.ok()) return {std::string(chosen.status().message())};
  std::vector<std::string> text;
  for (const Interface& interface : *chosen) {
    text.push_back(interface.address.ToString());
  }
  return text;
}

TEST(InterfacesTest, OneHostTalksByLoopback) {
  EXPECT_THAT(Chosen({{On("eth0", "192.0.2.1", 24), kLoopback}}),
              ElementsAre("127.0.0.1"));
}

TEST(InterfacesTest, SeveralHostsTalkInTheNetworkTheyShare) {
  EXPECT_THAT(
      Chosen({{kLoopback, On("a", "10.1.0.1", 24), On("b", "192.0.2.1", 24)},
              {kLoopback, On("x", "192.0.2.2", 24), On("y", "10.9.0.1", 24)}}),
      ElementsAre("192.0.2.1", "192.0.2.2"));
}

// Bridges for containers and machines have the same address everywhere.
TEST(InterfacesTest, AnAddressThatSeveralHostsHaveLeadsNowhere) {
  EXPECT_THAT(
      Chosen({{On("docker0", "172.17.0.1", 16), On("eth0", "192.0.2.1", 24)},
              {On("docker0", "172.17.0.1", 16), On("eth0", "192.0.2.2", 24)}}),
      ElementsAre("192.0.2.1", "192.0.2.2"));
}

TEST(InterfacesTest, BothFamiliesWork) {
  EXPECT_THAT(Chosen({{On("e", "fe80::1", 64), On("e", "2001:db8::1", 64)},
                      {On("e", "fe80::2", 64), On("e", "2001:db8::2", 64)}}),
              ElementsAre("2001:db8::1", "2001:db8::2"));
}

TEST(InterfacesTest, RoutedHostsTalkByTheirFirstAddresses) {
  EXPECT_THAT(Chosen({{kLoopback, On("e", "10.1.0.1", 24)},
                      {kLoopback, On("e", "10.2.0.1", 24)}}),
              ElementsAre("10.1.0.1", "10.2.0.1"));
}

TEST(InterfacesTest, HostsWithNothingInCommonAreAnErrorThatListsThem) {
  EXPECT_THAT(Chosen({{kLoopback, On("e", "10.1.0.1", 24)}, {kLoopback}}),
              ElementsAre(AllOf(HasSubstr("10.1.0.1/24"),
                                HasSubstr("host 1 has lo 127.0.0.1/8"))));
}

TEST(InterfacesTest, TheUserChooses) {
  const std::vector<Host> hosts = {
      {On("a", "10.1.0.1", 24), On("b", "192.0.2.1", 24)},
      {On("a", "10.1.0.2", 24), On("b", "192.0.2.2", 24)}};
  const auto b = ElementsAre("192.0.2.1", "192.0.2.2");
  EXPECT_THAT(Chosen(hosts, {"", "b"}), b);
  EXPECT_THAT(Chosen(hosts, {"", "192.0.2.0/24"}), b);
  EXPECT_THAT(Chosen(hosts, {"192.0.2.1", ""}), b);
  EXPECT_THAT(Chosen(hosts, {"10.1.0.1", "b"}),
              ElementsAre("10.1.0.1", "192.0.2.2"));
  EXPECT_THAT(Chosen(hosts, {"", "192.0.2.1"}),
              ElementsAre(AllOf(HasSubstr("GASNET_WORKERIP is '192.0.2.1'"),
                                HasSubstr("host 1 has no such IPv4 address"))));
  EXPECT_THAT(Chosen(hosts, {"wlan0", ""}),
              ElementsAre(HasSubstr("GASNET_MASTERIP is 'wlan0'")));
}

// An interface's name means addresses of both families; one must do for all.
TEST(InterfacesTest, AllTalkInOneFamily) {
  EXPECT_THAT(Chosen({{On("e", "10.1.0.1", 24), On("e", "2001:db8::1", 64)},
                      {On("e", "2001:db8::2", 64)}},
                     {"", "e"}),
              ElementsAre("2001:db8::1", "2001:db8::2"));
  EXPECT_THAT(Chosen({{On("e", "10.1.0.1", 24)}, {On("e", "2001:db8::2", 64)}},
                     {"", "e"}),
              ElementsAre(HasSubstr("host 1 has no such IPv4 address")));
}

TEST(InterfacesTest, FindsThoseOfThisHost) {
  const std::vector<Interface> found = LocalInterfaces();
  ASSERT_FALSE(found.empty());
  for (const Interface& interface : found) {
    EXPECT_FALSE(interface.Name().empty());
    EXPECT_GT(interface.mtu, 0u);
    EXPECT_TRUE(Selects(interface.Name(), interface));
    EXPECT_TRUE(Selects(interface.address.ToString(), interface));
  }
}

}  // namespace
}  // namespace gasnet::udp
