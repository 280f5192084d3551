// Strided puts and gets with signed strides, compared with a model. Matrices
// are transposed and reflected, and sources may repeat elements. The test
// overwrites the argument arrays as soon as a call returns. Also tests local
// completion, and transfers of nothing (GASNet-EX, section 14).
#include <gasnet_vis.h>
#include <string.h>

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <vector>

#include "conformance/ex/ex_rma.h"

namespace conformance {
namespace {

constexpr size_t kRegion = 60000;
constexpr int kTrials = 500;
constexpr int kMark = 0xA5;

alignas(64) unsigned char local[kRegion];
alignas(64) unsigned char copy[kRegion];

char* Slot(gex_Rank_t owner) { return BaseOf(owner) + ex.rank * kRegion; }

// The elements of one side. Element (i0, i1, ...) begins at the base plus the
// sum of each index times its stride.
struct Side {
  size_t base;
  std::vector<ptrdiff_t> strides;
};

struct Shape {
  size_t element;
  std::vector<size_t> count;
  Side to;
  Side from;

  size_t Elements() const {
    return std::accumulate(count.begin(), count.end(), size_t{1},
                           [](size_t a, size_t b) { return a * b; });
  }
};

// Returns the offset of element `number`.
size_t At(const Side& side, const Shape& shape, size_t number) {
  ptrdiff_t at = static_cast<ptrdiff_t>(side.base);
  for (size_t d = 0; d < shape.count.size(); ++d) {
    at += static_cast<ptrdiff_t>(number % shape.count[d]) * side.strides[d];
    number /= shape.count[d];
  }
  return static_cast<size_t>(at);
}

void Move(const Shape& shape, unsigned char* to, const unsigned char* from) {
  for (size_t i = 0; i < shape.Elements(); ++i) {
    memcpy(to + At(shape.to, shape, i), from + At(shape.from, shape, i),
           shape.element);
  }
}

// Returns a side whose dimensions nest in a random order. Some dimensions are
// reflected, and some have gaps. A source may also repeat elements and overlap
// itself.
Side RandomSide(Random& random, const Shape& shape, bool may_repeat) {
  Side side{0, std::vector<ptrdiff_t>(shape.count.size())};
  std::vector<size_t> order(shape.count.size());
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.Below(i)]);
  }
  const bool is_dense = random.Below(3) == 0;
  const bool reflects = random.Below(2) == 0;
  ptrdiff_t extent = static_cast<ptrdiff_t>(shape.element);
  for (size_t d : order) {
    ptrdiff_t stride =
        extent + static_cast<ptrdiff_t>(is_dense ? 0 : random.Below(9));
    if (may_repeat && random.Below(4) == 0) {
      stride = static_cast<ptrdiff_t>(random.Below(3));
    }
    const ptrdiff_t span = static_cast<ptrdiff_t>(shape.count[d] - 1) * stride;
    const bool is_reflected = reflects && random.Below(2) == 0;
    side.strides[d] = is_reflected ? -stride : stride;
    if (is_reflected) side.base += static_cast<size_t>(span);
    extent += span;
  }
  CHECK(static_cast<size_t>(extent) <= kRegion);
  side.base += random.Below(kRegion - static_cast<size_t>(extent) + 1);
  return side;
}

Shape RandomShape(Random& random) {
  constexpr size_t kElements[] = {1, 2, 4, 8, 3, 16, 100, 1000};
  Shape shape{};
  shape.element = kElements[random.Below(COUNT_OF(kElements))];
  const size_t levels = random.Below(5);
  size_t most = 8000 / shape.element;
  for (size_t d = 0; d < levels; ++d) {
    const size_t count = 1 + random.Below(std::min<size_t>(most, 12));
    shape.count.push_back(count);
    most = std::max<size_t>(most / (count + 1), 1);
  }
  shape.to = RandomSide(random, shape, false);
  shape.from = RandomSide(random, shape, true);
  return shape;
}

enum class Form { kBlocking, kNb, kNbLeaf, kNbi, kNbiLeaf, kAccessRegion };
constexpr Form kPutForms[] = {Form::kBlocking, Form::kNb,
                              Form::kNbLeaf,   Form::kNbi,
                              Form::kNbiLeaf,  Form::kAccessRegion};
constexpr Form kGetForms[] = {Form::kBlocking, Form::kNb, Form::kNbi,
                              Form::kAccessRegion};

// The argument arrays of a call. The library must not need them once the call
// has returned, so Spoil() overwrites them.
struct Arrays {
  explicit Arrays(const Shape& shape)
      : to(shape.to.strides), from(shape.from.strides), count(shape.count) {}
  void Spoil() {
    std::fill(to.begin(), to.end(), 12345);
    std::fill(from.begin(), from.end(), -54321);
    std::fill(count.begin(), count.end(), 7);
  }

