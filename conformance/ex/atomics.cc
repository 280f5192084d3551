// Tests each atomic operation with each type, one operation after the other,
// against a model. Checks the value at the target and the fetched value, and
// that neighbours are untouched. Operations complete by events, and as implicit
// operations of their category (GASNet-EX, sections 3.4 and 15).
#include <string.h>

#include <initializer_list>

#include "conformance/ex/atomic_data.h"

namespace conformance {
namespace {

constexpr int kCells = 8;  // cells of 8 bytes; the targets lie in the middle
constexpr size_t kSlot = kCells * 8;
constexpr gex_Flags_t kFavors[] = {0, GEX_FLAG_AD_FAVOR_MY_RANK,
                                   GEX_FLAG_AD_FAVOR_MY_NBRHD,
                                   GEX_FLAG_AD_FAVOR_REMOTE};

char* Slot(gex_Rank_t owner) { return BaseOf(owner) + ex.rank * kSlot; }

gex_EC_t CategoryOf(gex_OP_t op) {
  if (op == GEX_OP_SET) return GEX_EC_PUT;
  if (op == GEX_OP_GET) return GEX_EC_GET;
  return GEX_EC_RMW;
}

enum class Form { kWait, kTest, kImplicit, kImplicitAll, kAccessRegion };
constexpr Form kForms[] = {Form::kWait, Form::kTest, Form::kImplicit,
                           Form::kImplicitAll, Form::kAccessRegion};

template <class T>
class Target {
 public:
  Target(gex_AD_t ad, gex_Rank_t owner, size_t at)
      : ad_(ad), owner_(owner), at_(at) {}

  // Runs an operation. Returns the fetched value, or kMark if the operation
  // fetches nothing.
  T Run(Form form, gex_OP_t op, T first, T second, gex_Flags_t flags) {
    T result = kMark;
    // An operation without a result gets no place to store one.
    T* const to = IsFetching(op) ? &result : nullptr;
    void* const there = Slot(owner_) + at_;
    switch (form) {
      case Form::kWait: {
        const gex_Event_t event =
            AtomicNb(ad_, to, owner_, there, op, first, second, flags);
        CHECK(event != GEX_EVENT_NO_OP);
        gex_Event_Wait(event);
        break;
      }
      case Form::kTest: {
        const gex_Event_t event =
            AtomicNb(ad_, to, owner_, there, op, first, second, flags);
        while (gex_Event_Test(event) != 0) CHECK_OK(gasnet_AMPoll());
        break;
      }
      case Form::kImplicit:
      case Form::kImplicitAll: {
        CHECK_EQ(AtomicNbi(ad_, to, owner_, there, op, first, second, flags),
                 0);
        const gex_EC_t mask =
            form == Form::kImplicit ? CategoryOf(op) : GEX_EC_ALL;
        if (at_ % 16 == 0) {
          gex_NBI_Wait(mask, 0);
        } else {
          while (gex_NBI_Test(mask, 0) != 0) CHECK_OK(gasnet_AMPoll());
        }
        break;
      }
      case Form::kAccessRegion:
        gex_NBI_BeginAccessRegion(0);
        CHECK_EQ(AtomicNbi(ad_, to, owner_, there, op, first, second, flags),
                 0);
        gex_Event_Wait(gex_NBI_EndAccessRegion(0));
    }
    return result;
  }

  T Get() {
    return Run(Form::kWait, GEX_OP_GET, static_cast<T>(1), static_cast<T>(2),
               0);
  }
  void Set(T value) {
    Run(Form::kWait, GEX_OP_SET, value, static_cast<T>(3), 0);
  }

  static constexpr T kMark = static_cast<T>(99);

 private:
  gex_AD_t ad_;
  gex_Rank_t owner_;
  size_t at_;
};

// Tests an operation. Takes every `step`-th test value for the target and for
// the operands.
template <class T>
void TestOperation(Target<T> target, gex_OP_t op, gex_Flags_t flags, int step) {
  int turn = 0;
  for (int old = 0; old < 6; old += step) {
    for (int operand = 0; operand < 6; operand += step) {
      const T before = Value<T>(old);
      const T first = Value<T>(operand);
      const T second = Value<T>(old + operand + 1);
      if (!IsDefined(op, before, first)) continue;
      const T after = Applied(op, before, first, second);
      const Form form = kForms[turn++ % COUNT_OF(kForms)];
      target.Set(before);
      CHECK(target.Run(form, op, first, second, flags) == Target<T>::kMark);
      CHECK(target.Get() == after);
      target.Set(before);
      CHECK(target.Run(form, GEX_OP_TO_FETCHING(op), first, second, flags) ==
            before);
      CHECK(target.Get() == after);
      CHECK(target.Run(form, GEX_OP_GET, first, second, flags) == after);
    }
  }
}

// Tests a type. All cells except the targets must keep their contents. There is
// a barrier before and after each phase.
template <class T>
void TestType(gex_Flags_t favor) {
  memset(BaseOf(ex.rank), 0xA5, ex.size * kSlot);
  gex_AD_t ad = GEX_AD_INVALID;
  const gex_OP_t all = AllOperations<T>();
  gex_AD_Create(&ad, ex.tm, kTypeOf<T>, all, favor);
  CHECK(ad != GEX_AD_INVALID);
  CHECK(gex_AD_QueryTM(ad) == ex.tm);
  CHECK_EQ(gex_AD_QueryDT(ad), kTypeOf<T>);
  CHECK_EQ(gex_AD_QueryOps(ad), all);
  CHECK_EQ(gex_AD_QueryFlags(ad) & favor, favor);
  CHECK(gex_AD_QueryCData(ad) == nullptr);
  gex_AD_SetCData(ad, &ex);
  CHECK(gex_AD_QueryCData(ad) == &ex);
  gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
  for (gex_Rank_t owner = 0; owner < ex.size; ++owner) {
    for (size_t at : {size_t{16}, size_t{32} + sizeof(T) % 8}) {
      const gex_Flags_t mine =
          owner == ex.rank ? GEX_FLAG_AD_MY_RANK : GEX_FLAG_AD_ACQ;
      for (int i = 0; i < kAtomicOperationCount<T>; ++i) {
        TestOperation(Target<T>(ad, owner, at), kAtomicOperations[i],
                      i % 2 == 0 ? 0 : mine | GEX_FLAG_AD_REL,
                      favor == 0 ? 1 : 4);
      }
    }
  }
  gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
  gex_AD_Destroy(ad);
  for (gex_Rank_t user = 0; user < ex.size; ++user) {
    const char* const slot = BaseOf(ex.rank) + user * kSlot;
    const size_t second = 32 + sizeof(T) % 8;
    CHECK_BYTES(slot, 16, 0xA5);
    CHECK_BYTES(slot + 16 + sizeof(T), second - 16 - sizeof(T), 0xA5);
    CHECK_BYTES(slot + second + sizeof(T), kSlot - second - sizeof(T), 0xA5);
  }
  gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, GASNET_PAGESIZE);
  for (gex_Flags_t favor : kFavors) {
    TestType<int32_t>(favor);
    TestType<uint32_t>(favor);
    TestType<int64_t>(favor);
    TestType<uint64_t>(favor);
    TestType<float>(favor);
    TestType<double>(favor);
  }
  return FinishJob();
}
