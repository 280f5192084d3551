#include "ex/client.h"

#include "core/further_segments.h"
#include "core/hostshm/arrivals.h"
#include "ex/prepared.h"

namespace gasnet::ex {

Client::Client(std::string name, gex_Flags_t flags)
    : client_(std::move(name), flags), endpoint_(client_) {
  ForgetPrepared();
  if (hostshm::Arrivals* const arrivals = runtime->arrivals()) {
    host_barriers_.emplace(*arrivals, runtime->status());
  }
  endpoint_.dispatcher = &runtime->engine().dispatcher();
  endpoints_[0].store(&endpoint_, std::memory_order_release);
}

Client::~Client() {
  thread::ForEachState([](thread::ThreadState& state) {
    state.prepared = nullptr;
    state.peer_completion = {};
  });
}

gasneti_ep* Client::MakeEndpoint(gex_EP_Capabilities_t capabilities,
                                 gex_Flags_t flags) {
  const absl::MutexLock lock(&mutex_);
  for (unsigned i = 1; i < kMaxEndpoints; ++i) {
    if (made_[i] != nullptr) continue;
    const auto index = static_cast<EndpointIndex>(i);
    made_[i] =
        std::make_unique<gasneti_ep>(client_, index, capabilities, flags);
    gasneti_ep& endpoint = *made_[i];
    if (endpoint.Can(GEX_EP_CAPABILITY_AM)) {
      endpoint.own_dispatcher = std::make_unique<am::Dispatcher>(index);
      endpoint.dispatcher = endpoint.own_dispatcher.get();
    }
    endpoints_[i].store(&endpoint, std::memory_order_release);
    return &endpoint;
  }
  return nullptr;
}

void Client::End(gasneti_ep& endpoint) {
  Bind(endpoint, nullptr);
  const absl::MutexLock lock(&mutex_);
  const EndpointIndex index = endpoint.index;
  endpoints_[index].store(nullptr, std::memory_order_release);
  made_[index] = nullptr;
}

bool Client::Has(const gasneti_ep* endpoint) const {
  for (const std::atomic<gasneti_ep*>& each : endpoints_) {
    if (endpoint != nullptr && each.load() == endpoint) return true;
  }
  return false;
}

gasneti_segment* Client::MakeSegment(void* address, uintptr_t length) {
  auto made = std::make_unique<gasneti_segment>();
  made->client = &client_;
  if (!made->Take(address, length)) return nullptr;
  gasneti_segment* const segment = made.get();
  const absl::MutexLock lock(&mutex_);
  segments_[segment] = std::move(made);
  return segment;
}

void Client::End(gasneti_segment& segment) {
  for (const std::atomic<gasneti_ep*>& each : endpoints_) {
    gasneti_ep* const endpoint = each.load(std::memory_order_acquire);
    if (endpoint != nullptr && endpoint->segment.load() == &segment) {
      Bind(*endpoint, nullptr);
    }
  }
  const absl::MutexLock lock(&mutex_);
  segments_.erase(&segment);
}

bool Client::Has(const gasneti_segment* segment) const {
  if (segment == nullptr) return false;
  if (segment == &segment_) return segment_.client != nullptr;
  const absl::MutexLock lock(&mutex_);
  return segments_.contains(segment);
}

void Client::Bind(gasneti_ep& endpoint, gasneti_segment* segment) {
  Segment place;
  if (segment != nullptr) {
    place = {reinterpret_cast<uintptr_t>(segment->address), segment->size};
  }
  FurtherSegments& all = runtime->further_segments();
  all.Bind(endpoint.index, place);
  // Makes the segment known in this process: other ranks learn of it only by an
  // exchange.
  all.Publish(runtime->job().rank(), endpoint.index, place);
  endpoint.segment.store(segment, std::memory_order_release);
}

void Client::SetSegment(const Segment& segment) {
  if (segment.size == 0 || segment.size == UINTPTR_MAX) return;
  segment_.client = &client_;
  segment_.address = reinterpret_cast<void*>(segment.base);
  segment_.size = segment.size;
  endpoint_.segment.store(&segment_, std::memory_order_release);
}

}  // namespace gasnet::ex
