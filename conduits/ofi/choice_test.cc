#include "conduits/ofi/choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "conduits/ofi/testing/offering_library.h"

namespace gasnet::ofi {
namespace {

using ::testing::HasSubstr;
using testing::Offer;
using testing::OfferingLibrary;

class ChoiceTest : public ::testing::Test {
 protected:
  ChoiceTest() {
    OfferingLibrary::offers.clear();
    OfferingLibrary::error = 0;
    OfferingLibrary::order = 0;
    OfferingLibrary::unable.clear();
    OfferingLibrary::fences.clear();
  }
  bool HasFences(std::vector<Offer> offers) {
    OfferingLibrary::offers = std::move(offers);
    const absl::StatusOr<Info> info =
        Choose(OfferingLibrary::Table(), settings_, locality_);
    EXPECT_TRUE(info.ok()) << info.status();
    return ((*info)->caps & FI_FENCE) != 0;
  }
  // Chooses among `offers`. Returns "PROVIDER on DEVICE", or the error.
  std::string ChooseAmong(std::vector<Offer> offers) {
    OfferingLibrary::offers = std::move(offers);
    const absl::StatusOr<Info> info =
        Choose(OfferingLibrary::Table(), settings_, locality_);
    if (!info.ok()) return std::string(info.status().message());
    EXPECT_EQ((*info)->next, nullptr);
    return std::string((*info)->fabric_attr->prov_name) + " on " +
           (*info)->domain_attr->name;
  }

  // Returns the address of the chosen device. The device may have several.
  std::string AddressAmong(std::vector<Offer> offers) {
    OfferingLibrary::offers = std::move(offers);
    const absl::StatusOr<Info> info =
        Choose(OfferingLibrary::Table(), settings_, locality_);
    if (!info.ok()) return std::string(info.status().message());
    return ip::Address::From(static_cast<const sockaddr*>((*info)->src_addr))
        ->ToString();
  }

  std::string ReasonAmong(std::vector<Offer> offers) {
    OfferingLibrary::offers = std::move(offers);
    const absl::StatusOr<Info> info =
        Choose(OfferingLibrary::Table(), settings_, locality_);
    EXPECT_TRUE(info.ok()) << info.status();
    return ReasonFor(**info, settings_, locality_);
  }

