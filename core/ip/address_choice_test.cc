#include "core/ip/address_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace gasnet::ip {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Host = std::vector<HostInterface>;

HostInterface On(std::string_view name, std::string_view address,
                 uint8_t bits) {
  HostInterface interface;
  name.copy(interface.name.data(), interface.name.size() - 1);
  interface.address = *Address::Parse(address);
  interface.prefix_bits = bits;
  interface.mtu = 1500;
  return interface;
}

const HostInterface kLoopback = On("lo", "127.0.0.1", 8);

// Returns the chosen addresses, or the error, as text.
std::vector<std::string> Chosen(const std::vector<HostListing>& hosts,
                                const AddressWishes& wishes = {}) {
  const auto chosen = ChooseInterfaces(hosts, wishes);
  if (!chosen.ok()) return {std::string(chosen.status().message())};
  std::vector<std::string> text;
  for (const HostInterface& interface : *chosen) {
    text.push_back(interface.address.ToString());
  }
  return text;
}

// Like the other Chosen, for hosts that do not know which addresses reached
// them.
std::vector<std::string> Chosen(const std::vector<Host>& hosts,
                                const AddressWishes& wishes = {}) {
  std::vector<HostListing> listings;
  for (const Host& host : hosts) {
    listings.push_back({.name = "",
                        .stack = "",
                        .reached_at = {},
                        .reached_from = {},
                        .interfaces = host});
  }
  return Chosen(listings, wishes);
}

TEST(AddressChoiceTest, OneHostTalksByLoopback) {
  EXPECT_THAT(Chosen({{On("eth0", "192.0.2.1", 24), kLoopback}}),
              ElementsAre("127.0.0.1"));
}

TEST(AddressChoiceTest, SeveralHostsTalkInTheNetworkTheyShare) {
  EXPECT_THAT(
      Chosen({{kLoopback, On("a", "10.1.0.1", 24), On("b", "192.0.2.1", 24)},
              {kLoopback, On("x", "192.0.2.2", 24), On("y", "10.9.0.1", 24)}}),
      ElementsAre("192.0.2.1", "192.0.2.2"));
}

// Bridges for containers and virtual machines have the same address on every
// host.
TEST(AddressChoiceTest, AnAddressThatSeveralHostsHaveLeadsNowhere) {
  EXPECT_THAT(
      Chosen({{On("docker0", "172.17.0.1", 16), On("eth0", "192.0.2.1", 24)},
              {On("docker0", "172.17.0.1", 16), On("eth0", "192.0.2.2", 24)}}),
      ElementsAre("192.0.2.1", "192.0.2.2"));
}

TEST(AddressChoiceTest, BothFamiliesWork) {
  EXPECT_THAT(Chosen({{On("e", "fe80::1", 64), On("e", "2001:db8::1", 64)},
                      {On("e", "fe80::2", 64), On("e", "2001:db8::2", 64)}}),
              ElementsAre("2001:db8::1", "2001:db8::2"));
}

TEST(AddressChoiceTest, RoutedHostsTalkByTheirFirstAddresses) {
  EXPECT_THAT(Chosen({{kLoopback, On("e", "10.1.0.1", 24)},
                      {kLoopback, On("e", "10.2.0.1", 24)}}),
              ElementsAre("10.1.0.1", "10.2.0.1"));
}

TEST(AddressChoiceTest, HostsWithNothingInCommonAreAnErrorThatListsThem) {
  EXPECT_THAT(Chosen({{kLoopback, On("e", "10.1.0.1", 24)}, {kLoopback}}),
              ElementsAre(AllOf(HasSubstr("10.1.0.1/24"),
                                HasSubstr("host 1 has lo 127.0.0.1/8"))));
}