  std::vector<ptrdiff_t> to;
  std::vector<ptrdiff_t> from;
  std::vector<size_t> count;
};

// A peer, named by its rank in a team or pair.
struct Peer {
  gex_TM_t tm;
  gex_Rank_t rank;
  gex_Rank_t jobrank;
};

void Put(const Shape& shape, const Peer& peer, Form form) {
  char* const to = Slot(peer.jobrank) + shape.to.base;
  unsigned char* const from = local + shape.from.base;
  Arrays arrays(shape);
  const auto nb = [&](gex_Flags_t flags) {
    const gex_Event_t event = gex_VIS_StridedPutNB(
        peer.tm, peer.rank, to, arrays.to.data(), from, arrays.from.data(),
        shape.element, arrays.count.data(), shape.count.size(), flags);
    CHECK(event != GEX_EVENT_NO_OP);
    arrays.Spoil();
    return event;
  };
  const auto nbi = [&](gex_Flags_t flags) {
    CHECK_EQ(
        gex_VIS_StridedPutNBI(peer.tm, peer.rank, to, arrays.to.data(), from,
                              arrays.from.data(), shape.element,
                              arrays.count.data(), shape.count.size(), flags),
        0);
    arrays.Spoil();
  };
  switch (form) {
    case Form::kBlocking:
      CHECK_EQ(gex_VIS_StridedPutBlocking(
                   peer.tm, peer.rank, to, arrays.to.data(), from,
                   arrays.from.data(), shape.element, arrays.count.data(),
                   shape.count.size(), 0),
               0);
      break;
    case Form::kNb:
      gex_Event_Wait(nb(0));
      break;
    case Form::kNbLeaf: {
      const gex_Event_t root = nb(GEX_FLAG_ENABLE_LEAF_LC);
      gex_Event_Wait(gex_Event_QueryLeaf(root, GEX_EC_LC));
      memset(local, 0xDD, kRegion);
      gex_Event_Wait(root);
      break;
    }
    case Form::kNbi:
      nbi(0);
      gex_NBI_Wait(GEX_EC_PUT, 0);
      break;
    case Form::kNbiLeaf:
      nbi(GEX_FLAG_ENABLE_LEAF_LC);
      gex_NBI_Wait(GEX_EC_LC, 0);
      memset(local, 0xDD, kRegion);
      gex_NBI_Wait(GEX_EC_PUT, 0);
      break;
    case Form::kAccessRegion:
      gex_NBI_BeginAccessRegion(0);
      nbi(0);
      gex_Event_Wait(gex_NBI_EndAccessRegion(0));
  }
  memset(local, 0xDD, kRegion);
}

void Get(const Shape& shape, const Peer& peer, Form form) {
  unsigned char* const to = local + shape.to.base;
  char* const from = Slot(peer.jobrank) + shape.from.base;
  Arrays arrays(shape);
  const auto nbi = [&] {
    CHECK_EQ(gex_VIS_StridedGetNBI(peer.tm, to, arrays.to.data(), peer.rank,
                                   from, arrays.from.data(), shape.element,
                                   arrays.count.data(), shape.count.size(), 0),
             0);
    arrays.Spoil();
  };
  switch (form) {
    case Form::kNb: {
      const gex_Event_t event = gex_VIS_StridedGetNB(
          peer.tm, to, arrays.to.data(), peer.rank, from, arrays.from.data(),
          shape.element, arrays.count.data(), shape.count.size(), 0);
      CHECK(event != GEX_EVENT_NO_OP);
      arrays.Spoil();
      gex_Event_Wait(event);
      break;
    }
    case Form::kNbi:
      nbi();
      gex_NBI_Wait(GEX_EC_GET, 0);
      break;
    case Form::kAccessRegion:
      gex_NBI_BeginAccessRegion(0);
      nbi();
      gex_Event_Wait(gex_NBI_EndAccessRegion(0));
      break;
    default:
      CHECK_EQ(gex_VIS_StridedGetBlocking(peer.tm, to, arrays.to.data(),
                                          peer.rank, from, arrays.from.data(),
                                          shape.element, arrays.count.data(),
                                          shape.count.size(), 0),
               0);
  }
}

void WriteAll(const Peer& peer, const unsigned char* from) {
  CHECK_EQ(gex_RMA_PutBlocking(ex.tm, peer.jobrank, Slot(peer.jobrank), from,
                               kRegion, 0),
           0);
}
void ReadAll(const Peer& peer, unsigned char* to) {
  CHECK_EQ(gex_RMA_GetBlocking(ex.tm, to, peer.jobrank, Slot(peer.jobrank),
                               kRegion, 0),
           0);
}

