// Rules 33 to 35, and 38: the memory of operations, the pieces of that memory,
// and the order of data.
#include <portals4.h>
#include <sys/mman.h>

#include <algorithm>

#include "base/sanitizer.h"
#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kPutGet = PTL_ME_OP_PUT | PTL_ME_OP_GET;
constexpr size_t kMega = 1 << 20;

class Data : public World {
 protected:
  void SetUp() override {
    World::SetUp();
    eq_ = initiator().Eq(512);
    md_ = initiator().Md(eq_);
    pt_ = target().Pt(PTL_EQ_NONE);
  }
  void Gets(const Operation& get, ptl_ni_fail_t fail = PTL_NI_OK) {
    EXPECT_EQ(initiator().Get(target(), get), PTL_OK);
    Expect(initiator(), eq_, {{PTL_EVENT_REPLY, fail}});
  }
  ptl_handle_eq_t eq_;
  ptl_handle_md_t md_;
  ptl_pt_index_t pt_;
};

class Rule33 : public Data {};
INSTANTIATE_TEST_SUITE_P(All, Rule33, AllSetups(), SetupName);

TEST_P(Rule33, TheLocalRangeLiesInTheDescriptor) {
  target().Append(pt_, {});
  const ptl_handle_md_t md = initiator().Md(eq_, 0, PTL_CT_NONE, 0, 64);
  const auto put = [&](ptl_size_t local, ptl_size_t length) {
    return initiator().Put(
        target(), {.md = md, .local = local, .length = length, .pt = pt_});
  };
  EXPECT_EQ(put(57, 8), PTL_ARG_INVALID);
  EXPECT_EQ(put(65, 0), PTL_ARG_INVALID);
  EXPECT_EQ(put(PTL_SIZE_MAX, 2), PTL_ARG_INVALID);
  EXPECT_EQ(put(0, 65), PTL_ARG_INVALID);
  EXPECT_EQ(initiator().Get(target(), {.md = md, .local = 60, .pt = pt_}),
            PTL_ARG_INVALID);
  EXPECT_EQ(put(56, 8), PTL_OK);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
}

TEST_P(Rule33, ADescriptorOfEverything) {
  target().Append(pt_, {.offset = kMega});
  const auto all =
      initiator().Bind({nullptr, PTL_SIZE_MAX, 0, eq_, PTL_CT_NONE});
  ASSERT_EQ(all.code, PTL_OK);
  initiator().Fill(4096, 100, 3);
  const auto address = reinterpret_cast<uintptr_t>(initiator().memory() + 4096);
  PutEnds({.md = all.value, .local = address, .length = 100, .pt = pt_}, eq_,
          PTL_NI_OK);
  EXPECT_EQ(target().Differs(kMega, 100, 3), 100U);
}

TEST_P(Rule33, MemoryThatIsOnlyRead) {
  target().Append(pt_, {});
  static const char text[] = "never to be written";
  const auto md = initiator().Bind(
      {const_cast<char*>(text), sizeof text, 0, eq_, PTL_CT_NONE});
  ASSERT_EQ(md.code, PTL_OK);
  PutEnds({.md = md.value, .length = sizeof text, .pt = pt_}, eq_, PTL_NI_OK);
  EXPECT_EQ(target().Load<char>(0), 'n');
}

TEST_P(Rule33, LengthsAroundEveryStep) {
  target().Append(pt_, {.offset = 4 * kMega, .length = 2 * kMega});
  unsigned seed = 0;
  for (const size_t base : {0, 8, 64, 256, 1024, 4096, 8192, 65536, 1 << 20}) {
    for (const size_t length :
         {base - std::min<size_t>(base, 1), base, base + 1}) {
      initiator().Fill(3, length, ++seed);
      PutEnds({.md = md_, .local = 3, .length = length, .pt = pt_, .remote = 5},
              eq_, PTL_NI_OK);
      EXPECT_EQ(target().Differs(4 * kMega + 5, length, seed), length);
      Gets({.md = md_,
            .local = 2 * kMega + 1,
            .length = length,
            .pt = pt_,
            .remote = 5});
      EXPECT_EQ(initiator().Differs(2 * kMega + 1, length, seed), length);
    }
  }
}

