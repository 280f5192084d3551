#include "conduits/ofi/choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/strings.h"

namespace gasnet::ofi {
namespace {

using ::testing::HasSubstr;

struct Offer {
  std::string provider;
  std::string device;
  std::string address;  // of IP; "": none
  uint8_t bus = 0;      // of PCI; 0: none
};

// A library that offers what a test says.
class FakeLibrary {
 public:
  static inline std::vector<Offer> offers;
  static inline fi_info asked_for;
  static inline int mr_mode;
  static inline int error;
  static inline std::vector<Offer>
      unable;                        // before all, where nothing is asked
  static inline uint64_t order;      // of all
  static inline std::string fences;  // the device that has some

  static fi_info* Make() {
    auto* const info = static_cast<fi_info*>(calloc(1, sizeof(fi_info)));
    info->tx_attr = static_cast<fi_tx_attr*>(calloc(1, sizeof(fi_tx_attr)));
    info->rx_attr = static_cast<fi_rx_attr*>(calloc(1, sizeof(fi_rx_attr)));
    info->ep_attr = static_cast<fi_ep_attr*>(calloc(1, sizeof(fi_ep_attr)));
    info->domain_attr =
        static_cast<fi_domain_attr*>(calloc(1, sizeof(fi_domain_attr)));
    info->fabric_attr =
        static_cast<fi_fabric_attr*>(calloc(1, sizeof(fi_fabric_attr)));
    return info;
  }
  static fi_info* MakeOffer(const Offer& offer) {
    fi_info* const info = Make();
    info->fabric_attr->prov_name = strdup(offer.provider.c_str());
    info->domain_attr->name = strdup(offer.device.c_str());
    info->addr_format = FI_ADDR_STR;
    if (!offer.address.empty()) {
      const ip::Address address = *ip::Address::Parse(offer.address);
      info->addr_format = FI_SOCKADDR_IN;
      info->src_addr = malloc(address.size());
      memcpy(info->src_addr, address.get(), address.size());
      info->src_addrlen = address.size();
    }
    if (offer.bus != 0) {
      info->nic = static_cast<fid_nic*>(calloc(1, sizeof(fid_nic)));
      info->nic->bus_attr =
          static_cast<fi_bus_attr*>(calloc(1, sizeof(fi_bus_attr)));
      info->nic->bus_attr->bus_type = FI_BUS_PCI;
      info->nic->bus_attr->attr.pci.bus_id = offer.bus;
    }
    return info;
  }
  static void Free(fi_info* info) {
    while (info != nullptr) {
      fi_info* const next = info->next;
      free(info->fabric_attr->prov_name);
      free(info->domain_attr->name);
      free(info->src_addr);
      if (info->nic != nullptr) free(info->nic->bus_attr);
      free(info->nic);
      free(info->tx_attr);
      free(info->rx_attr);
      free(info->ep_attr);
      free(info->domain_attr);
      free(info->fabric_attr);
      free(info);
      info = next;
    }
  }
  static fi_info* Duplicate(const fi_info* info) {
    if (info == nullptr) return Make();
    Offer offer = {info->fabric_attr->prov_name, info->domain_attr->name, ""};
    if (info->src_addr != nullptr) {
      offer.address =
          ip::Address::From(static_cast<const sockaddr*>(info->src_addr))
              ->ToString();
    }
    if (info->nic != nullptr) {
      offer.bus = info->nic->bus_attr->attr.pci.bus_id;
    }
    fi_info* const copy = MakeOffer(offer);
    copy->caps = info->caps;
    *copy->tx_attr = *info->tx_attr;
    *copy->rx_attr = *info->rx_attr;
    return copy;
  }
  static int GetInfo(uint32_t, const char*, const char*, uint64_t,
                     const fi_info* hints, fi_info** found) {
    *found = nullptr;
    if (error != 0) return error;
    fi_info** end = found;
    if (hints == nullptr) {
      std::vector<Offer> all = unable;
      all.insert(all.end(), offers.begin(), offers.end());
      for (const Offer& offer : all) {
        *end = MakeOffer(offer);
        end = &(*end)->next;
      }
      return 0;
    }
    asked_for = *hints;
    mr_mode = hints->domain_attr->mr_mode;
    for (const Offer& offer : offers) {
      if ((hints->caps & FI_FENCE) != 0 && offer.device != fences) continue;
      *end = MakeOffer(offer);
      (*end)->caps = hints->caps;
      (*end)->tx_attr->msg_order = (*end)->rx_attr->msg_order = order;
      end = &(*end)->next;
    }
    return *found == nullptr ? -FI_ENODATA : 0;
  }
  static const char* Text(int) { return "it is on fire"; }
  static Library Table() {
    return {GetInfo, Free, Duplicate, nullptr, Text, nullptr};
  }
};

class ChoiceTest : public ::testing::Test {
 protected:
  ChoiceTest() {
    FakeLibrary::offers.clear();
    FakeLibrary::error = 0;
    FakeLibrary::order = 0;
    FakeLibrary::unable.clear();
    FakeLibrary::fences.clear();
  }
  bool HasFences(std::vector<Offer> offers) {
    FakeLibrary::offers = std::move(offers);
    const StatusOr<Info> info = Choose(FakeLibrary::Table(), settings_, seat_);
    EXPECT_TRUE(info.ok()) << info.status();
    return ((*info)->caps & FI_FENCE) != 0;
  }
  // "PROVIDER on DEVICE", or the message.
  std::string ChooseAmong(std::vector<Offer> offers) {
    FakeLibrary::offers = std::move(offers);
    const StatusOr<Info> info = Choose(FakeLibrary::Table(), settings_, seat_);
    if (!info.ok()) return std::string(info.status().message());
    EXPECT_EQ((*info)->next, nullptr);
    return std::string((*info)->fabric_attr->prov_name) + " on " +
           (*info)->domain_attr->name;
  }

