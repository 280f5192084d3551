// A client may have 2^16 - 1 non-blocking operations in progress before it
// synchronizes any. This holds for each explicit kind, for the implicit kinds
// together, for one access region, and for value gets (section 3.3.1).
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kOperations = (1 << 16) - 1;

// The next node, and the words in its memory that only this node writes.
gasnet_node_t peer;
uint32_t* there;
std::unique_ptr<uint32_t[]> here;
std::unique_ptr<gasnet_handle_t[]> handles;
bool seen_in_flight = false;

uint32_t Value(int i) { return static_cast<uint32_t>(i) * 2654435761u; }

void CheckThere(uint32_t mask) {
  gasnet_get_bulk(here.get(), peer, there, kOperations * sizeof(*there));
  for (int i = 0; i < kOperations; ++i) CHECK_EQ(here[i], Value(i) ^ mask);
}

void ExplicitPuts() {
  for (int i = 0; i < kOperations; ++i) {
    uint32_t value = Value(i);
    handles[i] = gasnet_put_nb(peer, there + i, &value, sizeof(value));
  }
  gasnet_wait_syncnb_all(handles.get(), kOperations);
  CheckThere(0);
}

void ExplicitGets() {
  for (int i = 0; i < kOperations; ++i) {
    here[i] = 0;
    handles[i] = gasnet_get_nb(&here[i], peer, there + i, sizeof(*there));
    // Only gets set seen_in_flight: a put may already be complete when its
    // handle is returned.
    if (handles[i] != GASNET_INVALID_HANDLE) seen_in_flight = true;
  }
  // Waits for the operations in the reverse order of their starts.
  for (int i = kOperations - 1; i >= 0; --i) gasnet_wait_syncnb(handles[i]);
  for (int i = 0; i < kOperations; ++i) CHECK_EQ(here[i], Value(i));
}

void ExplicitMemsets() {
  for (int i = 0; i < kOperations; ++i) {
    handles[i] = gasnet_memset_nb(peer, there + i, i, sizeof(*there));
  }
  gasnet_wait_syncnb_all(handles.get(), kOperations);
  gasnet_get_bulk(here.get(), peer, there, kOperations * sizeof(*there));
  for (int i = 0; i < kOperations; ++i) {
    CHECK_EQ(here[i], (i & 0xFF) * 0x01010101u);
  }
}

void Implicit() {
  for (int i = 0; i < kOperations; ++i) {
    if (i % 2 == 0) gasnet_put_nbi_val(peer, there + i, Value(i) ^ 1, 4);
    if (i % 2 == 1) gasnet_get_nbi(&here[i], peer, there + i, 4);
  }
  gasnet_wait_syncnbi_all();
  for (int i = 1; i < kOperations; i += 2) {
    CHECK_EQ(here[i], (i & 0xFF) * 0x01010101u);
  }
}

void OneRegion() {
  gasnet_begin_nbi_accessregion();
  for (int i = 0; i < kOperations; ++i) {
    uint32_t value = Value(i) ^ 2;
    gasnet_put_nbi(peer, there + i, &value, sizeof(value));
  }
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
  CheckThere(2);
}

void ValueGets() {
  const auto gets = std::make_unique<gasnet_valget_handle_t[]>(kOperations);
  for (int i = 0; i < kOperations; ++i) {
    gets[i] = gasnet_get_nb_val(peer, there + i, sizeof(*there));
  }
  for (int i = 0; i < kOperations; ++i) {
    CHECK_EQ(gasnet_wait_syncnb_valget(gets[i]), Value(i) ^ 2);
  }
}

void TestAll() {
  peer = (gasnet_mynode() + 1) % gasnet_nodes();
  there = reinterpret_cast<uint32_t*>(SharedMemory(peer));
  here = std::make_unique<uint32_t[]>(kOperations);
  handles = std::make_unique<gasnet_handle_t[]>(kOperations);
  ExplicitPuts();
  ExplicitGets();
  ExplicitMemsets();
  Implicit();
  OneRegion();
  ValueGets();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0,
                        conformance::kOperations * sizeof(uint32_t));
  conformance::TestAll();
  conformance::SkipUnlessInFlight(conformance::seen_in_flight);
  return conformance::FinishJob();
}
