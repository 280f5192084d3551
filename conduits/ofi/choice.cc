#include "conduits/ofi/choice.h"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace gasnet::ofi {
namespace {

// The preferred providers, best first. Providers with a network of their own
// come before those over IP. psm3 comes after verbs, because psm3 may run over
// verbs and does puts and gets in software. Some providers are not listed.
// sockets, udp;ofi_rxd and net hang or take very long. shm reaches only one
// host. The remaining providers have no remote memory access.
constexpr std::array<std::string_view, 9> kPreferred = {
    "cxi",  "psm2", "opx", "efa",         "verbs;ofi_rxm",
    "psm3", "ucx",  "tcp", "tcp;ofi_rxm",
};

// The requirements (modes) that a provider may have. This conduit meets them.
constexpr uint64_t kModes = FI_CONTEXT | FI_CONTEXT2;
constexpr int kRegistrationModes = FI_MR_LOCAL | FI_MR_VIRT_ADDR |
                                   FI_MR_ALLOCATED | FI_MR_PROV_KEY |
                                   FI_MR_ENDPOINT;

Info MakeHints(const FabricLibrary& library, const OfiSettings& settings) {
  Info hints(library.dupinfo(nullptr), FreeInfo{library.freeinfo});
  if (hints == nullptr) return hints;
  hints->caps = FI_MSG | FI_RMA;
  hints->mode = kModes;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->mr_mode = settings.registration == Registration::kBasic
                                    ? kBasicRegistration
                                    : kRegistrationModes;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
  hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
  hints->domain_attr->av_type = FI_AV_TABLE;
  return hints;
}

bool GoesByIp(const fi_info& info) {
  return info.addr_format == FI_SOCKADDR_IN ||
         info.addr_format == FI_SOCKADDR_IN6 || info.addr_format == FI_SOCKADDR;
}

std::optional<ip::Address> IpAddressOf(const fi_info& info) {
  if (!GoesByIp(info)) return std::nullopt;
  return ip::Address::From(static_cast<const sockaddr*>(info.src_addr));
}

// Returns true if the offered device has the given IP address, or if its
// provider does not use IP.
bool IsAt(const fi_info& info, const ip::Address& address) {
  if (!GoesByIp(info)) return true;
  const auto at = IpAddressOf(info);
  return at && at->SameHost(address);
}

// Returns true if the offered device has an IP address of the given family, or
// if its provider does not use IP. A rank can reach only peers with addresses
// of its own family.
bool IsOfFamily(const fi_info& info, sa_family_t family) {
  if (!GoesByIp(info)) return true;
  const auto at = IpAddressOf(info);
  return at && at->family() == family;
}

std::string ObjectionToProvider(std::string_view name,
                                const OfiSettings& settings) {
  if (!settings.provider.empty()) {
    return Names(settings.provider, name)
               ? ""
               : absl::StrCat("GASNET_OFI_PROVIDER names ", settings.provider);
  }
  const Admission admission = AdmissionOf(settings.admitted, name);
  if (admission == Admission::kLeftOut) {
    return absl::StrCat("FI_PROVIDER is ", settings.admitted);
  }
  if (admission == Admission::kOpen && PreferenceOf(name) == kNotPreferred) {
    return "taken only if GASNET_OFI_PROVIDER names it";
  }
  return "";
}

// Returns the reason why an offer cannot be used. Returns "" if the offer can
// be used.
std::string ObjectionTo(const fi_info& info, const OfiSettings& settings,
                        const Locality& locality) {
  std::string provider =
      ObjectionToProvider(info.fabric_attr->prov_name, settings);
  if (!provider.empty()) return provider;
  if (settings.device.empty()) {
    return IsAt(info, locality.address)
               ? ""
               : absl::StrCat("not at this host's address ",
                              locality.address.ToString());
  }
  if (settings.device != info.domain_attr->name) {
    return absl::StrCat("GASNET_OFI_DEVICE names ", settings.device);
  }
  return IsOfFamily(info, locality.address.family())
             ? ""
             : absl::StrCat("not of the family of this host's address ",
                            locality.address.ToString());
}

bool IsSameDevice(const fi_info& one, const fi_info& other) {
  return std::string_view(one.fabric_attr->prov_name) ==
             other.fabric_attr->prov_name &&
         std::string_view(one.domain_attr->name) == other.domain_attr->name;
}

// Returns, for each device, the first offer for which passes(offer) is true. A
// device may be offered several times, with addresses of several families.
template <class Passes>
std::vector<const fi_info*> DevicesOf(const fi_info* offered, Passes passes) {
  std::vector<const fi_info*> devices;
  for (const fi_info* each = offered; each != nullptr; each = each->next) {
    const auto same = [&](const fi_info* other) {
      return IsSameDevice(*each, *other);
    };
    if (passes(*each) && std::none_of(devices.begin(), devices.end(), same)) {
      devices.push_back(each);
    }
  }
  return devices;
}
std::vector<const fi_info*> DevicesOf(const fi_info* offered) {
  return DevicesOf(offered, [](const fi_info&) { return true; });
}

// Returns the usable devices at the job's address, or all usable devices if
// none is at this address. A device that the user names may have another
// address.
std::vector<const fi_info*> AcceptableOf(const fi_info* offered,
                                         const OfiSettings& settings,
                                         const Locality& locality) {
  const auto is_fine = [&](const fi_info& each) {
    return ObjectionTo(each, settings, locality).empty();
  };
  std::vector<const fi_info*> devices =
      DevicesOf(offered, [&](const fi_info& each) {
        return is_fine(each) && IsAt(each, locality.address);
      });
  return devices.empty() ? DevicesOf(offered, is_fine) : devices;
}

// Returns the usable devices of the best provider.
std::vector<const fi_info*> BestOf(const fi_info* offered,
                                   const OfiSettings& settings,
                                   const Locality& locality) {
  std::vector<const fi_info*> devices =
      AcceptableOf(offered, settings, locality);
  const auto rate = [](const fi_info* each) {
    return PreferenceOf(each->fabric_attr->prov_name);
  };
  const auto best = std::min_element(devices.begin(), devices.end(),
                                     [&](const auto* one, const auto* other) {
                                       return rate(one) < rate(other);
                                     });
  if (best == devices.end()) return devices;
  const std::string name = (*best)->fabric_attr->prov_name;
  std::erase_if(devices, [&](const fi_info* each) {
    return name != each->fabric_attr->prov_name;
  });
  return devices;
}

// Returns the devices that are near to a place, or all devices if none is near.
// The devices must differ only in their distances.
std::vector<const fi_info*> NearOf(const std::vector<const fi_info*>& devices,
                                   const CpuPlacement& place) {
  std::vector<const fi_info*> near = devices;
  std::erase_if(near, [&](const fi_info* each) {
    return !IsNear(*each, place).value_or(false);
  });
  return near.empty() ? devices : near;
}

// Returns a near device, or null if there is no device. Ranks of a host that
// are near to the same devices take these devices in turn. A rank's turn is not
// its index on the host. If ranks are bound to two sockets alternately, turns
// by index would leave half of the devices idle.
const fi_info* Nearest(const std::vector<const fi_info*>& devices,
                       const CpuPlacement& place) {
  if (devices.size() < 2) return devices.empty() ? nullptr : devices.front();
  const std::vector<const fi_info*> near = NearOf(devices, place);
  const auto turn = std::count_if(
      place.earlier.begin(), place.earlier.end(),
      [&](const std::vector<int>& cpus) {
        return NearOf(devices, {.cpus = cpus, .sys = place.sys}) == near;
      });
  return near[static_cast<size_t>(turn) % near.size()];
}

std::string Refusal(const OfiSettings& settings, const Locality& locality,
                    const fi_info* offered) {
  std::string all;
  for (const fi_info* each : DevicesOf(offered)) {
    absl::StrAppend(&all, all.empty() ? "" : "; ", each->fabric_attr->prov_name,
                    " on ", each->domain_attr->name, ": ",
                    ObjectionTo(*each, settings, locality));
  }
  return absl::StrCat("libfabric has no provider that can carry this job: ",
                      all.empty() ? "it offers none" : all.c_str());
}

// Asks the library for the devices that fit `hints`. If `hints` is null, asks
// for all devices.
absl::StatusOr<Info> Ask(const FabricLibrary& library, const fi_info* hints) {
  fi_info* found = nullptr;
  const int error =
      library.getinfo(kInterface, nullptr, nullptr, 0, hints, &found);
  if (error != 0 && error != -FI_ENODATA) {
    return absl::UnavailableError(absl::StrCat(
        "libfabric cannot list its providers: ", library.strerror(-error)));
  }
  return Info(found, FreeInfo{library.freeinfo});
}

bool IsSameOffer(const fi_info& one, const fi_info& other) {
  if (!IsSameDevice(one, other)) return false;
  const auto address = IpAddressOf(other);
  return !address || IsAt(one, *address);
}

// Returns the same device with fences enabled. Returns `info` if the device
// does not support fences or the conduit does not need fences. Some providers
// enable only requested capabilities, so fences must be requested.
Info AskForFences(const FabricLibrary& library, const OfiSettings& settings,
                  Info info) {
  const uint64_t both = info->tx_attr->msg_order & info->rx_attr->msg_order;
  if ((both & FI_ORDER_SAW) != 0) return info;
  const Info hints = MakeHints(library, settings);
  if (hints == nullptr) return info;
  hints->caps |= FI_FENCE;
  const absl::StatusOr<Info> offered = Ask(library, hints.get());
  if (!offered.ok()) return info;
  for (const fi_info* each = offered->get(); each != nullptr;
       each = each->next) {
    if (IsSameOffer(*each, *info)) {
      return Info(library.dupinfo(each), FreeInfo{library.freeinfo});
    }
  }
  return info;
}

}  // namespace

