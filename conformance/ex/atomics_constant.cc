// Tests each atomic operation of integers against a model. The operation is a
// constant in each tested call. Uses the team of all processes and a team with
// another order, ranks and jobranks, events and implicit operations (GASNet-EX,
// section 15). Other calls set and read the targets. The compiler does not know
// the operations of those calls.
#include <initializer_list>

#include "conformance/ex/atomic_data.h"

namespace conformance {
namespace {

// The calls of one operation. The operation is a constant in each call.
template <class T>
struct Calls {
  gex_OP_t op;
  void (*nb)(gex_Event_t* event, gex_AD_t ad, T* result, gex_Rank_t rank,
             void* at, T first, T second, gex_Flags_t flags);
  void (*nbi)(int* code, gex_AD_t ad, T* result, gex_Rank_t rank, void* at,
              T first, T second, gex_Flags_t flags);
};

#define CALLS(suffix, type, op)                                                \
  {op,                                                                         \
   [](gex_Event_t* event, gex_AD_t ad, type* result, gex_Rank_t rank,          \
      void* at, type first, type second, gex_Flags_t flags) {                  \
     *event =                                                                  \
         gex_AD_OpNB_##suffix(ad, result, rank, at, op, first, second, flags); \
   },                                                                          \
   [](int* code, gex_AD_t ad, type* result, gex_Rank_t rank, void* at,         \
      type first, type second, gex_Flags_t flags) {                            \
     *code = gex_AD_OpNBI_##suffix(ad, result, rank, at, op, first, second,    \
                                   flags);                                     \
   }},
#define ALL_CALLS(suffix, type)     \
  CALLS(suffix, type, GEX_OP_ADD)   \
  CALLS(suffix, type, GEX_OP_FADD)  \
  CALLS(suffix, type, GEX_OP_SUB)   \
  CALLS(suffix, type, GEX_OP_FSUB)  \
  CALLS(suffix, type, GEX_OP_MULT)  \
  CALLS(suffix, type, GEX_OP_FMULT) \
  CALLS(suffix, type, GEX_OP_MIN)   \
  CALLS(suffix, type, GEX_OP_FMIN)  \
  CALLS(suffix, type, GEX_OP_MAX)   \
  CALLS(suffix, type, GEX_OP_FMAX)  \
  CALLS(suffix, type, GEX_OP_INC)   \
  CALLS(suffix, type, GEX_OP_FINC)  \
  CALLS(suffix, type, GEX_OP_DEC)   \
  CALLS(suffix, type, GEX_OP_FDEC)  \
  CALLS(suffix, type, GEX_OP_AND)   \
  CALLS(suffix, type, GEX_OP_FAND)  \
  CALLS(suffix, type, GEX_OP_OR)    \
  CALLS(suffix, type, GEX_OP_FOR)   \
  CALLS(suffix, type, GEX_OP_XOR)   \
  CALLS(suffix, type, GEX_OP_FXOR)  \
  CALLS(suffix, type, GEX_OP_CAS)   \
  CALLS(suffix, type, GEX_OP_FCAS)  \
  CALLS(suffix, type, GEX_OP_SET)   \
  CALLS(suffix, type, GEX_OP_SWAP)  \
  CALLS(suffix, type, GEX_OP_GET)

template <class T>
const Calls<T> kCalls[1] = {};
template <>
const Calls<int32_t> kCalls<int32_t>[] = {ALL_CALLS(I32, int32_t)};
template <>
const Calls<uint32_t> kCalls<uint32_t>[] = {ALL_CALLS(U32, uint32_t)};
template <>
const Calls<int64_t> kCalls<int64_t>[] = {ALL_CALLS(I64, int64_t)};
template <>
const Calls<uint64_t> kCalls<uint64_t>[] = {ALL_CALLS(U64, uint64_t)};

// A target in a member's segment. No other rank uses this target.
template <class T>
class Target {
 public:
  Target(gex_AD_t ad, gex_TM_t tm, gex_Rank_t rank, gex_Flags_t flags)
      : ad_(ad), flags_(flags) {
    const gex_Rank_t jobrank = gex_TM_TranslateRankToJobrank(tm, rank);
    rank_ = (flags & GEX_FLAG_RANK_IS_JOBRANK) != 0 ? jobrank : rank;
    at_ = BaseOf(jobrank) + 64 * (ex.rank + 1);
  }

