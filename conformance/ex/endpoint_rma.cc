// Puts and gets of every form between the segments of endpoints of all indices,
// in all processes. Also destroys segments, and binds and publishes others in
// their place (GASNet-EX, sections 6.4, 7.3, 7.5, 9.5 and 13.1).
#include <string.h>

#include <initializer_list>
#include <vector>

#include "conformance/ex/ex_endpoints.h"

namespace conformance {
namespace {

// bytes of a segment for one process and endpoint
constexpr size_t kArea = 1 << 18;
constexpr size_t kMax = kArea - 16;

// Returns the part of a segment that endpoint `own` of this process accesses.
char* Area(gex_EP_Index_t at, gex_Rank_t rank, gex_EP_Index_t own) {
  return BaseOf(at, rank) + (ex.rank * kEndpoints + own) * kArea;
}

struct Side {
  gex_TM_t tm;
  gex_Rank_t rank;
  char* there;
};

void PutAndGet(const Side& to, size_t bytes, uint32_t seed, int form) {
  static std::vector<char> source(kMax), back(kMax);
  FillPattern(source.data(), bytes, seed);
  memset(back.data(), 0, bytes);
  char* const from = source.data();
  gex_Event_t local = GEX_EVENT_INVALID;
  if (form == 0) {
    CHECK_EQ(gex_RMA_PutBlocking(to.tm, to.rank, to.there, from, bytes, 0), 0);
    CHECK_EQ(
        gex_RMA_GetBlocking(to.tm, back.data(), to.rank, to.there, bytes, 0),
        0);
  } else if (form == 1) {
    gex_Event_t put =
        gex_RMA_PutNB(to.tm, to.rank, to.there, from, bytes, GEX_EVENT_NOW, 0);
    memset(from, 1, bytes);
    gex_Event_Wait(put);
    gex_Event_Wait(
        gex_RMA_GetNB(to.tm, back.data(), to.rank, to.there, bytes, 0));
  } else if (form == 2) {
    gex_Event_t put =
        gex_RMA_PutNB(to.tm, to.rank, to.there, from, bytes, &local, 0);
    gex_Event_Wait(local);
    memset(from, 2, bytes);
    gex_Event_Wait(put);
    gex_Event_Wait(
        gex_RMA_GetNB(to.tm, back.data(), to.rank, to.there, bytes, 0));
  } else {
    CHECK_EQ(gex_RMA_PutNBI(to.tm, to.rank, to.there, from, bytes,
                            GEX_EVENT_DEFER, 0),
             0);
    gex_NBI_Wait(GEX_EC_PUT, 0);
    CHECK_EQ(gex_RMA_GetNBI(to.tm, back.data(), to.rank, to.there, bytes, 0),
             0);
    gex_NBI_Wait(GEX_EC_GET, 0);
  }
  CHECK_PATTERN(back.data(), bytes, seed);
}

void PutAndGetValues(const Side& to, gex_RMA_Value_t value) {
  for (size_t bytes = 1; bytes <= SIZEOF_GEX_RMA_VALUE_T; ++bytes) {
    const gex_RMA_Value_t low =
        bytes == 8 ? value : value & ((gex_RMA_Value_t{1} << (8 * bytes)) - 1);
    memset(&value, static_cast<int>(bytes + 7), 1);
    char* const at = to.there + 1;
    CHECK_EQ(gex_RMA_PutBlockingVal(to.tm, to.rank, at, low, bytes, 0), 0);
    CHECK_EQ(gex_RMA_GetBlockingVal(to.tm, to.rank, at, bytes, 0), low);
    gex_Event_Wait(gex_RMA_PutNBVal(to.tm, to.rank, at, ~low, bytes, 0));
    CHECK_EQ(
        gex_RMA_GetBlockingVal(to.tm, to.rank, at, bytes, 0),
        bytes == 8 ? ~low : ~low & ((gex_RMA_Value_t{1} << (8 * bytes)) - 1));
    CHECK_EQ(gex_RMA_PutNBIVal(to.tm, to.rank, at, low, bytes, 0), 0);
    gex_NBI_Wait(GEX_EC_ALL, 0);
    CHECK_EQ(gex_RMA_GetBlockingVal(to.tm, to.rank, at, bytes, 0), low);
  }
}

void Exchange(gex_EP_Index_t own, gex_EP_Index_t at, gex_Rank_t rank) {
  const Side to = {gex_TM_Pair(eps.ep[own], at), rank, Area(at, rank, own)};
  uint32_t seed = 1000 * ex.rank + 100 * own + 10 * at;
  for (int form = 0; form < 4; ++form) {
    for (const size_t bytes :
         {size_t{1}, size_t{8}, size_t{100}, size_t{5000}, kMax}) {
      PutAndGet(to, bytes, ++seed, form);
    }
  }
  PutAndGetValues(to, 0x8182838485868788u + own);
  // The destination of this get lies in the segment of one of this process's
  // own endpoints.
  char* const here = BaseOf(own, ex.rank) + ex.size * kEndpoints * kArea;
  for (const size_t bytes : {size_t{40}, kMax}) {
    std::vector<char> source(bytes);
    FillPattern(source.data(), bytes, ++seed);
    CHECK_EQ(
        gex_RMA_PutBlocking(to.tm, rank, to.there, source.data(), bytes, 0), 0);
    CHECK_EQ(gex_RMA_GetBlocking(to.tm, here, rank, to.there, bytes, 0), 0);
    CHECK_PATTERN(here, bytes, seed);
  }
}

// Checks that this process's own segment has the data of the last puts, and
// that nothing else was written.
void CheckOwn(gex_EP_Index_t index) {
  const char* const base = BaseOf(index, ex.rank);
  CHECK(base == gex_Segment_QueryAddr(eps.segment[index]));
  for (gex_Rank_t rank = 0; rank < ex.size; ++rank) {
    for (gex_EP_Index_t own = 0; own < kEndpoints; ++own) {
      const char* const area = base + (rank * kEndpoints + own) * kArea;
      const uint32_t last = 1000 * rank + 100 * own + 10 * index + 22;
      CHECK_PATTERN(area, kMax, last);
      CHECK_BYTES(area + kMax, kArea - kMax, 0);
    }
  }
}

// Replaces the segment of endpoint 2. The old segment was the library's memory;
// the new one is the client's.
void BindAnew(size_t bytes) {
  gex_Segment_Destroy(eps.segment[2], 0);
  CHECK(gex_EP_QuerySegment(eps.ep[2]) == GEX_SEGMENT_INVALID);
  static std::vector<char> other;
  other.resize(bytes);
  CHECK_OK(gex_Segment_Create(&eps.segment[2], ex.client, other.data(), bytes,
                              GEX_MK_HOST, 0));
  CHECK_OK(gex_EP_BindSegment(eps.ep[2], eps.segment[2], 0));
  CHECK_OK(gex_EP_PublishBoundSegment(ex.tm, &eps.ep[2], 1, 0));
  FindBases(bytes);
  CHECK(BaseOf(2, ex.rank) == other.data());
}

// Binds the primordial segment to endpoint 1 as well.
void Share(size_t bytes) {
  gex_Segment_Destroy(eps.segment[1], 0);
  eps.segment[1] = ex.segment;
  CHECK_OK(gex_EP_BindSegment(eps.ep[1], ex.segment, 0));
  CHECK_OK(gex_EP_PublishBoundSegment(ex.tm, &eps.ep[1], 1, 0));
  FindBases(bytes);
  CHECK(BaseOf(1, ex.rank) == BaseOf(ex.rank));
}

void ExchangeAll() {
  for (gex_Rank_t rank = 0; rank < ex.size; ++rank) {
    for (gex_EP_Index_t own = 0; own < kEndpoints; ++own) {
      for (gex_EP_Index_t at = 0; at < kEndpoints; ++at) {
        Exchange(own, at, (ex.rank + rank) % ex.size);
      }
    }
  }
  Barrier();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  // Room for as many processes as any test runs, and one more area for gets.
  const size_t bytes = 9 * kEndpoints * kArea;
  StartExJob(&argc, &argv, bytes);
  CHECK(ex.size <= 8);
  MakeEndpoints(bytes, GEX_EP_CAPABILITY_RMA);
  ExchangeAll();
  for (gex_EP_Index_t index = 0; index < kEndpoints; ++index) {
    CheckOwn(index);
  }
  Barrier();
  BindAnew(bytes);
  ExchangeAll();
  CheckOwn(2);
  Barrier();
  Share(bytes);
  Exchange(2, 1, (ex.rank + 1) % ex.size);
  Barrier();
  return FinishJob();
}
