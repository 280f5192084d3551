// Sums floating-point numbers of all magnitudes. The bits of such a sum depend
// on the order of the additions. The bits must be the same on every node and in
// every form of the call. They must not change if elements are summed alone, or
// with unusual algorithms. Prints a checksum of all sums. All runs with the
// same number of nodes must print the same checksum, over every network and for
// every placement (same_bits_test.sh).
#include <string.h>

#include <vector>

#include "conformance/coll/tuner_state.h"
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kFlags =
    GASNET_ALL_IN_MYSYNC | GASNET_ALL_OUT_MYSYNC | GASNET_ALL_LOCAL;
constexpr size_t kCounts[] = {1, 3, 100, 5000, 40000};
constexpr size_t kAlone = 10;  // elements that are also summed one by one

void AddDoubles(void* results, size_t result_count, const void* left,
                size_t /*left_count*/, const void* right, size_t /*elem_size*/,
                int /*flags*/, int /*arg*/) {
  for (size_t i = 0; i < result_count; ++i) {
    static_cast<double*>(results)[i] = static_cast<const double*>(left)[i] +
                                       static_cast<const double*>(right)[i];
  }
}

// Returns numbers of either sign. Their range is so wide that every sum rounds.
template <class T>
std::vector<T> Numbers(size_t count, uint64_t stream) {
  Random random((stream << 16) + gasnet_mynode());
  std::vector<T> numbers(count);
  for (T& number : numbers) {
    const double mantissa = static_cast<double>(random.Below(1u << 30)) + 1;
    const double scale = static_cast<double>(uint64_t{1} << random.Below(20));
    number = static_cast<T>((random.Below(2) == 0 ? mantissa : -mantissa) /
                            scale / 3);
  }
  return numbers;
}

uint64_t Hash(uint64_t hash, const void* data, size_t bytes) {
  const auto* const in = static_cast<const unsigned char*>(data);
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ in[i]) * 0x100000001b3u;
  return hash;
}

template <class T>
void CheckSame(const std::vector<T>& left, const std::vector<T>& right) {
  CHECK_EQ(memcmp(left.data(), right.data(), left.size() * sizeof(T)), 0);
}

// Returns the sum of all nodes' numbers. Checks that every form of the call
// returns this sum.
template <class T>
std::vector<T> Sums(const std::vector<T>& mine, gasnet_all_type_t type,
                    gasnet_all_op_t op) {
  const size_t count = mine.size();
  std::vector<T> sums(count), again(count);
  gasnet_all_reduce_all(sums.data(), mine.data(), count, type, op, 0, kFlags);
  gasnet_all_wait_sync(gasnet_all_reduce_all_nb(again.data(), mine.data(),
                                                count, type, op, 0, kFlags));
  CheckSame(again, sums);
  for (size_t i = 0; i < count && i < kAlone; ++i) {
    gasnet_all_reduce_all(&again[i], &mine[i], 1, type, op, 0, kFlags);
  }
  CheckSame(again, sums);
  for (gasnet_node_t root = 0; root < gasnet_nodes(); ++root) {
    again.assign(count, T{0});
    gasnet_all_reduce(root, again.data(), mine.data(), count, type, op, 0,
                      kFlags);
    if (gasnet_mynode() == root) CheckSame(again, sums);
  }
  return sums;
}

// Returns sums of vectors. Their length differs between nodes, and may be 0.
// The first element is the sum of all numbers. This node's prefixes follow.
template <class T>
std::vector<T> UnequalSums(const std::vector<T>& mine, gasnet_all_type_t type) {
  const gasnet_node_t me = gasnet_mynode();
  const size_t count = me % 3 == 1 ? 0 : mine.size() / (me + 1);
  std::vector<T> sums(mine.size() + 1);
  gasnet_all_reduce_allv(sums.data(), mine.data(), count, type, GASNET_ALL_SUM,
                         0, kFlags);
  gasnet_all_prefix_reducev(&sums[1], mine.data(), count, type, GASNET_ALL_SUM,
                            0, kFlags);
  for (gasnet_node_t root = 0; root < gasnet_nodes(); ++root) {
    T sum = 0;
    gasnet_all_reducev(root, &sum, mine.data(), count, type, GASNET_ALL_SUM, 0,
                       kFlags);
    if (me == root) CHECK_EQ(memcmp(&sum, sums.data(), sizeof(sum)), 0);
  }
  return sums;
}