  OfiSettings settings_ = {};
  Locality locality_ = {*ip::Address::Parse("192.0.2.7"), {.cpus = {0}}};
};

TEST(NamesTest, AProviderIsNamedWithOrWithoutItsLayers) {
  EXPECT_TRUE(Names("tcp", "tcp"));
  EXPECT_TRUE(Names("tcp", "tcp;ofi_rxm"));
  EXPECT_TRUE(Names("tcp;ofi_rxm", "tcp;ofi_rxm"));
  EXPECT_FALSE(Names("tcp;ofi_rxm", "tcp"));
  EXPECT_FALSE(Names("psm", "psm3"));
  EXPECT_FALSE(Names("psm3", "psm"));
  EXPECT_FALSE(Names("", "tcp"));
  EXPECT_TRUE(Names("TCP", "tcp;ofi_rxm"));
}

TEST(AdmissionTest, AListNamesSomeAndLeavesTheOthersOut) {
  EXPECT_EQ(AdmissionOf("", "tcp"), Admission::kOpen);
  EXPECT_EQ(AdmissionOf("tcp", "tcp;ofi_rxm"), Admission::kNamed);
  for (const char* const list :
       {"verbs,tcp", "tcp;ofi_rxm,verbs", "verbs,Tcp,"}) {
    EXPECT_EQ(AdmissionOf(list, "tcp;ofi_rxm"), Admission::kNamed) << list;
    EXPECT_EQ(AdmissionOf(list, "verbs;ofi_rxm"), Admission::kNamed) << list;
    EXPECT_EQ(AdmissionOf(list, "cxi"), Admission::kLeftOut) << list;
  }
}

TEST(AdmissionTest, ANegatedListLeavesSomeOutAndNamesNone) {
  for (const char* const list : {"^tcp,sockets", "^sockets,tcp;ofi_rxm"}) {
    EXPECT_EQ(AdmissionOf(list, "tcp;ofi_rxm"), Admission::kLeftOut) << list;
    EXPECT_EQ(AdmissionOf(list, "sockets"), Admission::kLeftOut) << list;
    EXPECT_EQ(AdmissionOf(list, "cxi"), Admission::kOpen) << list;
  }
  EXPECT_EQ(AdmissionOf("^", "tcp"), Admission::kOpen);
}

TEST_F(ChoiceTest, ANetworkOfItsOwnGoesBeforeIp) {
  EXPECT_EQ(ChooseAmong({{"tcp;ofi_rxm", "eth0", "192.0.2.7"},
                         {"verbs;ofi_rxm", "mlx5_0", ""},
                         {"cxi", "cxi1", ""},
                         {"cxi", "cxi2", ""}}),
            "cxi on cxi1");
}

// psm3 counts as a network of its own, although it does puts and gets in
// software and may run over verbs.
TEST(NetworkOfItsOwnTest, IsNoneThatGoesByIp) {
  for (const char* own : {"cxi", "efa", "verbs;ofi_rxm", "psm3", "strict"}) {
    EXPECT_TRUE(IsNetworkOfItsOwn(own)) << own;
  }
  for (const char* ip :
       {"tcp", "tcp;ofi_rxm", "sockets", "udp;ofi_rxd", "net"}) {
    EXPECT_FALSE(IsNetworkOfItsOwn(ip)) << ip;
  }
}

TEST_F(ChoiceTest, VerbsGoesBeforePsm3) {
  EXPECT_EQ(ChooseAmong({{"psm3", "irdma0", ""},
                         {"verbs;ofi_rxm", "irdma0", "192.0.2.7"}}),
            "verbs;ofi_rxm on irdma0");
}

TEST_F(ChoiceTest, IpGoesByTheAddressOfTheJob) {
  EXPECT_EQ(ChooseAmong({{"tcp;ofi_rxm", "docker0", "198.51.100.1"},
                         {"tcp;ofi_rxm", "eth0", "192.0.2.7"},
                         {"tcp;ofi_rxm", "lo", "127.0.0.1"}}),
            "tcp;ofi_rxm on eth0");
}

// A device may be offered twice, with addresses of two families or with an
// alias.
TEST_F(ChoiceTest, ADeviceMayBeOfferedWithSeveralAddresses) {
  const std::vector<Offer> offers = {{"tcp;ofi_rxm", "eth0", "198.51.100.1"},
                                     {"tcp;ofi_rxm", "eth0", "192.0.2.7"}};
  EXPECT_EQ(ChooseAmong(offers), "tcp;ofi_rxm on eth0");
  for (const char* const fences : {"", "eth0"}) {
    OfferingLibrary::fences = fences;
    const absl::StatusOr<Info> info =
        Choose(OfferingLibrary::Table(), settings_, locality_);
    ASSERT_TRUE(info.ok());
    EXPECT_EQ(memcmp((*info)->src_addr, locality_.address.get(),
                     locality_.address.size()),
              0);
  }
  const auto survey = Survey(OfferingLibrary::Table(), settings_, locality_);
  ASSERT_EQ(survey.size(), 1u);
  EXPECT_EQ(survey[0].says, "taken");
}

TEST_F(ChoiceTest, WhatHangsOrLosesIsTakenOnlyWhereItIsNamed) {
  const std::vector<Offer> offers = {{"sockets", "eth0", "192.0.2.7"},
                                     {"udp;ofi_rxd", "eth0", "192.0.2.7"}};
  EXPECT_THAT(ChooseAmong(offers),
              HasSubstr("sockets on eth0: taken only if GASNET_OFI_PROVIDER "
                        "names it; udp;ofi_rxd on eth0: taken only if"));
  settings_.provider = "udp;ofi_rxd";
  EXPECT_EQ(ChooseAmong(offers), "udp;ofi_rxd on eth0");
}

TEST_F(ChoiceTest, AWishIsFollowedOrRefused) {
  const std::vector<Offer> offers = {{"cxi", "cxi0", ""},
                                     {"tcp;ofi_rxm", "eth0", "192.0.2.7"}};
  settings_.provider = "tcp";
  EXPECT_EQ(ChooseAmong(offers), "tcp;ofi_rxm on eth0");
  settings_.provider = "verbs";
  EXPECT_THAT(ChooseAmong(offers),
              HasSubstr("cxi0: GASNET_OFI_PROVIDER names verbs; "));
}

TEST_F(ChoiceTest, OfAListTheBestIsTaken) {
  const std::vector<Offer> offers = {{"sockets", "eth0", "192.0.2.7"},
                                     {"tcp;ofi_rxm", "eth0", "192.0.2.7"},
                                     {"cxi", "cxi0", ""}};
  settings_.admitted = "^sockets";
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi0");
  settings_.admitted = "^cxi";
  EXPECT_EQ(ChooseAmong(offers), "tcp;ofi_rxm on eth0");
  settings_.admitted = "sockets,verbs,tcp";
  EXPECT_EQ(ChooseAmong(offers), "tcp;ofi_rxm on eth0");
  EXPECT_THAT(ReasonAmong(offers), HasSubstr("that FI_PROVIDER admits, at"));
  settings_.admitted = "sockets";
  EXPECT_EQ(ChooseAmong(offers), "sockets on eth0");
  settings_.admitted = "^tcp,cxi";
  EXPECT_THAT(ChooseAmong(offers),
              HasSubstr("sockets on eth0: taken only if GASNET_OFI_PROVIDER "
                        "names it; tcp;ofi_rxm on eth0: FI_PROVIDER is "
                        "^tcp,cxi; "));
}

TEST_F(ChoiceTest, ADeviceIsFollowedOrRefused) {
  const std::vector<Offer> offers = {{"cxi", "cxi0", ""}, {"cxi", "cxi1", ""}};
  settings_.device = "cxi1";
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi1");
  settings_.device = "cxi7";
  EXPECT_THAT(ChooseAmong(offers),
              HasSubstr("cxi1: GASNET_OFI_DEVICE names cxi7"));
}

// The named device is not at the job's address.
TEST_F(ChoiceTest, ADeviceOfIpThatIsNamedIsAtAnAddressOfItsOwn) {
  const std::vector<Offer> offers = {{"tcp;ofi_rxm", "eth0", "192.0.2.7"},
                                     {"tcp;ofi_rxm", "eth1", "2001:db8::1"},
                                     {"tcp;ofi_rxm", "eth1", "198.51.100.1"}};
  settings_.device = "eth1";
  EXPECT_EQ(ChooseAmong(offers), "tcp;ofi_rxm on eth1");
  EXPECT_EQ(AddressAmong(offers), "198.51.100.1") << "of the job's family";
  EXPECT_EQ(ReasonAmong(offers),
            "the best provider that is available, on the device that "
            "GASNET_OFI_DEVICE names");
  const auto survey = Survey(OfferingLibrary::Table(), settings_, locality_);
  ASSERT_EQ(survey.size(), 2u);
  EXPECT_EQ(survey[0].says, "GASNET_OFI_DEVICE names eth1");
  EXPECT_EQ(survey[1].says, "taken");
  EXPECT_THAT(ChooseAmong({offers[0], offers[1]}),
              HasSubstr("eth1: not of the family of this host's address "
                        "192.0.2.7"));
}

TEST_F(ChoiceTest, ADeviceThatIsNamedIsAtTheAddressOfTheJobWhereItHasIt) {
  const std::vector<Offer> offers = {{"tcp;ofi_rxm", "eth0", "198.51.100.1"},
                                     {"tcp;ofi_rxm", "eth0", "192.0.2.7"}};
  settings_.device = "eth0";
  for (const char* const fences : {"", "eth0"}) {
    OfferingLibrary::fences = fences;
    EXPECT_EQ(AddressAmong(offers), "192.0.2.7");
  }
}

// The places of these devices are unknown. So all devices count as equally
// near.
TEST_F(ChoiceTest, RanksOfAHostTakeDevicesInTurn) {
  const std::vector<Offer> offers = {
      {"cxi", "cxi0", ""}, {"cxi", "cxi0", ""}, {"cxi", "cxi1", ""}};
  locality_.place.earlier = {{0}};
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi1");
  locality_.place.earlier = {{0}, {1}};
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi0");
}

void Attach(const std::string& sys, int bus, const char* cpus) {
  const std::string device =
      absl::StrCat(sys, "/bus/pci/devices/0000:0", bus, ":00.0");
  std::filesystem::create_directories(device);
  std::ofstream(device + "/local_cpulist") << cpus << "\n";
}

TEST_F(ChoiceTest, DevicesThatAreNearGoFirst) {
  const std::string sys = absl::StrCat(::testing::TempDir(), "/choice");
  for (const int bus : {1, 3}) Attach(sys, bus, "8-15");
  locality_.place = {.cpus = {9}, .sys = sys};
  const std::vector<Offer> offers = {
      {"cxi", "cxi0", "", 2}, {"cxi", "cxi1", "", 1}, {"cxi", "cxi2", "", 3}};
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi1");
  EXPECT_THAT(ReasonAmong(offers), HasSubstr("near this rank's processors"));
  locality_.place.earlier = {{10}};
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi2");
  locality_.place = {.cpus = {1}, .sys = sys};
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi0") << "none is near";
}

// The host has two sockets with two devices each. Ranks are bound to the
// sockets in turn.
TEST_F(ChoiceTest, RanksOfEachSocketTakeItsDevicesInTurn) {
  const std::string sys = absl::StrCat(::testing::TempDir(), "/sockets");
  for (const int bus : {1, 2}) Attach(sys, bus, "0-3");
  for (const int bus : {3, 4}) Attach(sys, bus, "4-7");
  const std::vector<Offer> offers = {{"cxi", "cxi0", "", 1},
                                     {"cxi", "cxi1", "", 2},
                                     {"cxi", "cxi2", "", 3},
                                     {"cxi", "cxi3", "", 4}};
  locality_.place = {.sys = sys};
  std::vector<std::string> taken;
  for (const int cpu : {0, 4, 1, 5, 2}) {
    locality_.place.cpus = {cpu};
    taken.push_back(ChooseAmong(offers));
    locality_.place.earlier.push_back({cpu});
  }
  EXPECT_THAT(
      taken, ::testing::ElementsAre("cxi on cxi0", "cxi on cxi2", "cxi on cxi1",
                                    "cxi on cxi3", "cxi on cxi0"));
}

TEST_F(ChoiceTest, WhatIsTakenHasAReason) {
  const std::vector<Offer> ip = {{"tcp;ofi_rxm", "eth0", "192.0.2.7"}};
  const std::vector<Offer> own = {{"cxi", "cxi0", ""}};
  EXPECT_EQ(ReasonAmong(ip),
            "the best provider that is available, at this host's address "
            "192.0.2.7");
  EXPECT_THAT(ReasonAmong(own), HasSubstr("in turn, since none is known"));
  settings_.device = "cxi0";
  EXPECT_THAT(ReasonAmong(own), HasSubstr("that GASNET_OFI_DEVICE names"));
  settings_ = {};
  settings_.provider = "tcp";
  EXPECT_THAT(ReasonAmong(ip),
              HasSubstr("the provider that GASNET_OFI_PROVIDER names, at"));
}

TEST_F(ChoiceTest, ASurveySaysWhatBecomesOfEach) {
  OfferingLibrary::offers = {{"tcp;ofi_rxm", "eth0", "192.0.2.7"},
                             {"tcp;ofi_rxm", "eth1", "198.51.100.1"},
                             {"sockets", "eth0", "192.0.2.7"},
                             {"cxi", "cxi0", ""},
                             {"cxi", "cxi1", ""}};
  OfferingLibrary::unable = {{"usnic", "usnic_0", ""}};
  std::vector<std::string> lines;
  for (const Verdict& each :
       Survey(OfferingLibrary::Table(), settings_, locality_)) {
    lines.push_back(
        absl::StrCat(each.provider, " ", each.device, ": ", each.says));
  }
  EXPECT_THAT(
      lines,
      ::testing::ElementsAre(
          "usnic usnic_0: cannot carry messages, puts and gets between any two "
          "ranks",
          "tcp;ofi_rxm eth0: could be taken, but another is preferred",
          "tcp;ofi_rxm eth1: not at this host's address 192.0.2.7",
          "sockets eth0: taken only if GASNET_OFI_PROVIDER names it",
          "cxi cxi0: taken",
          "cxi cxi1: could be taken, but another is preferred"));
}

TEST_F(ChoiceTest, NothingToChooseIsSaid) {
  EXPECT_THAT(ChooseAmong({}), HasSubstr("it offers none"));
  OfferingLibrary::error = -FI_ENOMEM;
  EXPECT_THAT(ChooseAmong({}), HasSubstr("it is on fire"));
}

// A provider that keeps the order of messages needs no fences.
TEST_F(ChoiceTest, FencesAreAskedForWhereOrderIsNotKept) {
  const std::vector<Offer> offers = {{"cxi", "cxi0", ""}, {"cxi", "cxi1", ""}};
  EXPECT_FALSE(HasFences(offers)) << "no device has any";
  OfferingLibrary::fences = "cxi1";
  EXPECT_FALSE(HasFences(offers)) << "another device has";
  settings_.device = "cxi1";
  EXPECT_TRUE(HasFences(offers));
  OfferingLibrary::order = FI_ORDER_SAW;
  EXPECT_FALSE(HasFences(offers)) << "order is kept";
}

TEST_F(ChoiceTest, BasicRegistrationIsAskedForAlone) {
  ChooseAmong({});
  EXPECT_NE(OfferingLibrary::mr_mode, kBasicRegistration);
  EXPECT_TRUE((OfferingLibrary::asked_for.caps & FI_RMA) != 0);
  settings_.registration = Registration::kBasic;
  ChooseAmong({});
  EXPECT_EQ(OfferingLibrary::mr_mode, kBasicRegistration);
}

}  // namespace
}  // namespace gasnet::ofi
