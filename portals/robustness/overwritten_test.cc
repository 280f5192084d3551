// A process of the same user deliberately overwrites single words in the tables
// of another process. All operations end, and no process crashes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <portals4.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "portals/robustness/corrupted_owner.h"
#include "portals/robustness/vandal.h"

namespace gasnet::portals4_tests::testing {
namespace {

// An iovec's elements are missing in the tables. The operation does not touch
// the memory where the program keeps them instead.
TEST_F(CorruptedOwner, AnIovecWithoutElementsIsMissing) {
  const Vandal vandal(owner_.child().pid());
  ASSERT_TRUE(vandal.ready());
  const auto md = owner_.Bind(
      {owner_.memory() + kBehindMd, 1, PTL_IOVEC, owner_.Eq(), PTL_CT_NONE});
  ASSERT_EQ(md.code, PTL_OK);
  const auto ref = static_cast<portals4::Ref>(md.value & 0xffffff);
  portals4::MdRecord* const record = vandal.view().Md(ref);
  ASSERT_NE(record, nullptr);
  record->length = 8;
  record->iov = 0;
  const ptl_handle_eq_t eq = initiator_.Eq();
  const ptl_pt_index_t pt = initiator_.Pt(eq);
  initiator_.Append(pt, {.offset = 4096});
  EXPECT_EQ(owner_.Put(initiator_, {.md = md.value, .pt = pt}), PTL_OK);
  EXPECT_EQ(initiator_.Next(eq).value.type, ptl_event_kind_t{PTL_EVENT_LINK});
  EXPECT_EQ(initiator_.Next(eq).value.ni_fail_type, ptl_ni_fail_t{PTL_NI_SEGV});
}

// Unlocking the mutex follows links that lie in it.
TEST_F(CorruptedOwner, AnOwnerEndsWithAnyMutexInItsTables) {
  const uint64_t words[] = {0, 1, 256, 4096, ~uint64_t{0}};
  constexpr size_t kWords = sizeof(pthread_mutex_t) / sizeof words[0];
  for (size_t at = 0; at < kWords; ++at) {
    for (const uint64_t word : words) {
      SCOPED_TRACE(std::to_string(word) + " in word " + std::to_string(at));
      const ptl_handle_ni_t ni = owner_.ni();
      {
        const Vandal vandal(owner_.child().pid());
        ASSERT_TRUE(vandal.ready());
        reinterpret_cast<uint64_t*>(&vandal.view().header().life)[at] = word;
      }
      EXPECT_EQ(owner_.Call([ni] {
        const int closed = PtlNIFini(ni);
        PtlFini();
        return closed;
      }),
                PTL_OK);
      ASSERT_EQ(owner_.Open(kOptions), PTL_OK);
    }
  }
}

// The descriptor is that of a pipe that nobody writes.
TEST_F(CorruptedOwner, ADescriptorThatBlocksIsNotWaitedFor) {
  const Vandal vandal(owner_.child().pid());
  ASSERT_TRUE(vandal.ready());
  portals4::MapRecord& map = *vandal.view().Map(0);
  map.writable = 0;
  map.descriptor = owner_.Call([] {
    const std::string pipe = ::testing::TempDir() + std::to_string(getpid());
    if (mkfifo(pipe.c_str(), 0600) != 0) return -1;
    const int end = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    unlink(pipe.c_str());
    return end;
  });
  ASSERT_GE(map.descriptor, 0);
  Put();
}

TEST_F(CorruptedOwner, FlightsThatThereAreNotEnd) {
  const Vandal vandal(owner_.child().pid());
  ASSERT_TRUE(vandal.ready());
  const auto disable = [ni = owner_.ni(), pt = pt_] {
    return PtlPTDisable(ni, pt);
  };
  vandal.CountFlight(pt_);
  EXPECT_EQ(owner_.Call(disable), PTL_OK) << "without a record";
  vandal.CountFlight(pt_);
  portals4::FlightRecord& flight = vandal.view().Flight(0);
  flight.mover.store(kMark);
  flight.entry.store(~0U);
  flight.pt.store(pt_ + 1);
  EXPECT_EQ(owner_.Call(disable), PTL_OK) << "of an entry that is none";
  EXPECT_EQ(flight.mover.load(), 0U);
}

TEST_F(CorruptedOwner, NobodyShrinksTheTables) {
  const Vandal vandal(owner_.child().pid());
  ASSERT_TRUE(vandal.ready());
  EXPECT_FALSE(vandal.Shrink());
  Put();
}

class CorruptedDesk : public CorruptedOwner {
 protected:
  // Asks for help, and lets the owner notice it.
  bool IsHelped(const Vandal& vandal, uint64_t address) {
    vandal.AskForHelp(address);
    owner_.Count(arrivals_);
    return vandal.IsAnswered();
  }
};

// A sanitizer's own memory is at some of these addresses.
TEST_F(CorruptedDesk, AHelperIsSentAnywhere) {
  const Vandal vandal(owner_.child().pid());
  ASSERT_TRUE(vandal.ready());
  for (unsigned bit = 0; bit < 64; ++bit) {
    ASSERT_TRUE(IsHelped(vandal, uint64_t{1} << bit)) << bit;
  }
  Put();
}

TEST_F(CorruptedDesk, OnlyItsOwnerEndsAHelper) {
  const Vandal vandal(owner_.child().pid());
  ASSERT_TRUE(vandal.ready());
  std::atomic<uint32_t>& asked = vandal.view().header().help.asked;
  ASSERT_TRUE(IsHelped(vandal, 0));
  Vandal::Overwrite(asked, asked.load() | portals4::HelpDesk::kClosed);
  usleep(10'000);  // A helper that believes the flag ends.
  EXPECT_TRUE(IsHelped(vandal, 0));
  asked.fetch_or(portals4::HelpDesk::kClosed);
  EXPECT_EQ(owner_.Call([ni = owner_.ni()] { return PtlNIFini(ni); }), PTL_OK);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
