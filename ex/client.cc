#include "ex/client.h"

#include "ex/prepared.h"

namespace gasnet::ex {

Client::Client(std::string name, gex_Flags_t flags)
    : client_(std::move(name), flags), endpoint_(client_) {
  ForgetPrepared();
}

Client::~Client() {
  thread::ForEachState([](thread::ThreadState& state) {
    state.prepared = nullptr;
    state.peer_completion = {};
  });
}

void Client::SetSegment(const Segment& segment) {
  if (segment.size == 0 || segment.size == UINTPTR_MAX) return;
  segment_.client = &client_;
  segment_.address = reinterpret_cast<void*>(segment.base);
  segment_.size = segment.size;
  endpoint_.segment.store(&segment_, std::memory_order_release);
}

}  // namespace gasnet::ex
