// Reductions with the client's function. Elements have any size, and may be of
// built-in types. Each call of the function gets whole elements as operands, on
// either side. Each member's vector is used exactly once. The caller owns the
// function and its data (GASNet-EX, section 16.4).
#include <string.h>

#include <atomic>
#include <vector>

#include "conformance/ex/coll_data.h"

namespace conformance {
namespace {

constexpr size_t kSizes[] = {1, 2, 3, 5, 7, 8, 12, 13, 100, 1000, 4096, 30001};
constexpr size_t kBytes = 60000;  // bytes of a vector, approximately
constexpr int kToAll = -1;

// The data that a client's function gets. `element` is the element size in
// bytes. `key` identifies the reduction.
struct Context {
  size_t element;
  size_t count;
  uint32_t key;
  std::atomic<uint64_t> calls{0};
};

unsigned char Filler(uint32_t key, size_t at) {
  return static_cast<unsigned char>(key * 31 + at * 7 + (at >> 8));
}

// Fills an element. The first byte is a bit mask of the members that
// contributed to the element. The other bytes are the same on all members.
void FillElement(unsigned char* element, size_t bytes, unsigned members,
                 uint32_t key) {
  element[0] = static_cast<unsigned char>(members);
  for (size_t at = 1; at < bytes; ++at) element[at] = Filler(key, at);
}

void CheckElement(const unsigned char* element, const Context& context) {
  CHECK(element[0] != 0);
  for (size_t at = 1; at < context.element; ++at) {
    CHECK_EQ(element[at], Filler(context.key, at));
  }
}

// Unites the member sets of two operands. The sets must be disjoint.
void Unite(const void* arg1, void* arg2, size_t count, const void* cdata) {
  Context& context = *static_cast<Context*>(const_cast<void*>(cdata));
  ++context.calls;
  CHECK(count > 0);
  const unsigned char* left = static_cast<const unsigned char*>(arg1);
  unsigned char* right = static_cast<unsigned char*>(arg2);
  const size_t bytes = count * context.element;
  CHECK(left + bytes <= right || right + bytes <= left);
  for (size_t i = 0; i < count; ++i) {
    CheckElement(left, context);
    CheckElement(right, context);
    CHECK_EQ(left[0] & right[0], 0);
    right[0] |= left[0];
    left += context.element;
    right += context.element;
  }
}

struct Trial {
  gex_TM_t tm;
  int root;
  size_t element;
  size_t count;
  bool in_place;
  uint32_t key;
};

void Run(const Trial& trial) {
  const int mine = static_cast<int>(gex_TM_QueryRank(trial.tm));
  const gex_Rank_t members = gex_TM_QuerySize(trial.tm);
  const bool gets = trial.root == kToAll || trial.root == mine;
  // Each member has its own data for the function.
  Context context{trial.element, trial.count, trial.key};
  const size_t bytes = trial.element * trial.count;
  std::vector<unsigned char> source(bytes + 1, 0xEE);
  std::vector<unsigned char> result(bytes + 1, 0xEE);
  for (size_t i = 0; i < trial.count; ++i) {
    FillElement(&source[i * trial.element], trial.element, 1u << mine,
                trial.key);
  }
  unsigned char* const to = !gets            ? nullptr
                            : trial.in_place ? source.data()
                                             : result.data();
  const gex_Event_t event =
      trial.root == kToAll
          ? gex_Coll_ReduceToAllNB(trial.tm, to, source.data(), GEX_DT_USER,
                                   trial.element, trial.count, GEX_OP_USER,
                                   Unite, &context, 0)
          : gex_Coll_ReduceToOneNB(
                trial.tm, static_cast<gex_Rank_t>(trial.root), to,
                source.data(), GEX_DT_USER, trial.element, trial.count,
                GEX_OP_USER, Unite, &context, 0);
  gex_Event_Wait(event);
  CHECK_EQ(source[bytes], 0xEE);
  CHECK_EQ(result[bytes], 0xEE);
  if (!gets) return;
  for (size_t i = 0; i < trial.count; ++i) {
    CHECK_EQ(to[i * trial.element], (1u << members) - 1);
    CheckElement(to + i * trial.element, context);
  }
}

// Adds modulo 97. This is no built-in operation, but a client's function may
// also work on built-in types.
template <class T>
void AddModulo(const void* arg1, void* arg2, size_t count, const void* cdata) {
  CHECK(cdata == nullptr);
  const T* left = static_cast<const T*>(arg1);
  T* right = static_cast<T*>(arg2);
  for (size_t i = 0; i < count; ++i) {
    right[i] = static_cast<T>(static_cast<int64_t>(left[i] + right[i]) % 97);
  }
}

template <class T>
void RunBuiltIn(gex_TM_t tm, size_t count) {
  std::vector<T> values(count);
  const gex_Rank_t mine = gex_TM_QueryRank(tm);
  const gex_Rank_t members = gex_TM_QuerySize(tm);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>((i * 5 + mine * 60) % 97);
  }
  gex_Event_Wait(gex_Coll_ReduceToAllNB(tm, values.data(), values.data(),
                                        kTypeOf<T>, sizeof(T), count,
                                        GEX_OP_USER, AddModulo<T>, nullptr, 0));
  for (size_t i = 0; i < count; ++i) {
    size_t sum = 0;
    for (gex_Rank_t member = 0; member < members; ++member) {
      sum = (sum + (i * 5 + member * 60) % 97) % 97;
    }
    CHECK(values[i] == static_cast<T>(sum));
  }
}

void TestTeam(gex_TM_t tm) {
  uint32_t key = 1;
  for (size_t element : kSizes) {
    for (size_t count : {size_t{1}, size_t{3}, kBytes / element + 1}) {
      for (int root = kToAll; root < static_cast<int>(gex_TM_QuerySize(tm));
           ++root) {
        for (bool in_place : {false, true}) {
          Run({tm, root, element, count, in_place, key++});
        }
      }
    }
  }
  for (size_t count : {size_t{1}, size_t{10}, size_t{30000}}) {
    RunBuiltIn<int32_t>(tm, count);
    RunBuiltIn<uint32_t>(tm, count);
    RunBuiltIn<int64_t>(tm, count);
    RunBuiltIn<uint64_t>(tm, count);
    RunBuiltIn<float>(tm, count);
    RunBuiltIn<double>(tm, count);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 1);
  TestTeam(ex.tm);
  gex_TM_t team = GEX_TM_INVALID;
  gex_TM_Split(ex.rank == 0 ? nullptr : &team, ex.tm, 0,
               -static_cast<int>(ex.rank), nullptr, 0, GEX_FLAG_TM_NO_SCRATCH);
  if (ex.rank != 0) {
    TestTeam(team);
    gex_TM_Destroy(team, nullptr, 0);
  }
  return FinishJob();
}
