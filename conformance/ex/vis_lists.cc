// Vector and indexed puts and gets, in every form, by teams and by pairs. Tests
// pieces of any length on either side, local completion, and empty lists and
// pieces (GASNet-EX, section 14.1).
#include <gasnet_vis.h>
#include <string.h>

#include <algorithm>
#include <vector>

#include "conformance/ex/ex_rma.h"

namespace conformance {
namespace {

constexpr size_t kRegion = 40000;
constexpr int kTrials = 250;
constexpr int kMark = 0xA5;

alignas(64) char local[kRegion];
alignas(64) char copy[kRegion];

char* Slot(gex_Rank_t owner) { return BaseOf(owner) + ex.rank * kRegion; }

using Vector = std::vector<gex_Memvec_t>;

// Returns pieces of the given lengths in a region. The pieces do not overlap,
// and their addresses are in a random order.
Vector Place(Random& random, char* region, std::vector<size_t> lengths) {
  Vector pieces(lengths.size());
  std::vector<size_t> order(lengths.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.Below(i)]);
  }
  size_t at = random.Below(50);
  for (size_t i : order) {
    pieces[i] = {region + at, lengths[i]};
    at += lengths[i] + random.Below(3) * random.Below(20);
  }
  CHECK(at <= kRegion);
  return pieces;
}

// Returns lengths whose sum is `total`. Some of them are 0.
std::vector<size_t> Cut(Random& random, size_t total) {
  std::vector<size_t> lengths;
  while (total > 0) {
    const size_t most = random.Below(3) == 0 ? 1500 : 40;
    const size_t length = std::min<size_t>(total, random.Below(most));
    lengths.push_back(length);
    total -= length;
  }
  if (random.Below(2) == 0) lengths.push_back(0);
  return lengths;
}

std::vector<char> Gather(const Vector& pieces, const char* region,
                         const char* content) {
  std::vector<char> stream;
  for (const gex_Memvec_t& piece : pieces) {
    const char* const from =
        content + (static_cast<char*>(piece.gex_addr) - region);
    stream.insert(stream.end(), from, from + piece.gex_len);
  }
  return stream;
}

void Scatter(const Vector& pieces, const char* region, char* content,
             const std::vector<char>& stream) {
  size_t at = 0;
  for (const gex_Memvec_t& piece : pieces) {
    memcpy(content + (static_cast<char*>(piece.gex_addr) - region),
           stream.data() + at, piece.gex_len);
    at += piece.gex_len;
  }
}

enum class Form {
  kBlocking,
  kNb,
  kNbLeaf,
  kNbi,
  kNbiLeaf,
  kAccessRegion,
  kForms
};

struct Peer {
  gex_TM_t tm;
  gex_Rank_t rank;
  gex_Rank_t jobrank;
};

// Runs a put or a get with the calls that `form` selects, and waits until the
// transfer is complete.
template <class Nb, class Nbi, class Blocking>
void Run(Form form, bool is_put, Nb nb, Nbi nbi, Blocking blocking) {
  const gex_Flags_t leaf = is_put ? GEX_FLAG_ENABLE_LEAF_LC : 0;
  switch (form) {
    case Form::kNb:
      gex_Event_Wait(nb(0));
      break;
    case Form::kNbLeaf: {
      const gex_Event_t root = nb(leaf);
      CHECK(root != GEX_EVENT_NO_OP);
      if (is_put) {
        gex_Event_Wait(gex_Event_QueryLeaf(root, GEX_EC_LC));
        memset(local, 0xDD, kRegion);
      }
      gex_Event_Wait(root);
      break;
    }
    case Form::kNbi:
      CHECK_EQ(nbi(0), 0);
      gex_NBI_Wait(is_put ? GEX_EC_PUT : GEX_EC_GET, 0);
      break;
    case Form::kNbiLeaf:
      CHECK_EQ(nbi(leaf), 0);
      if (is_put) {
        gex_NBI_Wait(GEX_EC_LC, 0);
        memset(local, 0xDD, kRegion);
      }
      gex_NBI_Wait(GEX_EC_ALL, 0);
      break;
    case Form::kAccessRegion:
      gex_NBI_BeginAccessRegion(0);
      CHECK_EQ(nbi(0), 0);
      gex_Event_Wait(gex_NBI_EndAccessRegion(0));
      break;
    default:
      CHECK_EQ(blocking(), 0);
  }
}