bool Names(std::string_view wish, std::string_view provider) {
  return provider.size() >= wish.size() &&
         strncasecmp(wish.data(), provider.data(), wish.size()) == 0 &&
         (provider.size() == wish.size() || provider[wish.size()] == ';');
}

Admission AdmissionOf(std::string_view list, std::string_view provider) {
  if (list.empty()) return Admission::kOpen;
  const bool negated = list.front() == '^';
  if (negated) list.remove_prefix(1);
  const std::vector<std::string> names = absl::StrSplit(list, ',');
  const bool is_listed = std::any_of(
      names.begin(), names.end(),
      [&](const std::string& each) { return Names(each, provider); });
  if (is_listed == negated) return Admission::kLeftOut;
  return negated ? Admission::kOpen : Admission::kNamed;
}

unsigned PreferenceOf(std::string_view provider) {
  for (unsigned i = 0; i < kPreferred.size(); ++i) {
    if (kPreferred[i] == provider) return i;
  }
  return kNotPreferred;
}

bool IsNetworkOfItsOwn(std::string_view provider) {
  return !Names("tcp", provider) && !Names("sockets", provider) &&
         !Names("udp", provider) && !Names("net", provider);
}

absl::StatusOr<Info> Choose(const FabricLibrary& library,
                            const OfiSettings& settings,
                            const Locality& locality) {
  const Info hints = MakeHints(library, settings);
  if (hints == nullptr) return absl::ResourceExhaustedError("out of memory");
  absl::StatusOr<Info> offered = Ask(library, hints.get());
  if (!offered.ok()) return offered.status();
  const fi_info* const chosen =
      Nearest(BestOf(offered->get(), settings, locality), locality.place);
  if (chosen == nullptr) {
    return absl::NotFoundError(Refusal(settings, locality, offered->get()));
  }
  return AskForFences(
      library, settings,
      Info(library.dupinfo(chosen), FreeInfo{library.freeinfo}));
}