// Tests a put. Bytes outside of elements must stay unchanged.
void TestPut(const Shape& shape, const Peer& peer, Form form, uint32_t key) {
  std::vector<unsigned char> model(kRegion, kMark);
  WriteAll(peer, model.data());
  FillPattern(local, kRegion, key);
  Move(shape, model.data(), local);
  Put(shape, peer, form);
  ReadAll(peer, copy);
  CHECK_EQ(memcmp(copy, model.data(), kRegion), 0);
}
void TestGet(const Shape& shape, const Peer& peer, Form form, uint32_t key) {
  std::vector<unsigned char> model(kRegion, kMark);
  FillPattern(copy, kRegion, key);
  WriteAll(peer, copy);
  memset(local, kMark, kRegion);
  Move(shape, model.data(), copy);
  Get(shape, peer, form);
  CHECK_EQ(memcmp(local, model.data(), kRegion), 0);
}

// Returns the shape of a transfer that transposes a matrix of 30 by 50
// elements.
Shape Transpose(size_t element) {
  const ptrdiff_t bytes = static_cast<ptrdiff_t>(element);
  return {
      element, {50, 30}, {0, {30 * bytes, bytes}}, {0, {bytes, 50 * bytes}}};
}

// Tests transfers of no elements. Such a call must ignore its other arguments,
// so the test passes invalid ones.
void Nothing() {
  const ptrdiff_t strides[] = {8, 8};
  const size_t counts[] = {3, 0};
  for (const gex_Flags_t flags : {gex_Flags_t{0}, GEX_FLAG_IMMEDIATE}) {
    gex_Event_Wait(gex_VIS_StridedPutNB(ex.tm, 0, nullptr, nullptr, nullptr,
                                        nullptr, 0, nullptr, 7, flags));
    gex_Event_Wait(gex_VIS_StridedGetNB(ex.tm, nullptr, nullptr, 0, nullptr,
                                        nullptr, 0, nullptr, 7, flags));
    CHECK_EQ(gex_VIS_StridedPutNBI(ex.tm, 0, nullptr, strides, nullptr, strides,
                                   8, counts, 2, flags),
             0);
    CHECK_EQ(gex_VIS_StridedGetBlocking(ex.tm, nullptr, strides, 0, nullptr,
                                        strides, 8, counts, 2, flags),
             0);
    gex_NBI_Wait(GEX_EC_ALL, 0);
  }
}

// Checks that a transfer without dimensions is a copy.
void NoDimensions(const Peer& peer) {
  const Shape shape{777, {}, {5, {}}, {9, {}}};
  for (Form form : kPutForms) TestPut(shape, peer, form, 1);
  for (Form form : kGetForms) TestGet(shape, peer, form, 2);
  FillPattern(local, 100, 3);
  CHECK_EQ(
      gex_VIS_StridedPutBlocking(peer.tm, peer.rank, Slot(peer.jobrank),
                                 nullptr, local, nullptr, 100, nullptr, 0, 0),
      0);
  ReadAll(peer, copy);
  CHECK_PATTERN(copy, 100, 3);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 3 * kRegion);
  gex_TM_t reversed = GEX_TM_INVALID;
  gex_TM_Split(&reversed, ex.tm, 0, -static_cast<int>(ex.rank), nullptr, 0,
               GEX_FLAG_TM_NO_SCRATCH);
  const gex_TM_t pair = gex_TM_Pair(ex.ep, 0);
  Random random(ex.rank);
  for (gex_Rank_t peer = 0; peer < ex.size; ++peer) {
    NoDimensions({ex.tm, peer, peer});
    for (size_t element : {1, 4, 8, 24}) {
      for (Form form : kPutForms) {
        TestPut(Transpose(element), {pair, peer, peer}, form, 4);
      }
      for (Form form : kGetForms) {
        TestGet(Transpose(element), {pair, peer, peer}, form, 5);
      }
    }
  }
  Nothing();
  for (int trial = 0; trial < kTrials; ++trial) {
    const gex_Rank_t jobrank = static_cast<gex_Rank_t>(random.Below(ex.size));
    const Peer peers[] = {{ex.tm, jobrank, jobrank},
                          {pair, jobrank, jobrank},
                          {reversed, ex.size - 1 - jobrank, jobrank}};
    const Peer& peer = peers[random.Below(3)];
    const Shape shape = RandomShape(random);
    const uint32_t key = static_cast<uint32_t>(random.Next());
    TestPut(shape, peer, kPutForms[random.Below(6)], key);
    TestGet(shape, peer, kGetForms[random.Below(4)], key);
  }
  Barrier();
  gex_TM_Destroy(reversed, nullptr, 0);
  return FinishJob();
}