void PutVector(const Peer& peer, Form form, const Vector& to,
               const Vector& from) {
  Run(
      form, true,
      [&](gex_Flags_t flags) {
        return gex_VIS_VectorPutNB(peer.tm, peer.rank, to.size(), to.data(),
                                   from.size(), from.data(), flags);
      },
      [&](gex_Flags_t flags) {
        return gex_VIS_VectorPutNBI(peer.tm, peer.rank, to.size(), to.data(),
                                    from.size(), from.data(), flags);
      },
      [&] {
        return gex_VIS_VectorPutBlocking(peer.tm, peer.rank, to.size(),
                                         to.data(), from.size(), from.data(),
                                         0);
      });
}
void GetVector(const Peer& peer, Form form, const Vector& to,
               const Vector& from) {
  Run(
      form, false,
      [&](gex_Flags_t flags) {
        return gex_VIS_VectorGetNB(peer.tm, to.size(), to.data(), peer.rank,
                                   from.size(), from.data(), flags);
      },
      [&](gex_Flags_t flags) {
        return gex_VIS_VectorGetNBI(peer.tm, to.size(), to.data(), peer.rank,
                                    from.size(), from.data(), flags);
      },
      [&] {
        return gex_VIS_VectorGetBlocking(peer.tm, to.size(), to.data(),
                                         peer.rank, from.size(), from.data(),
                                         0);
      });
}

// A list of pieces that all have the same length.
struct List {
  explicit List(const Vector& pieces)
      : bytes(pieces.empty() ? 0 : pieces[0].gex_len) {
    for (const gex_Memvec_t& piece : pieces)
      addresses.push_back(piece.gex_addr);
  }

  std::vector<void*> addresses;
  size_t bytes;
};

void PutIndexed(const Peer& peer, Form form, const List& to, const List& from) {
  Run(
      form, true,
      [&](gex_Flags_t flags) {
        return gex_VIS_IndexedPutNB(peer.tm, peer.rank, to.addresses.size(),
                                    to.addresses.data(), to.bytes,
                                    from.addresses.size(),
                                    from.addresses.data(), from.bytes, flags);
      },
      [&](gex_Flags_t flags) {
        return gex_VIS_IndexedPutNBI(peer.tm, peer.rank, to.addresses.size(),
                                     to.addresses.data(), to.bytes,
                                     from.addresses.size(),
                                     from.addresses.data(), from.bytes, flags);
      },
      [&] {
        return gex_VIS_IndexedPutBlocking(
            peer.tm, peer.rank, to.addresses.size(), to.addresses.data(),
            to.bytes, from.addresses.size(), from.addresses.data(), from.bytes,
            0);
      });
}
void GetIndexed(const Peer& peer, Form form, const List& to, const List& from) {
  Run(
      form, false,
      [&](gex_Flags_t flags) {
        return gex_VIS_IndexedGetNB(peer.tm, to.addresses.size(),
                                    to.addresses.data(), to.bytes, peer.rank,
                                    from.addresses.size(),
                                    from.addresses.data(), from.bytes, flags);
      },
      [&](gex_Flags_t flags) {
        return gex_VIS_IndexedGetNBI(peer.tm, to.addresses.size(),
                                     to.addresses.data(), to.bytes, peer.rank,
                                     from.addresses.size(),
                                     from.addresses.data(), from.bytes, flags);
      },
      [&] {
        return gex_VIS_IndexedGetBlocking(peer.tm, to.addresses.size(),
                                          to.addresses.data(), to.bytes,
                                          peer.rank, from.addresses.size(),
                                          from.addresses.data(), from.bytes, 0);
      });
}

