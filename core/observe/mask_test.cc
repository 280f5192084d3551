#include "core/observe/mask.h"

#include <set>
#include <string>
#include <string_view>

#include "core/observe/call.h"
#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

// Returns the letters of a mask, as the mask writes them.
std::string LettersOf(Mask mask) {
  Mask::Text text;
  text.fill('?');
  mask.Write(text);
  return text.data();
}

// Returns the letters of the mask that a text names.
std::string Parsed(std::string_view text) {
  Mask mask;
  EXPECT_TRUE(Mask::Parse(text, mask)) << text;
  return LettersOf(mask);
}

std::string AllLetters() { return std::string(Mask::kLetters); }

TEST(MaskTest, ANewMaskHasNoLetter) {
  EXPECT_EQ(LettersOf(Mask()), "");
  EXPECT_EQ(Mask().bits(), 0u);
}

TEST(MaskTest, AllLettersHaveDifferentBits) {
  std::set<uint32_t> bits;
  for (const char letter : Mask::kLetters) bits.insert(Mask::Bit(letter));
  EXPECT_EQ(bits.size(), Mask::kLetters.size());
  EXPECT_EQ(bits.count(0), 0u);
}

TEST(MaskTest, AllHasEachLetterThatACallMayHave) {
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    EXPECT_TRUE(Mask::All().Has(letter)) << letter;
  }
  EXPECT_EQ(LettersOf(Mask::All()), AllLetters());
}

TEST(MaskTest, ALetterIsInTheMaskThatNamesIt) {
  for (const char letter : Mask::kLetters) {
    Mask mask;
    ASSERT_TRUE(Mask::Parse(std::string(1, letter), mask));
    for (const char other : Mask::kLetters) {
      EXPECT_EQ(mask.Has(other), other == letter) << letter << other;
    }
    EXPECT_EQ(LettersOf(mask), std::string(1, letter));
  }
}

TEST(MaskTest, LettersAreWrittenInTheOrderOfTheSyntax) {
  EXPECT_EQ(Parsed("UHNDCOIXALBWSRPG"), AllLetters());
  EXPECT_EQ(Parsed("AXG"), "GAX");
}

TEST(MaskTest, ALetterMayComeTwice) { EXPECT_EQ(Parsed("PGPG"), "GP"); }

TEST(MaskTest, CaseDoesNotMatter) {
  EXPECT_EQ(Parsed("gprswblaxiocdnhu"), AllLetters());
  EXPECT_EQ(Parsed("aX"), "AX");
}

TEST(MaskTest, NoTextIsNoLetter) { EXPECT_EQ(Parsed(""), ""); }

TEST(MaskTest, ACaretMeansAllOtherLetters) {
  EXPECT_EQ(Parsed("^GP"), "RSWBLAXIOCDNHU");
  EXPECT_EQ(Parsed("^h"), "GPRSWBLAXIOCDNU");
  EXPECT_EQ(Parsed("^"), AllLetters());
  EXPECT_EQ(Parsed("^" + AllLetters()), "");
}

TEST(MaskTest, AMaskIsReplacedAsAWhole) {
  Mask mask = Mask::All();
  ASSERT_TRUE(Mask::Parse("A", mask));
  EXPECT_EQ(LettersOf(mask), "A");
  ASSERT_TRUE(Mask::Parse("", mask));
  EXPECT_EQ(LettersOf(mask), "");
}

TEST(MaskTest, OtherTextIsRefusedAndLeavesTheMaskAsItWas) {
  const std::string zero(1, '\0');
  for (const std::string& text :
       {std::string("?"), std::string("A?"), std::string("?A"),
        std::string("A^"), std::string("^^A"), std::string("^?"),
        std::string(" A"), std::string("A "), std::string("A,P"),
        std::string("Z"), std::string("E"), std::string("1"),
        std::string("\xC1"), zero, "A" + zero}) {
    Mask mask = Mask::FromBits(Mask::Bit('P') | Mask::Bit('B'));
    EXPECT_FALSE(Mask::Parse(text, mask)) << text;
    EXPECT_EQ(LettersOf(mask), "PB") << text;
  }
}

