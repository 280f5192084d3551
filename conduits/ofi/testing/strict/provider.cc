// The strict provider: the entry point, its offers, and its fabric.
//
// This provider is for tests. It is named "strict", and libfabric loads it from
// FI_PROVIDER_PATH. Real ranks run over it, one in each process. It uses
// tcp;ofi_rxm of the same library, but only to carry packets. It implements
// messages, writes and reads itself. So it knows all operations under way, and
// can behave as badly as the interface permits (options.h).
//
//   posts.cc      posts: their arguments are checked, then they are accepted
//                 or refused
//   initiator     posted operations, until they are over
//   target        operations that have arrived, until they are in place
//   queue.cc      completions
//   memory.cc     registration
//   core, packet  packets between processes
//
// A broken rule ends the program with a line on stderr, "strict: ...". The
// initiator checks:
//
//   - descriptors: the buffer must be in memory that is registered for its use
//   - contexts: they must exist and be free
//   - lengths, flags and addresses
//   - threads: only one at a time may be in the domain
//   - functions: the user must not call those that the provider does not have
//
// The target checks the keys and places of its memory, because only the target
// knows them. If resources are not managed, messages without a buffer and
// queues that overrun are violations, too.
#include <rdma/fi_errno.h>
#include <rdma/providers/fi_prov.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "conduits/ofi/testing/rules/tables.h"
#include "conduits/ofi/testing/rules/violation.h"
#include "conduits/ofi/testing/strict/objects.h"
#include "conduits/ofi/testing/strict/options.h"

const char gasnet::ofi::rules::kProvider[] = "strict";

