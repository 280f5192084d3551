// gasnet_getSegmentInfo fills one entry of the table for each node, and leaves
// further entries unchanged. The call is not collective (section 2.2.0.3).
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr uintptr_t kUntouched = 12345;

// The segments of all nodes. Filled by a call with one entry for each node.
std::unique_ptr<gasnet_seginfo_t[]> all;

void CheckTable(int entries) {
  const int nodes = static_cast<int>(gasnet_nodes());
  const int reported = entries < nodes ? entries : nodes;
  const auto table = std::make_unique<gasnet_seginfo_t[]>(nodes + 4);
  for (int i = 0; i < nodes + 4; ++i) table[i] = {&all, kUntouched};
  CHECK_OK(gasnet_getSegmentInfo(table.get(), entries));
  for (int i = 0; i < reported; ++i) {
    CHECK_EQ(table[i].addr, all[i].addr);
    CHECK_EQ(table[i].size, all[i].size);
  }
  for (int i = reported; i < nodes + 4; ++i) {
    CHECK_EQ(table[i].addr, &all);
    CHECK_EQ(table[i].size, kUntouched);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  const int nodes = static_cast<int>(gasnet_nodes());
  auto& all = conformance::all;
  all = std::make_unique<gasnet_seginfo_t[]>(nodes);
  CHECK_OK(gasnet_getSegmentInfo(all.get(), nodes));

  // Nodes make different numbers of calls, because the call is not collective.
  const int last = nodes + 3 - static_cast<int>(gasnet_mynode()) % 3;
  for (int entries = 0; entries <= last; ++entries) {
    conformance::CheckTable(entries);
  }
  return conformance::FinishJob();
}
