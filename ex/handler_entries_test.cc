#include "ex/handler_entries.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/am/handler_table.h"

namespace gasnet::ex {
namespace {

void First() {}
void Second() {}

gex_AM_Entry_t Entry(gex_AM_Index_t index, void (*function)() = &First) {
  return {index, function, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST,
          2,     nullptr,  "short"};
}

class HandlerEntriesTest : public ::testing::Test {
 protected:
  absl::Status Register(std::vector<gex_AM_Entry_t>& table) {
    return entries_.Register(table, handlers_);
  }
  // Registers this entry alone. Returns the code of the resulting status.
  absl::StatusCode Refused(const gex_AM_Entry_t& entry) {
    std::vector<gex_AM_Entry_t> table = {entry};
    return Register(table).code();
  }

  am::HandlerTable handlers_;
  HandlerEntries entries_;
};

TEST_F(HandlerEntriesTest, ChosenIndicesAreTheHighestFreeOnes) {
  std::vector<gex_AM_Entry_t> table = {Entry(0), Entry(254, &Second), Entry(0)};
  ASSERT_TRUE(Register(table).ok());
  EXPECT_EQ(table[0].gex_index, 255);
  EXPECT_EQ(table[1].gex_index, 254);
  EXPECT_EQ(table[2].gex_index, 253);
  EXPECT_EQ(handlers_.Find(254), &Second);
  EXPECT_EQ(handlers_.Find(253), &First);
  std::vector<gex_AM_Entry_t> more = {Entry(0)};
  ASSERT_TRUE(Register(more).ok());
  EXPECT_EQ(more[0].gex_index, 252);
}

TEST_F(HandlerEntriesTest, AnEntryIsKept) {
  static const int data = 0;
  std::vector<gex_AM_Entry_t> table = {Entry(130)};
  table[0].gex_cdata = &data;
  ASSERT_TRUE(Register(table).ok());
  const gex_AM_Entry_t& kept = entries_.Find(130);
  EXPECT_EQ(kept.gex_index, 130);
  EXPECT_EQ(kept.gex_fnptr, &First);
  EXPECT_EQ(kept.gex_cdata, &data);
  EXPECT_STREQ(kept.gex_name, "short");
}

TEST_F(HandlerEntriesTest, ATableIsRegisteredAsAWholeOrNotAtAll) {
  std::vector<gex_AM_Entry_t> first = {Entry(200)};
  ASSERT_TRUE(Register(first).ok());
  std::vector<gex_AM_Entry_t> table = {Entry(0), Entry(200, &Second)};
  EXPECT_EQ(Register(table).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(table[0].gex_index, 0);
  EXPECT_EQ(handlers_.Find(255), nullptr);
  EXPECT_EQ(handlers_.Find(200), &First);
  std::vector<gex_AM_Entry_t> twice = {Entry(201), Entry(201)};
  EXPECT_FALSE(Register(twice).ok());
  EXPECT_EQ(handlers_.Find(201), nullptr);
}

TEST_F(HandlerEntriesTest, FillsEveryIndexAndNoMore) {
  std::vector<gex_AM_Entry_t> table(128, Entry(0));
  ASSERT_TRUE(Register(table).ok());
  EXPECT_EQ(table.back().gex_index, 128);
  EXPECT_EQ(Refused(Entry(0)), absl::StatusCode::kResourceExhausted);
}

TEST_F(HandlerEntriesTest, RefusesWhatIsNotLegal) {
  constexpr auto kBad = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(Refused(Entry(127)), kBad);
  EXPECT_EQ(Refused(Entry(0, nullptr)), kBad);
  gex_AM_Entry_t entry = Entry(0);
  for (const gex_Flags_t flags :
       {gex_Flags_t{0}, GEX_FLAG_AM_SHORT, GEX_FLAG_AM_REQUEST,
        GEX_FLAG_AM_SHORT | GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST,
        GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST | 1u << 30}) {
    entry.gex_flags = flags;
    EXPECT_EQ(Refused(entry), kBad) << flags;
  }
  entry = Entry(0);
  entry.gex_nargs = 17;
  EXPECT_EQ(Refused(entry), kBad);
  EXPECT_EQ(handlers_.Find(255), nullptr);
}

TEST_F(HandlerEntriesTest, APromiseIsNoted) {
  std::vector<gex_AM_Entry_t> table = {Entry(0)};
  table[0].gex_flags = GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REPLY;
  ASSERT_TRUE(Register(table).ok());
  const am::Promise& promise = handlers_.PromiseOf(255);
  EXPECT_TRUE(promise.Allows({am::Lane::kReply, am::Category::kLong, 2}));
  EXPECT_TRUE(promise.Allows({am::Lane::kReply, am::Category::kMedium, 2}));
  EXPECT_FALSE(promise.Allows({am::Lane::kReply, am::Category::kShort, 2}));
  EXPECT_FALSE(promise.Allows({am::Lane::kRequest, am::Category::kLong, 2}));
  EXPECT_FALSE(promise.Allows({am::Lane::kReply, am::Category::kLong, 1}));
  // A handler of gasnet_attach may take any message, since its category is
  // unknown.
  EXPECT_TRUE(am::Promise{}.Allows({am::Lane::kReply, am::Category::kLong, 9}));
}

}  // namespace
}  // namespace gasnet::ex