TEST(AddressChoiceTest, TheUserChooses) {
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

// Repeated loopback addresses would be the worst choice: the job would wait
// forever.
TEST(AddressChoiceTest, AnAddressThatSeveralHostsHaveIsRefusedToTheUserToo) {
  const std::vector<Host> hosts = {{kLoopback, On("e", "192.0.2.1", 24)},
                                   {kLoopback, On("e", "192.0.2.2", 24)}};
  for (const AddressWishes& wishes :
       {AddressWishes{"", "lo"}, AddressWishes{"", "127.0.0.1"},
        AddressWishes{"192.0.2.1", "127.0.0.0/8"}}) {
    EXPECT_THAT(Chosen(hosts, wishes),
                ElementsAre(AllOf(HasSubstr("GASNET_WORKERIP is '"),
                                  HasSubstr("127.0.0.1 of host "),
                                  HasSubstr("of another host as well"))));
  }
  EXPECT_THAT(Chosen(hosts, {"lo", ""}),
              ElementsAre(HasSubstr("GASNET_MASTERIP is 'lo': 127.0.0.1 of ")));
}

TEST(AddressChoiceTest, OneMachineMayBeToldToTalkByLoopback) {
  const HostListing host = {
      .name = "",
      .stack = "the same",
      .reached_at = {},
      .reached_from = {},
      .interfaces = {On("e", "192.0.2.1", 24), kLoopback}};
  EXPECT_THAT(Chosen(std::vector<HostListing>{host, host}, {"", "lo"}),
              ElementsAre("127.0.0.1", "127.0.0.1"));
}

// An interface's name stands for addresses of both families. One family must
// suit all hosts.
TEST(AddressChoiceTest, AllTalkInOneFamily) {
  EXPECT_THAT(Chosen({{On("e", "10.1.0.1", 24), On("e", "2001:db8::1", 64)},
                      {On("e", "2001:db8::2", 64)}},
                     {"", "e"}),
              ElementsAre("2001:db8::1", "2001:db8::2"));
  EXPECT_THAT(Chosen({{On("e", "10.1.0.1", 24)}, {On("e", "2001:db8::2", 64)}},
                     {"", "e"}),
              ElementsAre(HasSubstr("host 1 has no such IPv4 address")));
}

// Returns a listing with the addresses by which the host was reached.
HostListing Reached(Host interfaces, std::string_view at,
                    std::string_view from = "") {
  return {.name = "",
          .stack = "",
          .reached_at = Address::Parse(at),
          .reached_from = Address::Parse(from),
          .interfaces = std::move(interfaces)};
}

Host Dual(int number) {
  return {On("dead", absl::StrCat("10.1.0.", number), 24),
          On("live", absl::StrCat("192.0.2.", number), 24)};
}

TEST(AddressChoiceTest, OfSeveralCommonNetworksTheOneByWhichHostsWereReached) {
  EXPECT_THAT(
      Chosen({Reached(Dual(1), "192.0.2.1"), Reached(Dual(2), "192.0.2.2")}),
      ElementsAre("192.0.2.1", "192.0.2.2"));
  // Most hosts were reached by this network.
  EXPECT_THAT(Chosen({Reached(Dual(1), ""), Reached(Dual(2), "192.0.2.2"),
                      Reached(Dual(3), "192.0.2.3")}),
              ElementsAre("192.0.2.1", "192.0.2.2", "192.0.2.3"));
}

TEST(AddressChoiceTest, TheLaunchersHostIsReachedByWhereTheOthersWereFrom) {
  EXPECT_THAT(
      Chosen({Reached(Dual(1), ""), Reached({On("e", "198.51.100.2", 24)},
                                            "198.51.100.2", "192.0.2.1")}),
      ElementsAre("192.0.2.1", "198.51.100.2"));
}

TEST(AddressChoiceTest, AnAddressInTheSameNetworkThatWasReachedGoesFirst) {
  const Host two = {On("e", "192.0.2.7", 24), On("e", "192.0.2.8", 24)};
  EXPECT_THAT(Chosen({Reached({On("e", "192.0.2.1", 24)}, "192.0.2.1"),
                      Reached(two, "192.0.2.8")}),
              ElementsAre("192.0.2.1", "192.0.2.8"));
}

// A host was reached by addresses that it does not have: addresses that are
// translated on the way, or fictitious ones.
TEST(AddressChoiceTest, AReachedAddressThatTheHostDoesNotHaveIsIgnored) {
  EXPECT_THAT(Chosen({Reached(Dual(1), "203.0.113.1", "203.0.113.9"),
                      Reached(Dual(2), "203.0.113.2", "203.0.113.9")}),
              ElementsAre("10.1.0.1", "10.1.0.2"));
}

TEST(AddressChoiceTest, AReachedAddressThatLeadsNowhereIsIgnored) {
  Host first = Dual(1), second = Dual(2);
  for (Host* host : {&first, &second}) {
    host->push_back(kLoopback);
    host->push_back(On("docker0", "172.17.0.1", 16));
  }
  EXPECT_THAT(
      Chosen({Reached(first, "172.17.0.1"), Reached(second, "127.0.0.1")}),
      ElementsAre("10.1.0.1", "10.1.0.2"));
}

// The bridges have addresses in a common network, but connect no hosts.
TEST(AddressChoiceTest, RoutedAddressesThatWereReachedBeatACommonNetwork) {
  EXPECT_THAT(
      Chosen({Reached({On("br", "10.1.0.1", 24), On("e", "192.0.2.1", 24)},
                      "192.0.2.1"),
              Reached({On("br", "10.1.0.2", 24), On("e", "198.51.100.1", 24)},
                      "198.51.100.1")}),
      ElementsAre("192.0.2.1", "198.51.100.1"));
}

TEST(AddressChoiceTest, TheFamilyByWhichAllWereReached) {
  const auto both = [](int number) -> Host {
    return {On("e", absl::StrCat("192.0.2.", number), 24),
            On("e", absl::StrCat("2001:db8::", number), 64)};
  };
  EXPECT_THAT(Chosen({Reached(both(1), "2001:db8::1"),
                      Reached(both(2), "2001:db8::2")}),
              ElementsAre("2001:db8::1", "2001:db8::2"));
}

TEST(AddressChoiceTest, HostsThatAreOneMachineTalkByLoopback) {
  HostListing host = Reached({On("e", "192.0.2.1", 24), kLoopback}, "");
  host.stack = "machine/1";
  EXPECT_THAT(Chosen({host, host}), ElementsAre("127.0.0.1", "127.0.0.1"));
  // The first two hosts share an address. A third host reaches their machine by
  // this address, so the address is not refused.
  EXPECT_THAT(Chosen({host, host, Reached({On("e", "192.0.2.3", 24)}, "")}),
              ElementsAre("192.0.2.1", "192.0.2.1", "192.0.2.3"));
  // A machine elsewhere with the same name (stack) has other addresses.
  HostListing other = Reached({On("e", "192.0.2.2", 24), kLoopback}, "");
  other.stack = host.stack;
  EXPECT_THAT(Chosen({host, other}), ElementsAre("192.0.2.1", "192.0.2.2"));
}

// Work that grows with the square of the number of hosts would exceed a test's
// time.
TEST(AddressChoiceTest, ThousandsOfHosts) {
  std::vector<HostListing> hosts;
  for (int number = 0; number < 20'000; ++number) {
    Host host = {kLoopback, On("docker0", "172.17.0.1", 16)};
    for (int i = 0; i < 20; ++i) {
      host.push_back(On(
          "e", absl::StrCat("10.", i, ".", number / 250, ".", 1 + number % 250),
          16));
    }
    hosts.push_back(Reached(std::move(host), ""));
  }
  hosts[1].reached_at = *Address::Parse("10.19.0.2");
  const auto chosen = ChooseInterfaces(hosts, {});
  ASSERT_TRUE(chosen.ok());
  EXPECT_EQ(chosen->at(0).address.ToString(), "10.19.0.1");
  EXPECT_EQ(chosen->at(19'999).address.ToString(), "10.19.79.250");
}

}  // namespace
}  // namespace gasnet::ip