  // The compiler does not know the operation here.
  T Get() const { return Run(GEX_OP_GET, 0); }
  void Set(T value) const { Run(GEX_OP_SET, value); }

  // Runs an operation. Returns the fetched value, or kMark if the operation
  // fetches nothing.
  T Run(const Calls<T>& calls, bool implicit, T first, T second,
        gex_Flags_t flags) const {
    T result = kMark;
    T* const to = IsFetching(calls.op) ? &result : nullptr;
    if (implicit) {
      int code;
      calls.nbi(&code, ad_, to, rank_, at_, first, second, flags | flags_);
      CHECK_EQ(code, 0);
      gex_NBI_Wait(GEX_EC_ALL, 0);
    } else {
      gex_Event_t event;
      calls.nb(&event, ad_, to, rank_, at_, first, second, flags | flags_);
      gex_Event_Wait(event);
    }
    return result;
  }

  static constexpr T kMark = static_cast<T>(99);

 private:
  T Run(gex_OP_t op, T first) const {
    const volatile gex_OP_t unknown = op;
    T result = kMark;
    gex_Event_Wait(
        AtomicNb(ad_, &result, rank_, at_, unknown, first, T(0), flags_));
    return result;
  }

  gex_AD_t ad_;
  gex_Flags_t flags_;
  gex_Rank_t rank_;
  char* at_;
};

template <class T>
void TestCalls(const Target<T>& target, const Calls<T>& calls) {
  const bool fetches = IsFetching(calls.op);
  const gex_OP_t plain = calls.op == GEX_OP_GET ? GEX_OP_GET
                         : fetches ? GEX_OP_TO_NONFETCHING(calls.op)
                                   : calls.op;
  int turn = 0;
  for (int old = 0; old < 6; ++old) {
    for (int operand = 0; operand < 6; ++operand) {
      const T before = Value<T>(old);
      const T first = Value<T>(operand);
      const T second = Value<T>(old + operand + 1);
      if (!IsDefined(plain, before, first)) continue;
      const T after =
          plain == GEX_OP_GET ? before : Applied(plain, before, first, second);
      target.Set(before);
      ++turn;
      CHECK(target.Run(calls, turn % 2 == 0, first, second,
                       turn % 3 == 0 ? GEX_FLAG_AD_REL | GEX_FLAG_AD_ACQ : 0) ==
            (fetches ? before : Target<T>::kMark));
      CHECK(target.Get() == after);
    }
  }
}

template <class T>
void TestType(gex_TM_t tm, gex_Flags_t flags) {
  gex_AD_t ad = GEX_AD_INVALID;
  gex_AD_Create(&ad, tm, kTypeOf<T>, AllOperations<T>(), 0);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  for (gex_Rank_t rank = 0; rank < gex_TM_QuerySize(tm); ++rank) {
    const Target<T> target(ad, tm, rank, flags);
    for (const Calls<T>& calls : kCalls<T>) TestCalls(target, calls);
  }
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  gex_AD_Destroy(ad);
}

void TestTeam(gex_TM_t tm) {
  for (const gex_Flags_t flags :
       {gex_Flags_t{0}, gex_Flags_t{GEX_FLAG_RANK_IS_JOBRANK}}) {
    TestType<int32_t>(tm, flags);
    TestType<uint32_t>(tm, flags);
    TestType<int64_t>(tm, flags);
    TestType<uint64_t>(tm, flags);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, GASNET_PAGESIZE);
  TestTeam(ex.tm);
  gex_TM_t reversed = GEX_TM_INVALID;
  gex_TM_Split(&reversed, ex.tm, 0, static_cast<int>(ex.size - ex.rank),
               nullptr, 0, GEX_FLAG_TM_NO_SCRATCH);
  TestTeam(reversed);
  gex_TM_Destroy(reversed, nullptr, 0);
  return FinishJob();
}