void WriteAll(const Peer& peer, const char* from) {
  CHECK_EQ(gex_RMA_PutBlocking(ex.tm, peer.jobrank, Slot(peer.jobrank), from,
                               kRegion, 0),
           0);
}
void ReadAll(const Peer& peer, char* to) {
  CHECK_EQ(gex_RMA_GetBlocking(ex.tm, to, peer.jobrank, Slot(peer.jobrank),
                               kRegion, 0),
           0);
}

template <class Call>
void TestPut(const Peer& peer, const Vector& to, const Vector& from,
             uint32_t key, Call call) {
  char* const there = Slot(peer.jobrank);
  std::vector<char> model(kRegion, static_cast<char>(kMark));
  WriteAll(peer, model.data());
  FillPattern(local, kRegion, key);
  Scatter(to, there, model.data(), Gather(from, local, local));
  call();
  memset(local, 0xDD, kRegion);
  ReadAll(peer, copy);
  CHECK_EQ(memcmp(copy, model.data(), kRegion), 0);
}
template <class Call>
void TestGet(const Peer& peer, const Vector& to, const Vector& from,
             uint32_t key, Call call) {
  char* const there = Slot(peer.jobrank);
  std::vector<char> model(kRegion, static_cast<char>(kMark));
  FillPattern(copy, kRegion, key);
  WriteAll(peer, copy);
  Scatter(to, local, model.data(), Gather(from, there, copy));
  memset(local, kMark, kRegion);
  call();
  CHECK_EQ(memcmp(local, model.data(), kRegion), 0);
}

void Trial(Random& random, const Peer& peer) {
  const uint32_t key = static_cast<uint32_t>(random.Next());
  const Form form =
      static_cast<Form>(random.Below(static_cast<uint64_t>(Form::kForms)));
  char* const there = Slot(peer.jobrank);
  const size_t total = random.Below(4000);
  Vector far = Place(random, there, Cut(random, total));
  Vector near = Place(random, local, Cut(random, total));
  TestPut(peer, far, near, key, [&] { PutVector(peer, form, far, near); });
  TestGet(peer, near, far, key, [&] { GetVector(peer, form, near, far); });

  const size_t few = 1 + random.Below(20);
  const size_t many = few * (1 + random.Below(5));
  const size_t piece = 1 + random.Below(30);
  const std::vector<size_t> long_pieces(few, piece * (many / few));
  const std::vector<size_t> short_pieces(many, piece);
  const bool is_far_long = random.Below(2) == 0;
  far = Place(random, there, is_far_long ? long_pieces : short_pieces);
  near = Place(random, local, is_far_long ? short_pieces : long_pieces);
  TestPut(peer, far, near, key,
          [&] { PutIndexed(peer, form, List(far), List(near)); });
  TestGet(peer, near, far, key,
          [&] { GetIndexed(peer, form, List(near), List(far)); });
}

void Nothing(const Peer& peer) {
  gex_Event_Wait(
      gex_VIS_VectorPutNB(peer.tm, peer.rank, 0, nullptr, 0, nullptr, 0));
  CHECK_EQ(
      gex_VIS_VectorGetBlocking(peer.tm, 0, nullptr, peer.rank, 0, nullptr, 0),
      0);
  CHECK_EQ(gex_VIS_IndexedPutNBI(peer.tm, peer.rank, 0, nullptr, 4, 0, nullptr,
                                 8, 0),
           0);
  gex_NBI_Wait(GEX_EC_PUT, 0);
  gex_Event_Wait(gex_VIS_IndexedGetNB(peer.tm, 0, nullptr, 4, peer.rank, 0,
                                      nullptr, 8, 0));
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
  for (int trial = 0; trial < kTrials; ++trial) {
    const gex_Rank_t jobrank = static_cast<gex_Rank_t>(random.Below(ex.size));
    const Peer peers[] = {{ex.tm, jobrank, jobrank},
                          {pair, jobrank, jobrank},
                          {reversed, ex.size - 1 - jobrank, jobrank}};
    Trial(random, peers[trial % 3]);
    Nothing(peers[trial % 3]);
  }
  Barrier();
  gex_TM_Destroy(reversed, nullptr, 0);
  return FinishJob();
}
