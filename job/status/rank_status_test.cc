// Tests the encoding of a rank's status. Also tests reading a status from a
// page and from the kernel.
#include "job/status/rank_status.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "job/memory/anonymous_file.h"
#include "job/status/status_page.h"
#include "job/wire/limits.h"

namespace gasnet::job {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// Returns all members of a status, in words.
std::string Text(const RankStatus& status) {
  std::string text =
      absl::StrCat(std::string(1, status.process), " page ", status.has_page,
                   " unpolled ", status.unpolled_nanos, " barriers ",
                   status.barriers, " further ", status.further_waits);
  for (const RankStatus::Team& team : status.teams) {
    absl::StrAppend(&text, "; team ", team.name, " begun ", team.begun);
  }
  for (const RankWait& wait : status.waits) {
    absl::StrAppend(&text, "; wait ", static_cast<uint32_t>(wait.waiting.what),
                    " peer ", wait.waiting.peer, " first ", wait.waiting.first,
                    " second ", wait.waiting.second, " nanos ", wait.nanos,
                    " thread ", wait.thread);
  }
  return absl::StrCat(text, "; network ", status.network.nanos, " peer ",
                      status.network.peer, " ", status.network.text);
}

RankWait OfLength(int64_t nanos) { return {.waiting = {}, .nanos = nanos}; }

RankStatus Example() {
  RankStatus status;
  status.process = 'S';
  status.has_page = true;
  status.unpolled_nanos = 0x0123'4567'89ab'cdef;
  status.barriers = 0x89ab'cdef;
  status.teams = {{kTeamOfAll, 4}, {0xfedc'ba98'7654'3210, 5}};
  status.waits = {{.waiting = {.what = WaitFor::kCollective,
                               .peer = 9,
                               .first = 0xfedc'ba98'7654'3210,
                               .second = 0x1234'5678'9abc'def0},
                   .nanos = 0x0fed'cba9'8765'4321,
                   .thread = 4711},
                  {.waiting = {.what = WaitFor::kLast}, .thread = -1}};
  status.further_waits = 3;
  status.network = {.nanos = 0x0123'4567, .peer = 0x89ab'cdef, .text = "slow"};
  return status;
}

// Returns the largest status that a page can hold.
RankStatus Largest() {
  RankStatus status = Example();
  while (status.teams.size() < StatusPage::kTeams) {
    status.teams.push_back({~uint64_t{0}, ~uint32_t{0}});
  }
  while (status.waits.size() < StatusPage::kWaits) {
    status.waits.push_back(
        {.waiting = {.first = ~uint64_t{0}, .second = ~uint64_t{0}}});
  }
  status.network.text = std::string(NetworkSlot::kTextBytes - 1, '~');
  return status;
}

bool IsRefused(const RankStatus& status) {
  return !DecodeStatus(EncodeStatus(status)).has_value();
}

// Returns the encoding with the 32-bit number at offset `at` replaced.
std::string With(std::string bytes, size_t at, uint32_t value) {
  for (size_t i = 0; i < 4; ++i) {
    bytes[at + i] = static_cast<char>(value >> 8 * i);
  }
  return bytes;
}

TEST(StatusEncoding, IsDecodedToTheSame) {
  for (const RankStatus& status : {RankStatus(), Example(), Largest()}) {
    const auto decoded = DecodeStatus(EncodeStatus(status));
    ASSERT_TRUE(decoded.has_value()) << Text(status);
    EXPECT_EQ(Text(*decoded), Text(status));
  }
}

TEST(StatusEncoding, TheLargestFitsItsFrame) {
  EXPECT_LE(EncodeStatus(Largest()).size(), kMaxStatusBytes);
}

TEST(StatusEncoding, CutOrExtendedAnywhereItIsRefused) {
  const std::string bytes = EncodeStatus(Example());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeStatus(bytes.substr(0, size)).has_value()) << size;
  }
  for (size_t more = 1; more <= 64; ++more) {
    EXPECT_FALSE(DecodeStatus(bytes + std::string(more, '\0')).has_value());
  }
}

TEST(StatusEncoding, MoreThanAPageHoldsIsRefused) {
  RankStatus teams = Largest();
  teams.teams.push_back({1, 1});
  EXPECT_TRUE(IsRefused(teams));
  RankStatus waits = Largest();
  waits.waits.push_back({});
  EXPECT_TRUE(IsRefused(waits));
  RankStatus text = Largest();
  text.network.text += '~';
  EXPECT_TRUE(IsRefused(text));
  // Without teams and waits, their two counts come before the network's wait,
  // which ends with the length of its text.
  const std::string none = EncodeStatus(RankStatus());
  for (const size_t back : {4, 20, 24}) {
    EXPECT_FALSE(DecodeStatus(With(none, none.size() - back, ~uint32_t{0})));
  }
}

TEST(StatusEncoding, AnUnknownReasonIsRefused) {
  RankStatus status = Example();
  for (const uint32_t what :
       {static_cast<uint32_t>(WaitFor::kLast) + 1, ~uint32_t{0}}) {
    status.waits[1].waiting.what = static_cast<WaitFor>(what);
    EXPECT_TRUE(IsRefused(status)) << what;
  }
}

// Decoded times grow later, so a valid time must be far below the maximum.
TEST(StatusEncoding, ATimeThatIsNegativeOrLongerThanAnyIsRefused) {
  for (const int64_t nanos : {int64_t{-1}, kMin, kMax}) {
    RankStatus status = Example();
    status.unpolled_nanos = nanos;
    EXPECT_TRUE(IsRefused(status)) << nanos;
    status = Example();
    status.waits[1].nanos = nanos;
    EXPECT_TRUE(IsRefused(status)) << nanos;
    status = Example();
    status.network.nanos = nanos;
    EXPECT_TRUE(IsRefused(status)) << nanos;
  }
}

TEST(StatusEncoding, AStateThatIsNoLetterIsRefused) {
  const std::string bytes = EncodeStatus(Example());
  EXPECT_TRUE(DecodeStatus(With(bytes, 0, '?')).has_value());
  for (const uint32_t state : {0u, 10u, 32u, 127u, 255u, 256u + 'R'}) {
    EXPECT_FALSE(DecodeStatus(With(bytes, 0, state)).has_value()) << state;
  }
}

TEST(StatusEncoding, APageIsThereOrNot) {
  const std::string bytes = EncodeStatus(Example());
  EXPECT_TRUE(DecodeStatus(With(bytes, 4, 0)).has_value());
  EXPECT_FALSE(DecodeStatus(With(bytes, 4, 2)).has_value());
}

TEST(StatusEncoding, WaitsAreSortedWhateverTheirOrder) {
  RankStatus status;
  for (const int64_t nanos : {3, 9, 1}) {
    status.waits.push_back(OfLength(nanos));
  }
  const auto decoded = DecodeStatus(EncodeStatus(status));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->waits[0].nanos, 9);
  EXPECT_EQ(decoded->waits[1].nanos, 3);
  EXPECT_EQ(decoded->waits[2].nanos, 1);
}

TEST(AddWaitTest, KeepsTheLongestFirst) {
  RankStatus status = Example();
  AddWait(status, OfLength(5));
  AddWait(status, OfLength(kMax));
  ASSERT_EQ(status.waits.size(), 4u);
  EXPECT_EQ(status.waits[0].nanos, kMax);
  EXPECT_EQ(status.waits[2].nanos, 5);
  EXPECT_EQ(status.waits[3].nanos, 0);
}

constexpr uint32_t kPages = 3;
constexpr int64_t kNow = 1'000'000;

// Host memory with some pages. Each page looks like that of a rank in a job.
class ReadStatusTest : public testing::Test {
 protected:
  ReadStatusTest() {
    if (ftruncate(file_.get(), kPages * kStatusPageBytes) != 0) abort();
    pages_ = static_cast<unsigned char*>(
        mmap(nullptr, kPages * kStatusPageBytes, PROT_READ | PROT_WRITE,
             MAP_SHARED, file_.get(), 0));
    for (uint32_t place = 0; place < kPages; ++place) {
      PageAt(place).version = StatusPage::kVersion;
    }
  }
  ~ReadStatusTest() override { munmap(pages_, kPages * kStatusPageBytes); }

