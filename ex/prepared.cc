#include "ex/prepared.h"

namespace gasnet::ex {

namespace {
void EndLoans(PreparedMessages& messages) {
  for (PreparedMessages::Buffer& buffer : messages.lendable) {
    buffer.loan.readers.store(0, std::memory_order_relaxed);
  }
}
}  // namespace

void ForgetPrepared() {
  thread::ForEachState([](thread::ThreadState& state) {
    state.prepared = nullptr;
    if (state.prepared_memory == nullptr) return;
    auto& memory = *static_cast<PreparedMemory*>(state.prepared_memory);
    EndLoans(memory.requests);
    EndLoans(memory.replies);
  });
}

}  // namespace gasnet::ex
