#include "conduits/ofi/start.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/cpu.h"
#include "base/env.h"
#include "base/log.h"
#include "base/process_state.h"
#include "conduits/ofi/agreement.h"
#include "conduits/ofi/choice.h"
#include "conduits/ofi/library.h"
#include "conduits/ofi/place.h"
#include "conduits/ofi/provider_environment.h"
#include "conduits/ofi/tuning.h"
#include "job/gather.h"
#include "job/shared_failure.h"

namespace gasnet::ofi {
namespace {

// A rank's contribution to the exchange of addresses. `ok` is 0 if the rank has
// no endpoint.
struct OfiContact {
  uint8_t ok;
  uint8_t name_size;
  ProviderFindings found;
  std::array<char, OfiEndpoint::kMaxName> name;
};
static_assert(std::is_trivially_copyable_v<OfiContact>);

size_t EntriesFor(const MessageLimits& limits, const Paths& paths) {
  const size_t all =
      limits.arrivals + kLanes * limits.sends + paths.most_posted;
  return paths.frames.managed ? std::min(all, kMaxEntries) : all;
}

size_t FarRanks(const job::Job& job) { return job.size() - 1; }

uint32_t CookieOf(const job::Job& job) {
  // The cookie consists of the last bytes of the job's key. It does not reveal
  // any other byte of the key.
  uint32_t cookie;
  std::memcpy(&cookie, job.key().data() + job.key().size() - sizeof cookie,
              sizeof cookie);
  // The cookie differs between initializations of GASNet in one process. So
  // frames of an earlier initialization are dropped.
  constexpr uint32_t kOdd = 0x9E3779B1;
  return cookie ^ job.life() * kOdd;
}

void ReportProviders(const std::vector<Verdict>& verdicts) {
  for (const Verdict& each : verdicts) {
    Inform("libfabric's provider %s on device %s: %s", each.provider.c_str(),
           each.device.c_str(), each.says.c_str());
  }
}

absl::Status CheckReads(const fi_info& info, const Paths& paths) {
  if (paths.remote_completion != RemoteCompletion::kRead ||
      paths.flushed_bytes > 0) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(absl::StrCat(
      "GASNET_OFI_REMOTE_COMPLETION is read, but libfabric's provider ",
      info.fabric_attr->prov_name, " on device ", info.domain_attr->name,
      " keeps no reads behind writes; accepted with it: own, delivery "
      "or transmit"));
}

absl::StatusOr<std::unique_ptr<OfiEndpoint>> OpenEndpoint(
    const job::Job& job, const OfiSettings& settings,
    const Locality& locality) {
  SetProviderEnvironment(job.size(), CookieOf(job));
  const ProcessStateKept kept;
  absl::StatusOr<FabricLibrary> library = LoadLibrary(settings.library);
  if (!library.ok()) return library.status();
  if (settings.list_devices && settings.listers.Has(job.rank())) {
    ReportProviders(Survey(*library, settings, locality));
  }
  absl::StatusOr<Info> info = Choose(*library, settings, locality);
  if (!info.ok()) return info.status();
  if (ReportsEnvironment()) {
    Inform("libfabric's provider %s on device %s is taken: %s",
           (*info)->fabric_attr->prov_name, (*info)->domain_attr->name,
           ReasonFor(**info, settings, locality).c_str());
  }
  const Paths paths(**info, settings.wishes);
  if (const absl::Status possible = CheckReads(**info, paths); !possible.ok()) {
    return possible;
  }
  const MessageLimits limits(FarRanks(job), paths.frames);
  return OfiEndpoint::Open(*library, *std::move(info), paths,
                           {EntriesFor(limits, paths), limits.frame_bytes});
}

ProviderFindings FoundBy(const OfiEndpoint& endpoint,
                         const MessageLimits& limits) {
  ProviderFindings found = {};
  std::string_view(endpoint.provider())
      .copy(found.provider.data(), found.provider.size() - 1);
  found.window = limits.window;
  found.least = limits.least;
  found.frame_bytes = static_cast<uint32_t>(limits.frame_bytes);
  found.version = endpoint.version();
  return found;
}

absl::Status WithOthers(const absl::Status& mine,
                        std::span<const ProviderFindings> all) {
  if (mine.ok()) return mine;
  return absl::UnavailableError(
      absl::StrCat(mine.message(), WhatOthersHave(all)));
}

// Exchanges the addresses of all ranks. Returns the addresses, or an error on
// all ranks.
absl::StatusOr<std::vector<std::string>> ExchangeNames(
    job::Job& job, absl::StatusOr<std::unique_ptr<OfiEndpoint>>& endpoint) {
  OfiContact mine = {};
  mine.ok = endpoint.ok();
  if (endpoint.ok()) {
    const std::string name = (*endpoint)->name();
    mine.name_size = static_cast<uint8_t>(name.size());
    name.copy(mine.name.data(), mine.name.size());
    mine.found = FoundBy(
        **endpoint, MessageLimits(FarRanks(job), (*endpoint)->paths().frames));
  }
  const std::vector<OfiContact> all = job::Gather(job, mine);
  std::vector<std::string> names;
  std::vector<ProviderFindings> found;
  for (const OfiContact& each : all) {
    names.emplace_back(each.name.data(),
                       std::min<size_t>(each.name_size, each.name.size()));
    found.push_back(each.found);
  }
  const auto failed = std::find_if(
      all.begin(), all.end(), [](const auto& each) { return each.ok == 0; });
  if (failed != all.end()) {
    return job::ReportFirst(
        job, "gasnet_init", static_cast<Rank>(failed - all.begin()),
        WithOthers(endpoint.status(), found), "could not open its endpoint");
  }
  const absl::Status agreed = CheckAlike(found);
  if (!agreed.ok()) return job::ReportOnce(job, "gasnet_init", agreed);
  return names;
}

// Finds this rank's place on its host. Collective. Called before libfabric is
// loaded, because the constructors of libfabric may bind the thread.
CpuPlacement FindPlace(job::Job& job) {
  CpuPlacement place = {.cpus = AllowedCpus()};
  const std::vector<CpuMask> masks = job::Gather(job, MaskOf(place.cpus));
  place.earlier = EarlierOnHost(masks, job.host_of(), job.rank());
  return place;
}

bool FindsOwnNetwork(const job::Job& job, const OfiSettings& settings,
                     const Locality& locality) {
  SetProviderEnvironment(job.size(), CookieOf(job));
  const ProcessStateKept kept;
  const absl::StatusOr<FabricLibrary> library = LoadLibrary(settings.library);
  if (!library.ok()) return false;
  const absl::StatusOr<Info> info = Choose(*library, settings, locality);
  return info.ok() && IsNetworkOfItsOwn((*info)->fabric_attr->prov_name);
}

void Report(const OfiEndpoint& endpoint) {
  if (!ReportsEnvironment()) return;
  Inform("libfabric's provider %s on device %s: %s", endpoint.provider(),
         endpoint.device(), endpoint.paths().ToString().c_str());
}

}  // namespace

absl::StatusOr<OfiStartup> StartEndpoints(job::Job& job) {
  const CpuPlacement place = FindPlace(job);
  OfiSettings settings = SettingsFromEnvironment(place);
  absl::StatusOr<ip::JobAddresses> addresses =
      ip::ChooseJobAddresses(job, settings.addresses);
  if (!addresses.ok()) return addresses.status();
  const ip::Address& address =
      addresses->chosen[job.host_of()[job.rank()]].address;
  absl::StatusOr<std::unique_ptr<OfiEndpoint>> endpoint =
      OpenEndpoint(job, settings, {address, place});
  absl::StatusOr<std::vector<std::string>> names = ExchangeNames(job, endpoint);
  if (!names.ok()) return names.status();
  Report(**endpoint);
  const MessageLimits limits(FarRanks(job), (*endpoint)->paths().frames);
  return OfiStartup{std::move(settings),
                    *std::move(addresses),
                    *std::move(endpoint),
                    *std::move(names),
                    limits,
                    CookieOf(job)};
}

bool HasOwnNetwork(job::Job& job) {
  const CpuPlacement place = FindPlace(job);
  const OfiSettings settings = SettingsFromEnvironment(place);
  const absl::StatusOr<ip::JobAddresses> addresses =
      ip::ChooseJobAddresses(job, settings.addresses);
  if (!addresses.ok()) return false;
  const Locality locality = {
      addresses->chosen[job.host_of()[job.rank()]].address, place};
  const uint8_t mine = FindsOwnNetwork(job, settings, locality);
  return std::ranges::all_of(job::Gather(job, mine),
                             [](uint8_t found) { return found != 0; });
}

}  // namespace gasnet::ofi
