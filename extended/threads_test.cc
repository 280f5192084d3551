// Tests many client threads, each with transfers of its own. Any thread that
// polls handles the replies to all threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "extended/front.h"
#include "extended/testing/loopback.h"

namespace gasnet::extended {
namespace {

using testing::AttachTested;
using testing::Loopback;
using Api = Front;
using Bytes = std::vector<std::byte>;

constexpr const char* kCall = "test";
constexpr size_t kArea = size_t{64} << 10;

// One client thread. It runs random operations on an area that no other thread
// uses, and keeps a copy of the expected contents.
class Client {
 public:
  Client(std::byte* area, uint64_t seed)
      : area_(area), random_(seed), expected_(kArea, std::byte{0}) {
    Api::Memset(kCall, 0, area_, 0, kArea);
  }

  void Run(int rounds) {
    for (int i = 0; i < rounds; ++i) Round();
    Bytes whole(kArea);
    Api::Get(kCall, whole.data(), 0, area_, kArea);
    EXPECT_EQ(whole, expected_);
  }

 private:
  // Puts distinct pieces that are in flight together, then gets them back.
  void Round() {
    constexpr size_t kPieces = 8;
    constexpr size_t kPiece = kArea / kPieces;
    const bool in_region = random_() % 2 == 0;
    std::vector<Handle> handles;
    if (in_region) Api::BeginRegion(kCall);
    for (size_t i = 0; i < kPieces; ++i) {
      const size_t nbytes = random_() % (random_() % 2 == 0 ? 64 : kPiece);
      handles.push_back(PutRandom(i * kPiece, nbytes));
    }
    if (in_region) handles.push_back(Api::EndRegion(kCall));
    Sync(handles);
    if (!in_region) Api::WaitImplicit(kCall, &Iop::PutsDone);
    CheckSomewhere();
  }

  Handle PutRandom(size_t offset, size_t nbytes) {
    Bytes data(nbytes);
    for (std::byte& byte : data) byte = static_cast<std::byte>(random_());
    std::copy(data.begin(), data.end(), expected_.begin() + offset);
    if (random_() % 2 == 0)
      return Api::PutNb(kCall, 0, area_ + offset, data.data(), nbytes);
    Api::PutNbi(kCall, 0, area_ + offset, data.data(), nbytes);
    return nullptr;
  }

  void Sync(std::vector<Handle>& handles) {
    if (random_() % 2 == 0) {
      Api::WaitAll(kCall, handles.data(), handles.size());
    } else {
      while (!Api::TryAll(kCall, handles.data(), handles.size())) {
      }
    }
  }

  void CheckSomewhere() {
    const size_t offset = random_() % (kArea / 2);
    const size_t nbytes = random_() % (kArea / 2);
    Bytes got(nbytes);
    Api::GetNbi(kCall, got.data(), 0, area_ + offset, nbytes);
    Api::WaitImplicit(kCall, &Iop::GetsDone);
    EXPECT_TRUE(std::equal(got.begin(), got.end(), expected_.begin() + offset));
    const ValueHandle value = Api::GetValueNb(kCall, 0, area_ + offset, 1);
    EXPECT_EQ(Api::WaitValue(kCall, value),
              std::to_integer<uint64_t>(expected_[offset]));
  }

  std::byte* const area_;
  std::mt19937_64 random_;
  Bytes expected_;
};

TEST(ThreadsTest, ClientThreadsDoNotDisturbEachOther) {
  constexpr int kClients = 4;
  AttachTested();
  std::atomic<bool> stop{false};
  // This thread handles replies to other threads, and starts no operations
  // itself.
  std::thread server([&] {
    while (!stop.load()) Loopback::engine().Poll();
  });
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back(
        [i] { Client(Loopback::segment() + i * kArea, i + 1).Run(40); });
  }
  for (std::thread& client : clients) client.join();
  stop.store(true);
  server.join();
}

TEST(ThreadsTest, AThreadThatEndsLeavesNothingBroken) {
  AttachTested();
  Loopback::network().Pause(true);
  static uint64_t source = 42;
  for (int i = 0; i < 10; ++i) {
    std::thread([i] {
      for (int j = 0; j < 100; ++j) {
        Api::PutNbi(kCall, 0, Loopback::segment() + 8 * (100 * i + j), &source,
                    8);
      }
    }).join();
  }
  Loopback::network().Pause(false);
  // One of these threads takes over the operations that the ended threads left.
  for (int i = 0; i < 2; ++i) {
    std::thread([] {
      Api::WaitImplicit(kCall, &Iop::IsDone);
      EXPECT_EQ(Api::GetValue(kCall, 0, Loopback::segment(), 8), 42u);
    }).join();
  }
  while (Loopback::network().InFlight() > 0) Loopback::engine().Poll();
}

}  // namespace
}  // namespace gasnet::extended
