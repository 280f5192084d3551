// Once gasnet_init has returned, gasnet_getNodeInfo tells each node's host and
// supernode. After gasnet_attach it also tells where the segments of this
// node's supernode are.
#include <string.h>

#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

using Table = std::vector<gasnet_nodeinfo_t>;

Table Query() {
  Table table(gasnet_nodes());
  memset(table.data(), 0x7f, table.size() * sizeof(table[0]));
  CHECK_OK(gasnet_getNodeInfo(table.data(), static_cast<int>(table.size())));
  return table;
}

// Checks that numbers are dense and that each supernode lies within one host.
void CheckNumbers(const Table& table) {
  gasnet_node_t hosts = 0;
  gasnet_node_t supernodes = 0;
  for (size_t i = 0; i < table.size(); ++i) {
    CHECK(table[i].host <= hosts && table[i].supernode <= supernodes);
    if (table[i].host == hosts) ++hosts;
    if (table[i].supernode == supernodes) ++supernodes;
    for (size_t j = 0; j < i; ++j) {
      if (table[i].supernode == table[j].supernode) {
        CHECK_EQ(table[i].host, table[j].host);
      }
    }
  }
}

#ifdef GASNET_PSHM
bool Mapped(const Table& table, gasnet_node_t node) {
  return table[node].supernode == table[gasnet_mynode()].supernode;
}

// Returns the address of this node's word in the segment of `node`. The address
// is valid in this process.
volatile uint32_t* Word(const Table& table, gasnet_node_t node) {
  const uintptr_t there = reinterpret_cast<uintptr_t>(SharedMemory(node));
  return reinterpret_cast<volatile uint32_t*>(there + table[node].offset) +
         gasnet_mynode();
}

void StoreAndLoad(const Table& table) {
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    if (Mapped(table, node)) {
      *Word(table, node) = 1000 + gasnet_mynode();
    } else {
      CHECK_EQ(table[node].offset, 0);
    }
  }
  Barrier();
  const uint32_t* const mine =
      reinterpret_cast<uint32_t*>(SharedMemory(gasnet_mynode()));
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    if (Mapped(table, node)) CHECK_EQ(mine[node], 1000 + node);
  }
}
#else
void StoreAndLoad(const Table&) {}
#endif

void CheckArguments() {
  gasnet_nodeinfo_t one;
  CHECK_OK(gasnet_getNodeInfo(&one, 0));
  CHECK_OK(gasnet_getNodeInfo(&one, 1));
  CHECK_RESULT(gasnet_getNodeInfo(nullptr, 1), GASNET_ERR_BAD_ARG);
  CHECK_RESULT(gasnet_getNodeInfo(&one, -1), GASNET_ERR_BAD_ARG);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  gasnet_nodeinfo_t none;
  if (gasnet_getNodeInfo(&none, 1) != GASNET_ERR_NOT_INIT) return 1;
  conformance::InitJob(&argc, &argv);
  const conformance::Table before = conformance::Query();
  conformance::CheckNumbers(before);
  conformance::AttachJob(nullptr, 0, GASNET_PAGESIZE);
  const conformance::Table after = conformance::Query();
  for (size_t i = 0; i < after.size(); ++i) {
    CHECK_EQ(before[i].host, after[i].host);
    CHECK_EQ(before[i].supernode, after[i].supernode);
  }
  conformance::StoreAndLoad(after);
  conformance::CheckArguments();
  return conformance::FinishJob();
}