  StatusPage& PageAt(uint32_t place) const {
    return *reinterpret_cast<StatusPage*>(pages_ + place * kStatusPageBytes);
  }
  StatusPage& page() const { return PageAt(0); }

  RankStatus Read(uint32_t place = 0) const {
    return ReadStatus(file_.get(), place, getpid(), kNow);
  }
  // Writes a wait to slot number `slot`.
  WaitSlot& Put(size_t slot, int64_t since, WaitFor what = WaitFor::kRoom) {
    WaitSlot& at = page().waits[slot];
    at.version = 8;
    at.thread = static_cast<int32_t>(100 + slot);
    at.since = since;
    at.what = static_cast<uint32_t>(what);
    return at;
  }

  const UniqueFd file_ = CreateMemfd("pages");
  unsigned char* pages_ = nullptr;
};

TEST_F(ReadStatusTest, APageIsReadAtItsPlace) {
  for (uint32_t place = 0; place < kPages; ++place) {
    PageAt(place).barriers = 10 + place;
  }
  for (uint32_t place = 0; place < kPages; ++place) {
    EXPECT_TRUE(Read(place).has_page);
    EXPECT_EQ(Read(place).barriers, 10 + place);
  }
}

TEST_F(ReadStatusTest, ARankOutsideOfAJobHasNoPage) {
  page().barriers = 7;
  Put(0, 1);
  for (const uint32_t version : {0u, StatusPage::kVersion + 1}) {
    page().version = version;
    EXPECT_FALSE(Read().has_page);
    EXPECT_EQ(Read().barriers, 0u);
    EXPECT_TRUE(Read().waits.empty());
  }
}

// A rank may shrink the file.
TEST_F(ReadStatusTest, AFileThatIsTooShortHasNoPage) {
  EXPECT_FALSE(Read(kPages).has_page);
  EXPECT_FALSE(Read(~uint32_t{0}).has_page);
  EXPECT_FALSE(Read((uint64_t{1} << 32) / kStatusPageBytes).has_page);
  ASSERT_EQ(ftruncate(file_.get(), 2 * kStatusPageBytes - 1), 0);
  EXPECT_TRUE(Read(0).has_page);
  EXPECT_FALSE(Read(1).has_page);
  EXPECT_FALSE(ReadStatus(-1, 0, getpid(), kNow).has_page);
}

TEST_F(ReadStatusTest, CountsAreRead) {
  page().barriers = 5;
  page().further_waits = 6;
  page().teams[1].name_and_one = kTeamOfAll + 1;
  page().teams[1].begun = 7;
  page().teams[13].name_and_one = TeamName(3, 2) + 1;
  page().teams[13].begun = 8;
  const RankStatus status = Read();
  EXPECT_EQ(status.barriers, 5u);
  EXPECT_EQ(status.further_waits, 6u);
  ASSERT_EQ(status.teams.size(), 2u);
  EXPECT_EQ(status.teams[0].name, kTeamOfAll);
  EXPECT_EQ(status.teams[0].begun, 7u);
  EXPECT_EQ(status.teams[1].name, TeamName(3, 2));
  EXPECT_EQ(status.teams[1].begun, 8u);
}

TEST_F(ReadStatusTest, AWaitIsRead) {
  WaitSlot& slot = Put(15, kNow - 30, WaitFor::kLast);
  slot.peer = 11;
  slot.first = 12;
  slot.second = 13;
  const RankStatus status = Read();
  ASSERT_EQ(status.waits.size(), 1u);
  const RankWait& wait = status.waits[0];
  EXPECT_EQ(wait.waiting.what, WaitFor::kLast);
  EXPECT_EQ(wait.waiting.peer, 11u);
  EXPECT_EQ(wait.waiting.first, 12u);
  EXPECT_EQ(wait.waiting.second, 13u);
  EXPECT_EQ(wait.nanos, 30);
  EXPECT_EQ(wait.thread, 115);
}

TEST_F(ReadStatusTest, TheLongestWaitIsFirst) {
  Put(0, kNow - 5);
  Put(1, kNow - 50);
  Put(2, kNow - 20);
  const RankStatus status = Read();
  ASSERT_EQ(status.waits.size(), 3u);
  EXPECT_EQ(status.waits[0].nanos, 50);
  EXPECT_EQ(status.waits[1].nanos, 20);
  EXPECT_EQ(status.waits[2].nanos, 5);
}

TEST_F(ReadStatusTest, ASlotThatIsFreeOrChangesIsLeftOut) {
  Put(0, 1).version = 9;
  Put(1, kNow - 7);
  Put(2, 1).thread = 0;
  const RankStatus status = Read();
  ASSERT_EQ(status.waits.size(), 1u);
  EXPECT_EQ(status.waits[0].nanos, 7);
}

TEST_F(ReadStatusTest, AnUnknownReasonIsAnything) {
  for (const uint32_t what :
       {static_cast<uint32_t>(WaitFor::kLast) + 1, ~uint32_t{0}}) {
    Put(0, 1).what = what;
    ASSERT_EQ(Read().waits.size(), 1u);
    EXPECT_EQ(Read().waits[0].waiting.what, WaitFor::kAnything);
  }
}

TEST_F(ReadStatusTest, ATimeThatMakesNoSenseIsATime) {
  Put(0, kMax);
  EXPECT_EQ(Read().waits.at(0).nanos, 0);
  Put(0, kMin);
  EXPECT_EQ(Read().waits.at(0).nanos, kNow);
  page().waits[0].thread = 0;
  page().polled_at = kMin;
  page().asked_at = kMin + 1;
  EXPECT_EQ(Read().unpolled_nanos, kNow);
  page().asked_at = kMax;
  EXPECT_EQ(Read().unpolled_nanos, 0);
}

TEST_F(ReadStatusTest, ItHasNotPolledSinceItWasAskedToNoteThat) {
  EXPECT_EQ(Read().unpolled_nanos, 0) << "it was never asked";
  page().asked_at = kNow - 40;
  page().polled_at = kNow - 41;
  EXPECT_EQ(Read().unpolled_nanos, 40);
  page().polled_at = kNow - 40;
  EXPECT_EQ(Read().unpolled_nanos, 0);
  page().polled_at = kNow - 10;
  EXPECT_EQ(Read().unpolled_nanos, 0);
}

TEST_F(ReadStatusTest, AWaitThatDoesNotPollIsSeen) {
  page().asked_at = kNow - 40;
  Put(0, kNow - 50);
  EXPECT_EQ(Read().unpolled_nanos, 40);
}

TEST_F(ReadStatusTest, AMeetingOfAllRanksDoesNotPoll) {
  page().asked_at = kNow - 40;
  Put(0, kNow - 50);
  Put(1, kNow - 50, WaitFor::kAllRanks);
  EXPECT_EQ(Read().unpolled_nanos, 0);
}

TEST_F(ReadStatusTest, TheStateOfTheProcessIsRead) {
  EXPECT_EQ(Read().process, 'R');
  const pid_t child = fork();
  if (child == 0) {
    raise(SIGSTOP);
    _exit(0);
  }
  const auto state = [&] {
    return ReadStatus(file_.get(), 0, child, kNow).process;
  };
  ASSERT_EQ(waitpid(child, nullptr, WUNTRACED), child);
  EXPECT_EQ(state(), 'T');
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(state(), '?') << "there is none";
}

TEST_F(ReadStatusTest, TheNameOfAProgramIsNoState) {
  char name[16];
  prctl(PR_GET_NAME, name);
  for (const char* const tricky : {") Z (", "a b)", "("}) {
    prctl(PR_SET_NAME, tricky);
    EXPECT_EQ(Read().process, 'R') << tricky;
  }
  prctl(PR_SET_NAME, name);
}

}  // namespace
}  // namespace gasnet::job