TEST(MaskTest, AnyMaskIsReadAsItWasWritten) {
  uint32_t choice = 1;
  for (int trial = 0; trial < 1000; ++trial) {
    choice = choice * 1664525 + 1013904223;
    const Mask mask = Mask::FromBits(choice >> 6);
    Mask read;
    ASSERT_TRUE(Mask::Parse(LettersOf(mask), read));
    for (const char letter : Mask::kLetters) {
      EXPECT_EQ(read.Has(letter), mask.Has(letter)) << letter;
    }
  }
}

TEST(MaskTest, TheSyntaxNamesAllLetters) {
  EXPECT_NE(std::string_view(Mask::kSyntax).find(Mask::kLetters),
            std::string_view::npos);
}

// The group of every call has a letter, so that each can be masked.
TEST(CallTest, TheGroupOfEachCallIsALetter) {
  for (size_t i = 0; i < kCalls; ++i) {
    const auto call = static_cast<Call>(i);
    EXPECT_NE(Mask::kLetters.find(GroupOf(call)), std::string_view::npos)
        << NameOf(call);
  }
}

TEST(CallTest, CallsHaveDifferentNames) {
  std::set<std::string> names;
  for (size_t i = 0; i < kCalls; ++i) {
    names.insert(NameOf(static_cast<Call>(i)));
  }
  EXPECT_EQ(names.size(), kCalls);
  EXPECT_STREQ(NameOf(Call::kNone), "");
  EXPECT_EQ(names.count(""), 0u);
}

TEST(CallTest, TheGroupOfACallIsThatOfItsKind) {
  EXPECT_EQ(GroupOf(Call::kPut), 'P');
  EXPECT_EQ(GroupOf(Call::kGetvBulk), 'G');
  EXPECT_EQ(GroupOf(Call::kBarrier), 'B');
  EXPECT_EQ(GroupOf(Call::kWaitSyncnb), 'S');
  EXPECT_EQ(GroupOf(Call::kAMRequestShort), 'A');
  EXPECT_EQ(GroupOf(Call::kAMPoll), 'X');
  EXPECT_EQ(GroupOf(Call::kCollBroadcast), 'W');
  EXPECT_EQ(GroupOf(Call::kGexADOpNBI32), 'R');
  EXPECT_EQ(GroupOf(Call::kGexTMSplit), 'O');
}

// Most calls' names show their groups.
TEST(CallTest, NamesAgreeWithGroups) {
  for (size_t i = 0; i < kCalls; ++i) {
    const auto call = static_cast<Call>(i);
    const std::string_view name = NameOf(call);
    const auto has = [&](std::string_view part) {
      return name.find(part) != std::string_view::npos;
    };
    if (name.starts_with("gasnet_put") || name.starts_with("gasnet_memset") ||
        name.starts_with("gex_RMA_Put") ||
        (name.starts_with("gex_VIS_") && has("Put"))) {
      EXPECT_EQ(GroupOf(call), 'P') << name;
    }
    if (name.starts_with("gasnet_get") || name.starts_with("gex_RMA_Get") ||
        (name.starts_with("gex_VIS_") && has("Get"))) {
      EXPECT_EQ(GroupOf(call), 'G') << name;
    }
    if (has("_sync") || has("gex_Event_") || has("gex_NBI_")) {
      EXPECT_EQ(GroupOf(call), 'S') << name;
    }
    if (has("arrier")) {
      EXPECT_EQ(GroupOf(call), 'B') << name;
    }
    if (name.starts_with("gex_AD_Op")) {
      EXPECT_EQ(GroupOf(call), 'R') << name;
    }
    if (has("_AMRe") || has("gex_AM_")) {
      EXPECT_EQ(GroupOf(call), 'A') << name;
    }
  }
}

}  // namespace
}  // namespace gasnet::observe
