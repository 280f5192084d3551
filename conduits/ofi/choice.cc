#include "conduits/ofi/choice.h"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace gasnet::ofi {
namespace {

// Networks of their own first, then what goes by IP. What is missing here:
// sockets, udp;ofi_rxd and net hang or take very long, shm reaches one host
// alone, and others have no remote memory access.
constexpr std::array<std::string_view, 9> kPreferred = {
    "cxi",           "psm2", "opx", "efa",         "psm3",
    "verbs;ofi_rxm", "ucx",  "tcp", "tcp;ofi_rxm",
};

// What we can live with, of what a provider may demand of its user.
constexpr uint64_t kModes = FI_CONTEXT | FI_CONTEXT2;
constexpr int kRegistrationModes = FI_MR_LOCAL | FI_MR_VIRT_ADDR |
                                   FI_MR_ALLOCATED | FI_MR_PROV_KEY |
                                   FI_MR_ENDPOINT;

Info MakeHints(const Library& library, const Settings& settings) {
  Info hints(library.dupinfo(nullptr), FreeInfo{library.freeinfo});
  if (hints == nullptr) return hints;
  hints->caps = FI_MSG | FI_RMA;
  hints->mode = kModes;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->mr_mode = settings.registration == Registration::kBasic
                                    ? FI_MR_BASIC
                                    : kRegistrationModes;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
  hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
  hints->domain_attr->av_type = FI_AV_TABLE;
  return hints;
}

// Whether it is of that address, or of no IP address.
bool IsAt(const fi_info& info, const ip::Address& address) {
  if (info.addr_format != FI_SOCKADDR_IN &&
      info.addr_format != FI_SOCKADDR_IN6 && info.addr_format != FI_SOCKADDR) {
    return true;
  }
  const auto at =
      ip::Address::From(static_cast<const sockaddr*>(info.src_addr));
  return at && at->SameHost(address);
}

bool IsOn(const fi_info& info, std::string_view device) {
  return device.empty() || device == info.domain_attr->name;
}

unsigned Rate(const fi_info& info, const Settings& settings) {
  const std::string_view name = info.fabric_attr->prov_name;
  const unsigned preference = PreferenceOf(name);
  if (settings.provider.empty()) return preference;
  if (!Names(settings.provider, name)) return kNotPreferred;
  return std::min<unsigned>(preference, kPreferred.size());
}

std::string Refusal(const Settings& settings, const ip::Address& address,
                    const fi_info* offered) {
  std::string names;
  std::string_view last;
  for (const fi_info* each = offered; each != nullptr; each = each->next) {
    if (last == each->fabric_attr->prov_name) continue;
    last = each->fabric_attr->prov_name;
    StrAppend(&names, names.empty() ? "" : ", ", last);
  }
  return StrCat("libfabric has no provider that can carry this job",
                settings.provider.empty()
                    ? ""
                    : " and is named " + settings.provider +
                          " (GASNET_OFI_PROVIDER or FI_PROVIDER)",
                settings.device.empty() ? "" : " on device " + settings.device,
                ", for this host's address ", address.ToString(),
                "; it offers ", names.empty() ? "none" : names);
}

bool IsSameDevice(const fi_info& one, const fi_info& other) {
  return std::string_view(one.fabric_attr->prov_name) ==
             other.fabric_attr->prov_name &&
         std::string_view(one.domain_attr->name) == other.domain_attr->name;
}

// The same device with fences, where it has some and they are of use: of what a
// provider can do, some do what they are asked for alone.
Info AskForFences(const Library& library, const Settings& settings, Info info) {
  const uint64_t both = info->tx_attr->msg_order & info->rx_attr->msg_order;
  if ((both & FI_ORDER_SAW) != 0) return info;
  const Info hints = MakeHints(library, settings);
  if (hints == nullptr) return info;
  hints->caps |= FI_FENCE;
  fi_info* found = nullptr;
  if (library.getinfo(kInterface, nullptr, nullptr, 0, hints.get(), &found) !=
      0) {
    return info;
  }
  const Info offered(found, FreeInfo{library.freeinfo});
  for (const fi_info* each = found; each != nullptr; each = each->next) {
    if (!IsSameDevice(*each, *info)) continue;
    return Info(library.dupinfo(each), FreeInfo{library.freeinfo});
  }
  return info;
}

}  // namespace

bool Names(std::string_view wish, std::string_view provider) {
  return wish == provider ||
         (provider.size() > wish.size() && provider.starts_with(wish) &&
          provider[wish.size()] == ';');
}

unsigned PreferenceOf(std::string_view provider) {
  for (unsigned i = 0; i < kPreferred.size(); ++i) {
    if (kPreferred[i] == provider) return i;
  }
  return kNotPreferred;
}

StatusOr<Info> Choose(const Library& library, const Settings& settings,
                      const ip::Address& address) {
  const Info hints = MakeHints(library, settings);
  if (hints == nullptr) return ResourceExhaustedError("out of memory");
  fi_info* found = nullptr;
  const int error =
      library.getinfo(kInterface, nullptr, nullptr, 0, hints.get(), &found);
  if (error != 0 && error != -FI_ENODATA) {
    return UnavailableError(StrCat("libfabric cannot say what it offers: ",
                                   library.strerror(-error)));
  }
  const Info offered(found, FreeInfo{library.freeinfo});
  const fi_info* best = nullptr;
  unsigned rated = kNotPreferred;
  for (const fi_info* each = found; each != nullptr; each = each->next) {
    if (!IsOn(*each, settings.device) || !IsAt(*each, address)) continue;
    const unsigned rate = Rate(*each, settings);
    if (rate >= rated) continue;
    best = each;
    rated = rate;
  }
  if (best == nullptr) {
    return NotFoundError(Refusal(settings, address, found));
  }
  return AskForFences(library, settings,
                      Info(library.dupinfo(best), FreeInfo{library.freeinfo}));
}

}  // namespace gasnet::ofi