// Adds the sums of every node to a hash, one node after the other.
template <class T>
uint64_t HashOfEach(uint64_t hash, std::vector<T> mine) {
  const size_t bytes = mine.size() * sizeof(T);
  std::vector<T> all(mine.size() * gasnet_nodes());
  gasnet_all_gather_all(all.data(), mine.data(), bytes, kFlags);
  return Hash(hash, all.data(), all.size() * sizeof(T));
}

void CheckEverywhere(uint64_t hash) {
  std::vector<uint64_t> all(gasnet_nodes());
  gasnet_all_gather_all(all.data(), &hash, sizeof(hash), kFlags);
  for (const uint64_t other : all) CHECK_EQ(other, hash);
}

template <class T>
uint64_t HashOfSums(gasnet_all_type_t type, uint64_t stream) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const size_t count : kCounts) {
    const std::vector<T> mine = Numbers<T>(count, stream + count);
    for (const gasnet_all_op_t op : {GASNET_ALL_SUM, GASNET_ALL_PRODUCT}) {
      const std::vector<T> sums = Sums(mine, type, op);
      hash = Hash(hash, sums.data(), count * sizeof(T));
      CheckEverywhere(hash);
    }
    // Prefixes differ between nodes, so the hash includes the prefixes of every
    // node.
    std::vector<T> prefix(count);
    gasnet_all_prefix_reduce(prefix.data(), mine.data(), count, type,
                             GASNET_ALL_SUM, 0, kFlags);
    hash = HashOfEach(hash, prefix);
    hash = HashOfEach(hash, UnequalSums(mine, type));
  }
  return hash;
}

// Returns a hash of sums over a team, computed by an element function. The team
// may have fewer nodes than the job, and in another order.
uint64_t HashOfTeam(gasnet_node_t color, gasnet_node_t rank,
                    gasnet_node_t members) {
  const gasnet_team_handle_t team =
      gasnet_coll_team_split(GASNET_TEAM_ALL, color, rank, nullptr);
  constexpr size_t kCount = 2000;
  std::vector<double> mine = Numbers<double>(kCount, 99);
  std::vector<double> sums(kCount), first;
  uint64_t hash = 0;
  for (gasnet_image_t root = 0; root < members; ++root) {
    gasnet_coll_reduce(team, root, sums.data(), mine.data(), 0, 0,
                       sizeof(double), kCount, 0, 0, kFlags);
    gasnet_coll_broadcast(team, sums.data(), root, sums.data(),
                          kCount * sizeof(double), kFlags);
    if (first.empty()) first = sums;
    CheckSame(sums, first);
    hash = Hash(hash, sums.data(), kCount * sizeof(double));
  }
  return hash;
}

// Returns a hash of sums over three teams: the even nodes, the odd nodes, and
// all nodes in reverse order.
uint64_t HashOfTeams() {
  const gasnet_node_t me = gasnet_mynode();
  const gasnet_node_t nodes = gasnet_nodes();
  const uint64_t half =
      HashOfTeam(me % 2, nodes - me, (nodes + 1 - me % 2) / 2);
  const uint64_t all = HashOfTeam(7, nodes - me, nodes);
  const uint64_t mine[] = {half, all};
  std::vector<uint64_t> everybodys(2 * nodes);
  gasnet_all_gather_all(everybodys.data(), const_cast<uint64_t*>(mine),
                        sizeof(mine), kFlags);
  return Hash(1, everybodys.data(), everybodys.size() * sizeof(uint64_t));
}

uint64_t HashOfAll() {
  const uint64_t hashes[] = {HashOfSums<float>(GASNET_ALL_FLOAT, 1),
                             HashOfSums<double>(GASNET_ALL_DOUBLE, 2),
                             HashOfTeams()};
  return Hash(0, hashes, sizeof(hashes));
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(build/namespaces)
  StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  gasnet_coll_fn_entry_t functions[] = {{AddDoubles, 0}};
  gasnet_coll_init(nullptr, 0, functions, COUNT_OF(functions), 0);
  const uint64_t hash = HashOfAll();
  CheckEverywhere(hash);
  TakeOtherWays();
  CHECK_EQ(HashOfAll(), hash);
  if (gasnet_mynode() == 0) {
    printf("checksum %016llx\n", static_cast<unsigned long long>(hash));
    fflush(stdout);
  }
  return FinishJob();
}