std::string ReasonFor(const fi_info& chosen, const OfiSettings& settings,
                      const Locality& locality) {
  const char* const provider =
      !settings.provider.empty() ? "the provider that GASNET_OFI_PROVIDER names"
      : !settings.admitted.empty() ? "the best provider that FI_PROVIDER admits"
                                   : "the best provider that is available";
  if (!settings.device.empty()) {
    return absl::StrCat(provider,
                        ", on the device that GASNET_OFI_DEVICE names");
  }
  if (GoesByIp(chosen)) {
    return absl::StrCat(provider, ", at this host's address ",
                        locality.address.ToString());
  }
  return absl::StrCat(
      provider,
      IsNear(chosen, locality.place).value_or(false)
          ? ", on a device near this rank's processors"
          : ", on a device chosen in turn, since none is known to be near");
}

std::vector<Verdict> Survey(const FabricLibrary& library,
                            const OfiSettings& settings,
                            const Locality& locality) {
  const Info hints = MakeHints(library, settings);
  const absl::StatusOr<Info> offered = Ask(library, hints.get());
  const absl::StatusOr<Info> all = Ask(library, nullptr);
  if (!offered.ok() || !all.ok()) return {};
  const std::vector<const fi_info*> able = DevicesOf(offered->get());
  const fi_info* const chosen =
      Nearest(BestOf(offered->get(), settings, locality), locality.place);
  std::vector<Verdict> verdicts;
  for (const fi_info* each : DevicesOf(all->get())) {
    const auto same = [&](const fi_info* other) {
      return IsSameDevice(*each, *other);
    };
    Verdict verdict = {each->fabric_attr->prov_name, each->domain_attr->name,
                       "taken"};
    if (std::none_of(able.begin(), able.end(), same)) {
      verdict.says =
          "cannot carry messages, puts and gets between any two ranks";
    } else if (chosen == nullptr || !same(chosen)) {
      std::string why = ObjectionTo(*each, settings, locality);
      verdict.says = why.empty() ? "could be taken, but another is preferred"
                                 : std::move(why);
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace gasnet::ofi