class Rule34 : public Data {
 protected:
  // Makes an iovec of `count` pieces of `size` bytes. The pieces begin at
  // `offset` and lie 100 bytes apart. Returns the offset of the iovec.
  static size_t Pieces(Process& process, size_t offset, int count,
                       size_t size) {
    const size_t at = offset + 3000;
    for (int i = 0; i < count; ++i) {
      const auto place = static_cast<size_t>(i);
      process.Store(at + place * sizeof(ptl_iovec_t),
                    ptl_iovec_t{process.memory() + offset + 100 * place, size});
    }
    return at;
  }
};
INSTANTIATE_TEST_SUITE_P(All, Rule34, AllSetups(), SetupName);

TEST_P(Rule34, PiecesBehaveAsOne) {
  const size_t from = Pieces(initiator(), kMega, 5, 4);
  const size_t to = Pieces(target(), 2 * kMega, 4, 5);
  target().Append(pt_,
                  {.offset = to, .length = 4, .options = kPutGet | PTL_IOVEC});
  const auto md = initiator().Bind(
      {initiator().memory() + from, 5, PTL_IOVEC, eq_, PTL_CT_NONE});
  ASSERT_EQ(md.code, PTL_OK);
  for (int i = 0; i < 20; ++i) {
    initiator().Store<char>(
        kMega + 100 * static_cast<size_t>(i / 4) + static_cast<size_t>(i % 4),
        static_cast<char>('a' + i));
  }
  PutEnds({.md = md.value, .local = 1, .length = 18, .pt = pt_, .remote = 2},
          eq_, PTL_NI_OK);
  for (int i = 2; i < 20; ++i) {
    EXPECT_EQ(target().Load<char>(2 * kMega + 100 * static_cast<size_t>(i / 5) +
                                  static_cast<size_t>(i % 5)),
              static_cast<char>('a' + i - 1));
  }
}

TEST_P(Rule34, GetsGatherAndScatter) {
  const size_t from = Pieces(target(), kMega, 3, 7);
  const size_t to = Pieces(initiator(), 2 * kMega, 7, 3);
  target().Append(
      pt_, {.offset = from, .length = 3, .options = kPutGet | PTL_IOVEC});
  for (size_t i = 0; i < 21; ++i) {
    target().Store<char>(kMega + 100 * (i / 7) + i % 7,
                         static_cast<char>(i + 1));
  }
  const auto md = initiator().Bind(
      {initiator().memory() + to, 7, PTL_IOVEC, eq_, PTL_CT_NONE});
  Gets({.md = md.value, .length = 21, .pt = pt_});
  for (size_t i = 0; i < 21; ++i) {
    EXPECT_EQ(initiator().Load<char>(2 * kMega + 100 * (i / 3) + i % 3),
              static_cast<char>(i + 1));
  }
}

TEST_P(Rule34, TruncatesAtTheEndOfAllPieces) {
  const size_t to = Pieces(target(), 2 * kMega, 4, 5);
  target().Append(pt_,
                  {.offset = to, .length = 4, .options = kPutGet | PTL_IOVEC});
  EXPECT_EQ(initiator().Put(target(),
                            {.md = md_, .length = 10, .pt = pt_, .remote = 13}),
            PTL_OK);
  const auto events =
      ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  EXPECT_EQ(events[1].mlength, 7U);
}

class Rule35 : public Data {};
INSTANTIATE_TEST_SUITE_P(All, Rule35, AllSetups(), SetupName);

TEST_P(Rule35, UnorderedOnesArriveToo) {
  target().Append(pt_, {.offset = kMega});
  const ptl_handle_md_t md = initiator().Md(eq_, PTL_MD_UNORDERED);
  initiator().Fill(0, 512, 6);
  PutEnds({.md = md, .length = 512, .pt = pt_}, eq_, PTL_NI_OK);
  EXPECT_EQ(target().Differs(kMega, 512, 6), 512U);
}

