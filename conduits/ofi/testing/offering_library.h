// A fake library with offers that a test chooses. No offer can be opened.
#ifndef CONDUITS_OFI_TESTING_OFFERING_LIBRARY_H_
#define CONDUITS_OFI_TESTING_OFFERING_LIBRARY_H_

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "conduits/ofi/library.h"
#include "core/ip/address.h"

namespace gasnet::ofi::testing {

struct Offer {
  std::string provider;
  std::string device;
  std::string address;  // IP address; "": none
  uint8_t bus = 0;      // PCI bus; 0: none
};

class OfferingLibrary {
 public:
  static inline std::vector<Offer> offers;
  static inline fi_info asked_for;
  static inline int mr_mode;
  static inline int error;
  static inline std::vector<Offer>
      // offers listed first if hints are null
      unable;
  static inline uint64_t order;      // the msg_order of all offers
  static inline std::string fences;  // the device that supports FI_FENCE

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
      info->addr_format =
          address.family() == AF_INET ? FI_SOCKADDR_IN : FI_SOCKADDR_IN6;
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
  static FabricLibrary Table() {
    return {GetInfo, Free, Duplicate, nullptr, Text, nullptr};
  }
};

}  // namespace gasnet::ofi::testing

#endif  // CONDUITS_OFI_TESTING_OFFERING_LIBRARY_H_