  std::string ReasonAmong(std::vector<Offer> offers) {
    FakeLibrary::offers = std::move(offers);
    const StatusOr<Info> info = Choose(FakeLibrary::Table(), settings_, seat_);
    EXPECT_TRUE(info.ok()) << info.status();
    return ReasonFor(**info, settings_, seat_);
  }

  Settings settings_ = {};
  Seat seat_ = {*ip::Address::Parse("192.0.2.7"), {.cpus = {0}}};
};

TEST(NamesTest, AProviderIsNamedWithOrWithoutItsLayers) {
  EXPECT_TRUE(Names("tcp", "tcp"));
  EXPECT_TRUE(Names("tcp", "tcp;ofi_rxm"));
  EXPECT_TRUE(Names("tcp;ofi_rxm", "tcp;ofi_rxm"));
  EXPECT_FALSE(Names("tcp;ofi_rxm", "tcp"));
  EXPECT_FALSE(Names("psm", "psm3"));
  EXPECT_FALSE(Names("psm3", "psm"));
}

TEST_F(ChoiceTest, ANetworkOfItsOwnGoesBeforeIp) {
  EXPECT_EQ(ChooseAmong({{"tcp;ofi_rxm", "eth0", "192.0.2.7"},
                         {"verbs;ofi_rxm", "mlx5_0", ""},
                         {"cxi", "cxi1", ""},
                         {"cxi", "cxi2", ""}}),
            "cxi on cxi1");
}

TEST_F(ChoiceTest, IpGoesByTheAddressOfTheJob) {
  EXPECT_EQ(ChooseAmong({{"tcp;ofi_rxm", "docker0", "198.51.100.1"},
                         {"tcp;ofi_rxm", "eth0", "192.0.2.7"},
                         {"tcp;ofi_rxm", "lo", "127.0.0.1"}}),
            "tcp;ofi_rxm on eth0");
}

// Of two families, or an alias.
TEST_F(ChoiceTest, ADeviceMayBeOfferedWithSeveralAddresses) {
  const std::vector<Offer> offers = {{"tcp;ofi_rxm", "eth0", "198.51.100.1"},
                                     {"tcp;ofi_rxm", "eth0", "192.0.2.7"}};
  EXPECT_EQ(ChooseAmong(offers), "tcp;ofi_rxm on eth0");
  for (const char* const fences : {"", "eth0"}) {
    FakeLibrary::fences = fences;
    const StatusOr<Info> info = Choose(FakeLibrary::Table(), settings_, seat_);
    ASSERT_TRUE(info.ok());
    EXPECT_EQ(
        memcmp((*info)->src_addr, seat_.address.get(), seat_.address.size()),
        0);
  }
  const auto survey = Survey(FakeLibrary::Table(), settings_, seat_);
  ASSERT_EQ(survey.size(), 1u);
  EXPECT_EQ(survey[0].says, "taken");
}

TEST_F(ChoiceTest, WhatHangsOrLosesIsTakenOnlyWhereItIsNamed) {
  const std::vector<Offer> offers = {{"sockets", "eth0", "192.0.2.7"},
                                     {"udp;ofi_rxd", "eth0", "192.0.2.7"}};
  EXPECT_THAT(ChooseAmong(offers),
              HasSubstr("sockets on eth0: taken only where GASNET_OFI_PROVIDER "
                        "names it; udp;ofi_rxd on eth0: taken only where"));
  settings_.provider = "udp;ofi_rxd";
  EXPECT_EQ(ChooseAmong(offers), "udp;ofi_rxd on eth0");
}

TEST_F(ChoiceTest, AWishIsFollowedOrRefused) {
  const std::vector<Offer> offers = {{"cxi", "cxi0", ""},
                                     {"tcp;ofi_rxm", "eth0", "192.0.2.7"}};
  settings_.provider = "tcp";
  EXPECT_EQ(ChooseAmong(offers), "tcp;ofi_rxm on eth0");
  settings_.provider = "verbs";
  EXPECT_THAT(
      ChooseAmong(offers),
      HasSubstr("cxi0: GASNET_OFI_PROVIDER or FI_PROVIDER names verbs; "));
}

TEST_F(ChoiceTest, ADeviceIsFollowedOrRefused) {
  const std::vector<Offer> offers = {{"cxi", "cxi0", ""}, {"cxi", "cxi1", ""}};
  settings_.device = "cxi1";
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi1");
  settings_.device = "cxi7";
  EXPECT_THAT(ChooseAmong(offers),
              HasSubstr("cxi1: GASNET_OFI_DEVICE names cxi7"));
}

// They say nothing of where they are: all are as near.
TEST_F(ChoiceTest, RanksOfAHostTakeDevicesInTurn) {
  const std::vector<Offer> offers = {
      {"cxi", "cxi0", ""}, {"cxi", "cxi0", ""}, {"cxi", "cxi1", ""}};
  seat_.place.index = 1;
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi1");
  seat_.place.index = 2;
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi0");
}

TEST_F(ChoiceTest, DevicesThatAreNearGoFirst) {
  const std::string sys = StrCat(::testing::TempDir(), "/choice");
  for (const int bus : {1, 3}) {
    const std::string device =
        StrCat(sys, "/bus/pci/devices/0000:0", bus, ":00.0");
    std::filesystem::create_directories(device);
    std::ofstream(device + "/local_cpulist") << "8-15\n";
  }
  seat_.place = {.cpus = {9}, .sys = sys};
  const std::vector<Offer> offers = {
      {"cxi", "cxi0", "", 2}, {"cxi", "cxi1", "", 1}, {"cxi", "cxi2", "", 3}};
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi1");
  EXPECT_THAT(ReasonAmong(offers), HasSubstr("near this rank's processors"));
  seat_.place.index = 1;
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi2");
  seat_.place = {.cpus = {1}, .index = 0, .sys = sys};
  EXPECT_EQ(ChooseAmong(offers), "cxi on cxi0") << "none is near";
}

TEST_F(ChoiceTest, WhatIsTakenHasAReason) {
  const std::vector<Offer> ip = {{"tcp;ofi_rxm", "eth0", "192.0.2.7"}};
  const std::vector<Offer> own = {{"cxi", "cxi0", ""}};
  EXPECT_EQ(ReasonAmong(ip),
            "the best provider that can be taken, at this host's address "
            "192.0.2.7");
  EXPECT_THAT(ReasonAmong(own), HasSubstr("in turn, since none is known"));
  settings_.device = "cxi0";
  EXPECT_THAT(ReasonAmong(own), HasSubstr("that GASNET_OFI_DEVICE names"));
  settings_ = {};
  settings_.provider = "tcp";
  EXPECT_THAT(ReasonAmong(ip),
              HasSubstr("that GASNET_OFI_PROVIDER or FI_PROVIDER names, at"));
}

TEST_F(ChoiceTest, ASurveySaysWhatBecomesOfEach) {
  FakeLibrary::offers = {{"tcp;ofi_rxm", "eth0", "192.0.2.7"},
                         {"tcp;ofi_rxm", "eth1", "198.51.100.1"},
                         {"sockets", "eth0", "192.0.2.7"},
                         {"cxi", "cxi0", ""},
                         {"cxi", "cxi1", ""}};
  FakeLibrary::unable = {{"usnic", "usnic_0", ""}};
  std::vector<std::string> lines;
  for (const Verdict& each : Survey(FakeLibrary::Table(), settings_, seat_)) {
    lines.push_back(StrCat(each.provider, " ", each.device, ": ", each.says));
  }
  EXPECT_THAT(
      lines,
      ::testing::ElementsAre(
          "usnic usnic_0: cannot carry messages, puts and gets between any two "
          "ranks",
          "tcp;ofi_rxm eth0: could be taken, but another goes before it",
          "tcp;ofi_rxm eth1: not at this host's address 192.0.2.7",
          "sockets eth0: taken only where GASNET_OFI_PROVIDER names it",
          "cxi cxi0: taken",
          "cxi cxi1: could be taken, but another goes before it"));
}

TEST_F(ChoiceTest, NothingToChooseIsSaid) {
  EXPECT_THAT(ChooseAmong({}), HasSubstr("it offers none"));
  FakeLibrary::error = -FI_ENOMEM;
  EXPECT_THAT(ChooseAmong({}), HasSubstr("it is on fire"));
}

// It is what fences would be for.
TEST_F(ChoiceTest, FencesAreAskedForWhereOrderIsNotKept) {
  const std::vector<Offer> offers = {{"cxi", "cxi0", ""}, {"cxi", "cxi1", ""}};
  EXPECT_FALSE(HasFences(offers)) << "no device has any";
  FakeLibrary::fences = "cxi1";
  EXPECT_FALSE(HasFences(offers)) << "another device has";
  settings_.device = "cxi1";
  EXPECT_TRUE(HasFences(offers));
  FakeLibrary::order = FI_ORDER_SAW;
  EXPECT_FALSE(HasFences(offers)) << "order is kept";
}

TEST_F(ChoiceTest, BasicRegistrationIsAskedForAlone) {
  ChooseAmong({});
  EXPECT_NE(FakeLibrary::mr_mode, kBasicRegistration);
  EXPECT_TRUE((FakeLibrary::asked_for.caps & FI_RMA) != 0);
  settings_.registration = Registration::kBasic;
  ChooseAmong({});
  EXPECT_EQ(FakeLibrary::mr_mode, kBasicRegistration);
}

}  // namespace
}  // namespace gasnet::ofi
