#include "conduits/ofi/paths.h"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "conduits/ofi/library.h"
#include "conduits/ofi/tuning.h"
#include "core/lane.h"

namespace gasnet::ofi {
namespace {

bool Has(uint64_t set, uint64_t bit) { return (set & bit) != 0; }

bool IsManaged(const fi_info& info) {
  return info.domain_attr->resource_mgmt == FI_RM_ENABLED;
}

LongPath LongPathOf(const fi_info& info) {
  const uint64_t both = info.tx_attr->msg_order & info.rx_attr->msg_order;
  if (Has(both, FI_ORDER_SAW)) return LongPath::kOrdered;
  if (Has(info.caps, FI_FENCE)) return LongPath::kFenced;
  return LongPath::kInTwoSteps;
}

// Returns false for provider net. The file descriptor of net, in its first
// releases, stays readable. A thread that waits for it never sleeps.
bool IsDescriptorGood(const fi_info& info) {
  return std::string_view(info.fabric_attr->prov_name) != "net";
}

// Returns how the conduit learns that a put is complete. Provider verbs is
// special. On a reliable connection, verbs reports that a write has left only
// when the write is in place. It ignores requests to report delivery.
RemoteCompletion CompletionOf(const fi_info& info, const Wishes& wishes) {
  if (wishes.remote_completion != RemoteCompletion::kOwn) {
    return wishes.remote_completion;
  }
  return std::string_view(info.fabric_attr->prov_name).starts_with("verbs")
             ? RemoteCompletion::kTransmit
             : RemoteCompletion::kDelivery;
}

// Returns the size of the largest frame that may be injected. An injected
// message has no completion. The completion of a later message shows that the
// injected message has left, so the provider must keep the order of messages.
// The provider must also manage resources: without resource management, the
// receiver's queue may have room only for messages that have completions.
size_t InjectedFrameOf(const fi_info& info) {
  const uint64_t both = info.tx_attr->msg_order & info.rx_attr->msg_order;
  const bool managed = IsManaged(info);
  return managed && Has(both, FI_ORDER_SAS) ? info.tx_attr->inject_size : 0;
}

// Returns the maximum number of sends under way. Sends and transfers share the
// transmit queue. A provider that does not manage resources may accept a post
// although the queue is full. Sends of such a provider get a fixed part of the
// queue.
size_t SendsOf(const fi_info& info) {
  return IsManaged(info) ? SIZE_MAX
                         : std::min(kLanes * kSends, info.tx_attr->size / 2);
}

size_t TransfersOf(const fi_info& info) {
  const size_t sends = IsManaged(info) ? 0 : SendsOf(info);
  return std::min(info.tx_attr->size - sends, kMaxPosted);
}

// Returns the size of the largest put that is complete when a read behind it is
// answered. If the put is larger, the provider may answer the read while it
// still writes the put.
size_t FlushedBytesOf(const fi_info& info) {
  const uint64_t both = info.tx_attr->msg_order & info.rx_attr->msg_order;
  const bool ordered = Has(both, FI_ORDER_RMA_RAW) || Has(both, FI_ORDER_RAW);
  return ordered ? info.ep_attr->max_order_raw_size : 0;
}

const char* NameOf(RemoteCompletion completion) {
  switch (completion) {
    case RemoteCompletion::kTransmit:
      return "transmission";
    case RemoteCompletion::kRead:
      return "a read behind them";
    default:
      return "delivery";
  }
}

const char* NameOf(LongPath path) {
  switch (path) {
    case LongPath::kOrdered:
      return "ordered";
    case LongPath::kFenced:
      return "fenced";
    case LongPath::kInTwoSteps:
      return "in two steps";
  }
  return "";
}

}  // namespace

Paths::Paths(const fi_info& info, const Wishes& wishes)
    : frames{.multiple = Has(info.caps, FI_MULTI_RECV),
             .most_bytes = info.ep_attr->max_msg_size,
             .receives = info.rx_attr->size > 0 ? info.rx_attr->size : SIZE_MAX,
             .sends = SendsOf(info),
             .managed = IsManaged(info),
             .inject_bytes = InjectedFrameOf(info)},
      local_registration(Has(info.domain_attr->mr_mode, FI_MR_LOCAL)),
      virtual_addresses(Has(info.domain_attr->mr_mode, FI_MR_VIRT_ADDR) ||
                        info.domain_attr->mr_mode == kBasicRegistration),
      provider_keys(Has(info.domain_attr->mr_mode, FI_MR_PROV_KEY) ||
                    info.domain_attr->mr_mode == kBasicRegistration),
      endpoint_registration(Has(info.domain_attr->mr_mode, FI_MR_ENDPOINT)),
      allocated(Has(info.domain_attr->mr_mode, FI_MR_ALLOCATED) ||
                info.domain_attr->mr_mode == kBasicRegistration),
      descriptor(wishes.waiting == WaitStrategy::kDescriptor &&
                 IsDescriptorGood(info)),
      remote_completion(CompletionOf(info, wishes)),
      flushed_bytes(FlushedBytesOf(info)),
      long_path(LongPathOf(info)),
      inject_bytes(info.tx_attr->inject_size),
      most_bytes(info.ep_attr->max_msg_size),
      most_posted(TransfersOf(info)) {}

std::string Paths::ToString() const {
  return absl::StrCat(
      "puts complete by ", NameOf(remote_completion), "; Longs ",
      NameOf(long_path), "; ", frames.multiple ? "multiple" : "single",
      " receive buffers",
      frames.managed ? "" : ", queues kept from overrunning", "; inject ",
      inject_bytes,
      frames.inject_bytes > 0 ? " bytes, of messages too" : " bytes",
      "; largest ", most_bytes, "; memory", local_registration ? " local" : "",
      virtual_addresses ? " virtual" : "",
      provider_keys ? " provider-keys" : "", allocated ? " allocated" : "",
      endpoint_registration ? " endpoint" : "");
}

}  // namespace gasnet::ofi
