// The changes that a trial makes to memory before, during and after the
// operation, and its checks for unexpected changes.
#include <string.h>
#include <sys/mman.h>

#include <algorithm>

#include "conformance/coll/trial.h"

namespace conformance {
namespace {

constexpr int kGuardByte = 0xc3;
constexpr int kNotYet = 0x33;  // contents of a source that is completed late

void CheckGuard(const char* at, size_t bytes) {
  CHECK_BYTES(at - kGuard, kGuard, kGuardByte);
  CHECK_BYTES(at + bytes, kGuard, kGuardByte);
}

void FillGuarded(char* at, size_t bytes, int value) {
  memset(at - kGuard, kGuardByte, kGuard);
  memset(at, value, bytes);
  memset(at + bytes, kGuardByte, kGuard);
}

}  // namespace

bool Trial::FillsLate() const {
  return plan_.in != GASNET_COLL_IN_NOSYNC && plan_.src_place != Place::kPages;
}

// Returns true if the next node of the group fills this node's sources. The
// next node does so before it enters the operation.
bool Trial::FilledByAnother() const {
  return plan_.in == GASNET_COLL_IN_ALLSYNC &&
         plan_.src_place == Place::kSegment && !plan_.in_place &&
         plan_.key % 3 == 0;
}

bool Trial::Audits() const {
  return plan_.out == GASNET_COLL_OUT_ALLSYNC &&
         plan_.dst_place == Place::kSegment && plan_.key % 2 == 0;
}

bool Trial::SpoilsOwn() const {
  return plan_.out != GASNET_COLL_OUT_NOSYNC && !Audits();
}

void Trial::Prepare() {
  for (const Area& area : dsts_) {
    if (area.owner == me_ && !area.inside) {
      FillGuarded(DstOf(area), area.bytes, kSentinel);
    }
  }
  for (const Area& area : srcs_) {
    if (area.owner != me_) continue;
    if (area.inside) {
      memset(SrcOf(area), kNotYet, area.bytes);
    } else {
      FillGuarded(SrcOf(area), area.bytes, kNotYet);
    }
  }
  if (!FillsLate()) FillSources();
  if (plan_.src_place != Place::kPages) return;
  for (const Area& area : srcs_) {
    if (area.owner == me_ && !area.inside) {
      ProtectPages(area.offset, area.bytes, PROT_READ);
    }
  }
}

void Trial::FillSources() const {
  for (const Area& area : srcs_) {
    if (area.owner != me_) continue;
    const std::vector<char> source = Source(area);
    std::copy(source.begin(), source.end(), SrcOf(area));
  }
}

void Trial::FillAnothersSources() const {
  const uint32_t other = (me_ + 1) % plan_.group->size();
  for (const Area& area : srcs_) {
    if (area.owner != other) continue;
    std::vector<char> source = Source(area);
    gasnet_put_bulk(NodeOf(other), SrcOf(area), source.data(), source.size());
  }
}

void Trial::CheckUntouched() const {
  if (plan_.in == GASNET_COLL_IN_NOSYNC || plan_.in_place) return;
  for (const Area& area : dsts_) {
    if (area.owner == me_) CHECK_BYTES(DstOf(area), area.bytes, kSentinel);
  }
}

void Trial::Begin() {
  CheckUntouched();
  if (FilledByAnother()) {
    FillAnothersSources();
  } else if (FillsLate()) {
    FillSources();
  }
  Call();
}

void Trial::CheckDst(const Area& area, const char* memory) const {
  const std::vector<char> expected = Expected(area);
  CHECK_EQ(expected.size(), area.bytes);
  if (std::equal(expected.begin(), expected.end(), memory)) return;
  size_t at = 0;
  while (memory[at] == expected[at]) ++at;
  fprintf(stderr,
          "kind %d form %d %s in %d out %d %s%s root %u nbytes %zu dst in %d "
          "src in %d key %u nodes %u: block %u, byte %zu of %zu is wrong\n",
          static_cast<int>(plan_.kind), static_cast<int>(plan_.form),
          plan_.single ? "single" : "local", plan_.in, plan_.out,
          plan_.blocking ? "blocking" : "nb", plan_.in_place ? " in place" : "",
          plan_.root, plan_.nbytes, static_cast<int>(plan_.dst_place),
          static_cast<int>(plan_.src_place), plan_.key, plan_.group->size(),
          area.block, at, area.bytes);
  CHECK_EQ(static_cast<unsigned char>(memory[at]),
           static_cast<unsigned char>(expected[at]));
}

void Trial::CheckGuards() const {
  for (const Area& area : dsts_) {
    if (area.owner == me_ && !area.inside) CheckGuard(DstOf(area), area.bytes);
  }
  const bool gone = spoiled_ && plan_.src_place == Place::kPages;
  for (const Area& area : srcs_) {
    if (area.owner == me_ && !area.inside && !gone) {
      CheckGuard(SrcOf(area), area.bytes);
    }
  }
}

void Trial::Synced() {
  for (const Area& area : dsts_) {
    if (area.owner == me_) CheckDst(area, DstOf(area));
  }
  if (Audits()) {
    CheckOthers();
    SpoilOthers();
  } else if (SpoilsOwn()) {
    SpoilOwn();
  }
}

void Trial::SpoilOwn() {
  spoiled_ = true;
  for (const Area& area : srcs_) {
    if (area.owner != me_) continue;
    if (plan_.src_place == Place::kPages && !area.inside) {
      ProtectPages(area.offset, area.bytes, PROT_NONE);
    } else {
      memset(SrcOf(area), kRubbish, area.bytes);
    }
  }
  for (const Area& area : dsts_) {
    if (area.owner == me_) memset(DstOf(area), kRubbish, area.bytes);
  }
}

void Trial::CheckOthers() const {
  if (plan_.dst_place != Place::kSegment || plan_.in_place) return;
  if (SpoilsOwn()) return;
  std::vector<char> there;
  for (const Area& area : dsts_) {
    there.resize(area.bytes);
    gasnet_get_bulk(there.data(), NodeOf(area.owner), DstOf(area), area.bytes);
    CheckDst(area, there.data());
  }
}

void Trial::SpoilOthers() const {
  if (plan_.src_place != Place::kSegment || plan_.in_place) return;
  for (const Area& area : srcs_) {
    std::vector<char> rubbish(area.bytes, kRubbish);
    gasnet_put_bulk(NodeOf(area.owner), SrcOf(area), rubbish.data(),
                    area.bytes);
  }
}

void Trial::Finish() {
  CheckGuards();
  for (const Area& area : dsts_) {
    if (area.owner != me_) continue;
    if (!spoiled_) {
      CheckDst(area, DstOf(area));
    } else if (!area.inside) {
      CHECK_BYTES(DstOf(area), area.bytes, kRubbish);
    }
  }
}

}  // namespace conformance