TEST_P(Rule35, SmallWritesStayInOrder) {
  target().Append(pt_, {.offset = kMega});
  const int wrong = initiator().Call([md = md_, eq = eq_, to = target().id(),
                                      pt = pt_, memory = initiator().memory()] {
    auto* const values = reinterpret_cast<int64_t*>(memory);
    for (int64_t i = 0; i < 100; ++i) {
      values[i] = i;
      const ptl_ack_req_t ack = i == 99 ? PTL_ACK_REQ : PTL_NO_ACK_REQ;
      if (PtlPut(md, static_cast<ptl_size_t>(8 * i), 8, ack, to, pt, 0, 64,
                 nullptr, 0))
        return 1;
    }
    if (PtlGet(md, 4096, 8, to, pt, 0, 64, nullptr)) return 2;
    ptl_event_t event;
    for (int i = 0; i < 102; ++i) {
      if (PtlEQWait(eq, &event) || event.ni_fail_type != PTL_NI_OK) return 3;
    }
    return values[4096 / 8] == 99 ? 0 : 4;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(target().Load<int64_t>(kMega + 64), 99);
}

class Rule35Matching : public Data {};
INSTANTIATE_TEST_SUITE_P(All, Rule35Matching, MatchingSetups(), SetupName);

TEST_P(Rule35Matching, HeadersMatchInOrder) {
  const ptl_handle_eq_t at_target = target().Eq(128);
  const ptl_pt_index_t pt = target().Pt(at_target);
  target().Link(pt,
                {.offset = kMega,
                 .length = kMega,
                 .options = kPutGet | PTL_ME_MANAGE_LOCAL},
                at_target);
  // Every tenth put is long. Later short puts must not overtake it in the
  // buffer.
  const int wrong = initiator().Call([md = md_, to = target().id(), pt] {
    for (ptl_hdr_data_t i = 0; i < 50; ++i) {
      const ptl_size_t length = i % 10 == 0 ? 20'000 : 4;
      if (PtlPut(md, 0, length, PTL_NO_ACK_REQ, to, pt, 0, 0, nullptr, i))
        return 1;
    }
    return 0;
  });
  EXPECT_EQ(wrong, 0);
  char* places[50] = {};
  for (int i = 0; i < 50; ++i) {
    const auto event = Expect(target(), at_target, {{PTL_EVENT_PUT}})[0];
    ASSERT_LT(event.hdr_data, 50U);
    places[event.hdr_data] = static_cast<char*>(event.start);
  }
  EXPECT_TRUE(std::is_sorted(places, places + 50));
}

class Rule38 : public Data {
 protected:
  // Makes memory that can be neither read nor written. The process never uses
  // these addresses for anything else.
  static char* Hole(Process& process) {
    return process.Call([] {
      return static_cast<char*>(mmap(nullptr, 1 << 16, PROT_NONE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    });
  }
  bool BindsInaccessible() {
    return (target().limits().features & PTL_TARGET_BIND_INACCESSIBLE) != 0;
  }
};
INSTANTIATE_TEST_SUITE_P(All, Rule38, AllSetups(), SetupName);

TEST_P(Rule38, MemoryThatIsNotThereAtTheTarget) {
  char* const hole = Hole(target());
  const auto entry = target().Append(pt_, {.start = hole});
  if (!BindsInaccessible()) {
    EXPECT_EQ(entry.code, PTL_ARG_INVALID);
    return;
  }
  ASSERT_EQ(entry.code, PTL_OK);
  PutEnds({.md = md_, .pt = pt_}, eq_, PTL_NI_SEGV);
  Gets({.md = md_, .pt = pt_}, PTL_NI_SEGV);
  EXPECT_EQ(initiator().Atomic(target(), {.md = md_, .pt = pt_}, PTL_SUM,
                               PTL_INT64_T),
            PTL_OK);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK, PTL_NI_SEGV}});
  EXPECT_EQ(target().Unlink(entry.value), PTL_OK) << "both live";
}

TEST_P(Rule38, MemoryThatWentAway) {
  char* const page = target().Call([] {
    return static_cast<char*>(mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  });
  target().Append(pt_, {.length = 1 << 16, .start = page});
  PutEnds({.md = md_, .pt = pt_}, eq_, PTL_NI_OK);
  target().Call([page] { munmap(page, 1 << 16); });
  PutEnds({.md = md_, .pt = pt_}, eq_, PTL_NI_SEGV);
}

TEST_P(Rule38, MemoryThatIsNotThereAtTheInitiator) {
  target().Append(pt_, {.length = kMega});
  char* const hole = Hole(initiator());
  const auto md = initiator().Bind({hole, 1 << 16, 0, eq_, PTL_CT_NONE});
  ASSERT_EQ(md.code, PTL_OK);
  Gets({.md = md.value, .length = 4096, .pt = pt_}, PTL_NI_SEGV);
  const int code =
      initiator().Put(target(), {.md = md.value, .length = 4096, .pt = pt_});
  EXPECT_EQ(code, PTL_OK);
  // The failure is reported once, by SEND or by ACK.
  ptl_ni_fail_t worst = PTL_NI_OK;
  for (int i = 0; i < 2; ++i) {
    const auto got = initiator().Next(eq_);
    EXPECT_EQ(got.code, PTL_OK);
    worst = std::max(worst, got.value.ni_fail_type);
    if (got.value.ni_fail_type != PTL_NI_OK) break;
  }
  EXPECT_EQ(worst, ptl_ni_fail_t{PTL_NI_SEGV});
  PutEnds({.md = md_, .pt = pt_}, eq_, PTL_NI_OK);
}

TEST_P(Rule38, WithoutTheFeatureItMustBeThere) {
  ptl_ni_limits_t asked = target().limits();
  asked.features = 0;
  Reopen(asked);
  const ptl_pt_index_t pt = target().Pt(PTL_EQ_NONE);
  EXPECT_EQ(target().Append(pt, {.start = Hole(target())}).code,
            PTL_ARG_INVALID);
  EXPECT_EQ(target().Append(pt, {}).code, PTL_OK);
}

TEST_P(Rule38, SaidToBeThere) {
  if (gasnet::kThreadSanitizer && GetParam().job != nullptr)
    GTEST_SKIP() << "its completion is seen by way of other processes";
  target().Append(pt_, {.options = kPutGet | PTL_ME_IS_ACCESSIBLE});
  initiator().Fill(0, 100, 4);
  PutEnds({.md = md_, .length = 100, .pt = pt_}, eq_, PTL_NI_OK);
  EXPECT_EQ(target().Differs(0, 100, 4), 100U);
  Gets({.md = md_, .pt = pt_});
}

TEST_P(Rule38, EverythingBehindAnEntry) {
  if (!BindsInaccessible()) GTEST_SKIP() << "memory must be there";
  // Some programs open all of their memory by one entry. Peers then use
  // addresses as offsets.
  const auto entry = target().Call([ni = target().ni(), pt = pt_,
                                    matching = target().matching()] {
    Answer<ptl_handle_me_t> answer = {};
    ptl_le_t le = {};
    le.length = PTL_SIZE_MAX;
    le.ct_handle = PTL_CT_NONE;
    le.uid = PTL_UID_ANY;
    le.options = kPutGet;
    ptl_me_t me = {};
    me.length = PTL_SIZE_MAX;
    me.ct_handle = PTL_CT_NONE;
    me.uid = PTL_UID_ANY;
    me.options = kPutGet;
    me.match_id.phys = {PTL_NID_ANY, PTL_PID_ANY};
    me.ignore_bits = ~ptl_match_bits_t{0};
    if (matching) {
      ptl_process_t self;
      PtlGetId(ni, &self);
      ptl_size_t size;
      if (PtlGetMap(ni, 0, nullptr, &size) == PTL_OK)
        me.match_id.rank = PTL_RANK_ANY;
      answer.code =
          PtlMEAppend(ni, pt, &me, PTL_PRIORITY_LIST, nullptr, &answer.value);
    } else {
      answer.code =
          PtlLEAppend(ni, pt, &le, PTL_PRIORITY_LIST, nullptr, &answer.value);
    }
    return answer;
  });
  ASSERT_EQ(entry.code, PTL_OK);
  initiator().Fill(0, 64, 9);
  const auto address = reinterpret_cast<uintptr_t>(target().memory() + kMega);
  PutEnds({.md = md_, .length = 64, .pt = pt_, .remote = address}, eq_,
          PTL_NI_OK);
  EXPECT_EQ(target().Differs(kMega, 64, 9), 64U);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