namespace gasnet::ofi::strict {
namespace {

constexpr uint64_t kCaps = FI_MSG | FI_RMA | FI_SEND | FI_RECV | FI_READ |
                           FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE |
                           FI_LOCAL_COMM | FI_REMOTE_COMM;

using Infos = std::unique_ptr<fi_info, decltype(&fi_freeinfo)>;

// The offers of the core provider, from the last query. Cleanup() frees the
// offers. The library calls Cleanup() after the destructors of static objects
// in this file have run.
std::mutex core_lock;
fi_info* core_infos = nullptr;

Infos AskCore(uint32_t version, const char* node, const char* service,
              uint64_t flags) {
  const Infos hints(fi_allocinfo(), fi_freeinfo);
  hints->caps = FI_MSG;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
  hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
  hints->domain_attr->av_type = FI_AV_TABLE;
  hints->fabric_attr->prov_name = strdup(kCoreProvider);
  fi_info* found = nullptr;
  const int error =
      fi_getinfo(version, node, service, flags, hints.get(), &found);
  return {error == 0 ? found : nullptr, fi_freeinfo};
}

uint64_t CapsOf(const Options& options) {
  return kCaps | (options.multi_receive ? FI_MULTI_RECV : uint64_t{0}) |
         (options.fence ? FI_FENCE : uint64_t{0});
}

bool Includes(uint64_t all, uint64_t some) { return (some & ~all) == 0; }

// Returns true if the user supports all demands of the provider, and the
// provider supports all requests of the user.
bool Suits(const Options& options, const fi_info& hints) {
  const fi_domain_attr& domain = *hints.domain_attr;
  const uint64_t order = hints.tx_attr->msg_order | hints.rx_attr->msg_order;
  return Includes(CapsOf(options), hints.caps) &&
         Includes(hints.mode, options.mode) &&
         Includes(static_cast<uint64_t>(domain.mr_mode),
                  static_cast<uint64_t>(options.mr_mode)) &&
         Includes(options.order, order) &&
         (hints.ep_attr->type == FI_EP_UNSPEC ||
          hints.ep_attr->type == FI_EP_RDM) &&
         (domain.threading == FI_THREAD_UNSPEC ||
          domain.threading == FI_THREAD_DOMAIN) &&
         domain.control_progress != FI_PROGRESS_AUTO &&
         domain.data_progress != FI_PROGRESS_AUTO &&
         domain.av_type != FI_AV_MAP;
}

void DescribeTransfers(const Options& options, fi_info& info) {
  const uint64_t caps = CapsOf(options);
  *info.tx_attr = {};
  info.tx_attr->caps = caps;
  info.tx_attr->mode = options.mode;
  info.tx_attr->msg_order = options.order;
  info.tx_attr->inject_size = options.inject;
  info.tx_attr->size = options.transmits;
  info.tx_attr->iov_limit = 1;
  info.tx_attr->rma_iov_limit = 1;
  *info.rx_attr = {};
  info.rx_attr->caps = caps;
  info.rx_attr->mode = options.mode;
  info.rx_attr->msg_order = options.order;
  info.rx_attr->size = options.receives;
  info.rx_attr->iov_limit = 1;
}

void DescribeObjects(const Options& options, fi_info& info) {
  info.ep_attr->max_msg_size = options.most;
  info.ep_attr->max_order_raw_size =
      (options.order & FI_ORDER_RMA_RAW) != 0 ? options.most : 0;
  info.ep_attr->max_order_war_size = 0;
  info.ep_attr->max_order_waw_size = 0;
  fi_domain_attr& domain = *info.domain_attr;
  domain.threading = FI_THREAD_DOMAIN;
  domain.resource_mgmt = options.manages ? FI_RM_ENABLED : FI_RM_DISABLED;
  domain.mr_mode = options.mr_mode;
  domain.mr_key_size = sizeof(uint64_t);
  domain.mr_iov_limit = 1;
  domain.cq_data_size = 0;
  domain.cq_cnt = 1;
  domain.ep_cnt = 1;
  domain.cntr_cnt = 0;
  domain.caps = FI_LOCAL_COMM | FI_REMOTE_COMM;
  domain.mode = 0;
}

// Turns an offer of the core provider into an offer of the strict provider.
void Describe(const Options& options, fi_info& info) {
  info.caps = CapsOf(options);
  info.mode = options.mode;
  DescribeTransfers(options, info);
  DescribeObjects(options, info);
  // The library fills in the name of the strict provider.
  std::free(info.fabric_attr->prov_name);
  info.fabric_attr->prov_name = nullptr;
}

int GetInfo(uint32_t version, const char* node, const char* service,
            uint64_t flags, const fi_info* hints, fi_info** info) {
  const Options options = OptionsFromEnvironment();
  if (hints != nullptr && !Suits(options, *hints)) return -FI_ENODATA;
  Infos found = AskCore(version, node, service, flags);
  fi_info* offered = nullptr;
  fi_info** last = &offered;
  for (const fi_info* each = found.get(); each != nullptr; each = each->next) {
    *last = fi_dupinfo(each);
    if (*last == nullptr) break;
    Describe(options, **last);
    last = &(*last)->next;
  }
  if (offered == nullptr) return -FI_ENODATA;
  const std::lock_guard guard(core_lock);
  fi_freeinfo(std::exchange(core_infos, found.release()));
  *info = offered;
  return 0;
}

bool IsSame(const fi_info& one, const fi_info& other) {
  return std::string_view(one.domain_attr->name) == other.domain_attr->name &&
         one.src_addrlen == other.src_addrlen &&
         std::memcmp(one.src_addr, other.src_addr, one.src_addrlen) == 0;
}

// Returns the core provider's offer from which `info` was made.
Infos FindCore(const fi_info& info) {
  const std::lock_guard guard(core_lock);
  for (fi_info* each = core_infos; each != nullptr; each = each->next) {
    if (IsSame(*each, info)) return {fi_dupinfo(each), fi_freeinfo};
  }
  return {nullptr, fi_freeinfo};
}

int OpenDomainOf(fid_fabric*, fi_info* info, fid_domain** domain, void*) {
  const Infos core = FindCore(*info);
  return core == nullptr ? -FI_ENODATA : OpenDomain(core.get(), domain);
}

int TryWait(fid_fabric*, fid** objects, int count) {
  for (int i = 0; i < count; ++i) {
    Domain& domain = *ObjectOf<Queue, fid_cq>(objects[i]).domain;
    const Entry entry(domain, "fi_trywait");
    if (!domain.IsQuiet() || !domain.core->MayWait()) return -FI_EAGAIN;
  }
  return 0;
}

int Close(fid* object) {
  delete reinterpret_cast<fid_fabric*>(object);
  return 0;
}

fi_ops_fabric* FabricOps() {
  static fi_ops_fabric table = [] {
    auto made = rules::Without<fi_ops_fabric>();
    made.domain = OpenDomainOf;
    made.trywait = TryWait;
    return made;
  }();
  return &table;
}

int OpenFabric(fi_fabric_attr*, fid_fabric** fabric, void* context) {
  static fi_ops ops = [] {
    auto made = rules::Without<fi_ops>();
    made.close = Close;
    return made;
  }();
  *fabric = new fid_fabric{{FI_CLASS_FABRIC, context, &ops}, FabricOps(), 0};
  return 0;
}

void Cleanup() {
  const std::lock_guard guard(core_lock);
  fi_freeinfo(std::exchange(core_infos, nullptr));
}

}  // namespace
}  // namespace gasnet::ofi::strict

extern "C" [[gnu::visibility("default")]] fi_provider* fi_prov_ini() {
  static fi_provider provider = [] {
    fi_provider made = {};
    made.version = FI_VERSION(1, 0);
    made.fi_version = FI_VERSION(1, 17);
    made.name = "strict";
    made.getinfo = gasnet::ofi::strict::GetInfo;
    made.fabric = gasnet::ofi::strict::OpenFabric;
    made.cleanup = gasnet::ofi::strict::Cleanup;
    return made;
  }();
  return &provider;
}
