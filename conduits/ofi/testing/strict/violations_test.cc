// Tests each rule that the strict provider enforces: each test breaks a rule
// once.
#include <gtest/gtest.h>
#include <rdma/fi_errno.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "conduits/ofi/testing/strict/strict_test_rank.h"

namespace gasnet::ofi::strict {
namespace {

constexpr size_t kBytes = 256;
constexpr uint64_t kKey = 77;
constexpr uint64_t kRemote = FI_REMOTE_READ | FI_REMOTE_WRITE;

// A rank that sends to itself.
struct Alone {
  explicit Alone(const std::string& options, size_t entries = 1024)
      : rank(options, entries), self(rank.Insert(rank)) {}

  [[noreturn]] void Poll() {
    for (;;) rank.Read();
  }

  StrictTestRank rank;
  fi_addr_t self;
  std::array<std::byte, kBytes> bytes = {};
};

void With(const std::string& options, void (*act)(Alone&),
          size_t entries = 1024) {
  Alone alone(options, entries);
  act(alone);
}

TEST(ViolationsTest, WordsThatThereAreNot) {
  EXPECT_DEATH(AskStrict("lokal", 0, 0), "strict: GASNET_STRICT has 'lokal'");
  EXPECT_DEATH(AskStrict("most=", 0, 0), "strict: GASNET_STRICT has 'most='");
  EXPECT_DEATH(AskStrict("rm=of", 0, 0), "strict: GASNET_STRICT has 'rm=of'");
}

TEST(ViolationsTest, NoDescriptorWhereMemoryMustBeRegistered) {
  EXPECT_DEATH(With("local",
                    [](Alone& alone) {
                      alone.rank.Send(alone.self, alone.bytes.data(), 8);
                    }),
               "strict: fi_sendmsg of 8 bytes has no descriptor");
}

TEST(ViolationsTest, ADescriptorOfNoMemory) {
  EXPECT_DEATH(With("",
                    [](Alone& alone) {
                      int none;
                      alone.rank.Send(alone.self, alone.bytes.data(), 8, 0,
                                      &none);
                    }),
               "strict: fi_sendmsg has a descriptor of no registered memory");
}

TEST(ViolationsTest, ADescriptorOfMemoryThatIsClosed) {
  EXPECT_DEATH(
      With("",
           [](Alone& alone) {
             fid_mr* const region =
                 alone.rank.Register(alone.bytes.data(), kBytes, FI_SEND, kKey);
             void* const descriptor = fi_mr_desc(region);
             alone.rank.Close(region);
             alone.rank.Send(alone.self, alone.bytes.data(), 8, 0, descriptor);
           }),
      "strict: fi_sendmsg has a descriptor of no registered memory");
}

TEST(ViolationsTest, BytesBeyondTheRegisteredOnes) {
  EXPECT_DEATH(
      With("local",
           [](Alone& alone) {
             fid_mr* const region =
                 alone.rank.Register(alone.bytes.data(), 100, FI_WRITE, kKey);
             alone.rank.Write(alone.self, &alone.bytes[96], 8, 0, kKey, 0,
                              fi_mr_desc(region));
           }),
      "strict: fi_writemsg of 8 bytes is not within the descriptor's memory");
}

TEST(ViolationsTest, MemoryThatIsRegisteredForOtherThings) {
  EXPECT_DEATH(
      With("local",
           [](Alone& alone) {
             fid_mr* const region =
                 alone.rank.Register(alone.bytes.data(), kBytes, FI_SEND, kKey);
             alone.rank.Receive(alone.bytes.data(), 8, 0, fi_mr_desc(region));
           }),
      "strict: fi_recvmsg uses memory that is not registered for that");
}

TEST(ViolationsTest, MemoryThatIsEnabledUnbound) {
  EXPECT_DEATH(With("endpoint",
                    [](Alone& alone) {
                      fid_mr* region = nullptr;
                      fi_mr_reg(alone.rank.domain(), alone.bytes.data(), kBytes,
                                FI_SEND, 0, kKey, 0, &region, nullptr);
                      fi_mr_enable(region);
                    }),
               "strict: memory is enabled that is not bound");
}

TEST(ViolationsTest, MemoryThatIsNotEnabled) {
  EXPECT_DEATH(With("endpoint,local",
                    [](Alone& alone) {
                      fid_mr* region = nullptr;
                      fi_mr_reg(alone.rank.domain(), alone.bytes.data(), kBytes,
                                FI_SEND, 0, kKey, 0, &region, nullptr);
                      alone.rank.Send(alone.self, alone.bytes.data(), 8, 0,
                                      fi_mr_desc(region));
                    }),
               "strict: fi_sendmsg of 8 bytes has no descriptor");
}

TEST(ViolationsTest, MemoryThatIsNotThere) {
  constexpr size_t kSize = size_t{1} << 20;
  void* const untouched = mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(untouched, MAP_FAILED);
  EXPECT_DEATH(
      StrictTestRank("allocated").Register(untouched, kSize, FI_READ, kKey),
      "strict: memory of 1048576 bytes is registered that is not");
  EXPECT_EQ(munmap(untouched, kSize), 0);
}

// Writes or reads 16 bytes at `at`, inside or outside of 64 registered bytes.
void Reach(const std::string& options, uint64_t access, uint64_t at,
           uint64_t wrong_key, bool writes) {
  Alone alone(options);
  fid_mr* const region =
      alone.rank.Register(alone.bytes.data(), 64, access, kKey);
  const uint64_t key = fi_mr_key(region) + wrong_key;
  if (writes) {
    alone.rank.Write(alone.self, &alone.bytes[128], 16, at, key);
  } else {
    alone.rank.ReadFrom(alone.self, &alone.bytes[128], 16, at, key);
  }
  alone.Poll();
}

TEST(ViolationsTest, KeysOfNoMemory) {
  EXPECT_DEATH(Reach("", kRemote, 0, 1, true),
               "strict: a write of 16 bytes at 0x0 with key 0x4e reaches no");
  EXPECT_DEATH(Reach("keys", kRemote, 0, 1, false),
               "strict: a read of 16 bytes at 0x0 with key 0x.* reaches no");
}

TEST(ViolationsTest, PlacesBeyondRemoteMemory) {
  EXPECT_DEATH(Reach("", kRemote, 49, 0, true),
               "strict: a write of 16 bytes at 0x31 .* reaches no memory");
  EXPECT_DEATH(Reach("", kRemote, UINT64_MAX - 7, 0, false),
               "strict: a read of 16 bytes at 0xf*8 .* reaches no memory");
  // With virtual addresses, 0 is not an address of this process.
  EXPECT_DEATH(Reach("virtual", kRemote, 0, 0, true),
               "strict: a write of 16 bytes at 0x0 .* reaches no memory");
}

TEST(ViolationsTest, RemoteMemoryThatIsRegisteredForOtherThings) {
  EXPECT_DEATH(Reach("", FI_REMOTE_READ, 0, 0, true),
               "strict: a write .* reaches no memory");
  EXPECT_DEATH(Reach("", FI_REMOTE_WRITE | FI_READ, 0, 0, false),
               "strict: a read .* reaches no memory");
}

TEST(ViolationsTest, NoContext) {
  EXPECT_DEATH(With("",
                    [](Alone& alone) {
                      fi_send(alone.rank.ep(), alone.bytes.data(), 8, nullptr,
                              alone.self, nullptr);
                    }),
               "strict: an operation has no context");
}

TEST(ViolationsTest, AContextThatIsInUse) {
  EXPECT_DEATH(With("",
                    [](Alone& alone) {
                      fi_context2 context;
                      fi_recv(alone.rank.ep(), alone.bytes.data(), 8, nullptr,
                              FI_ADDR_UNSPEC, &context);
                      fi_send(alone.rank.ep(), alone.bytes.data(), 8, nullptr,
                              alone.self, &context);
                    }),
               "strict: an operation has the context of one that is under way");
}

TEST(ViolationsTest, TooManyBytes) {
  EXPECT_DEATH(With("inject=16",
                    [](Alone& alone) {
                      alone.rank.Write(alone.self, alone.bytes.data(), 17, 0,
                                       kKey, FI_INJECT);
                    }),
               "strict: fi_writemsg injects 17 bytes; the most is 16");
  EXPECT_DEATH(With("most=128",
                    [](Alone& alone) {
                      alone.rank.Send(alone.self, alone.bytes.data(), 129);
                    }),
               "strict: fi_sendmsg of 129 bytes; the most is 128");
}

TEST(ViolationsTest, LengthsThatDiffer) {
  EXPECT_DEATH(With("",
                    [](Alone& alone) {
                      const iovec local = {alone.bytes.data(), 8};
                      const fi_rma_iov remote = {0, 9, kKey};
                      fi_msg_rma message = {};
                      message.msg_iov = &local;
                      message.iov_count = 1;
                      message.rma_iov = &remote;
                      message.rma_iov_count = 1;
                      message.context = alone.rank.NewContext();
                      fi_writemsg(alone.rank.ep(), &message, FI_COMPLETION);
                    }),
               "strict: fi_writemsg of 8 bytes here and 9 there");
}

TEST(ViolationsTest, SeveralPieces) {
  EXPECT_DEATH(With("",
                    [](Alone& alone) {
                      const iovec pieces[] = {{alone.bytes.data(), 8},
                                              {&alone.bytes[8], 8}};
                      fi_msg message = {};
                      message.msg_iov = pieces;
                      message.iov_count = 2;
                      message.context = alone.rank.NewContext();
                      fi_sendmsg(alone.rank.ep(), &message, 0);
                    }),
               "strict: fi_sendmsg has 2 pieces here and 1 there, not one");
}

TEST(ViolationsTest, NoSuchAddress) {
  EXPECT_DEATH(With("",
                    [](Alone& alone) {
                      alone.rank.Send(alone.self + 1, alone.bytes.data(), 8);
                    }),
               "strict: fi_sendmsg to no address of the vector");
}

TEST(ViolationsTest, WhatIsNotGranted) {
  EXPECT_DEATH(With("",
                    [](Alone& alone) {
                      alone.rank.Send(alone.self, alone.bytes.data(), 8,
                                      FI_FENCE);
                    }),
               "strict: fi_sendmsg is fenced, and fences are not granted");
  EXPECT_DEATH(
      With("single",
           [](Alone& alone) {
             alone.rank.Receive(alone.bytes.data(), kBytes, FI_MULTI_RECV);
           }),
      "strict: fi_recvmsg of a buffer for many messages, which are not");
  EXPECT_DEATH(With("",
                    [](Alone& alone) {
                      alone.rank.Send(alone.self, alone.bytes.data(), 8,
                                      FI_TRIGGER);
                    }),
               "strict: fi_sendmsg has flags 0x100000, which it cannot have");
  EXPECT_DEATH(
      With("", [](Alone& alone) { fi_cancel(&alone.rank.ep()->fid, nullptr); }),
      "strict: fi_cancel is called, which this provider does not have");
}

TEST(ViolationsTest, MoreCompletionsThanTheQueueHolds) {
  EXPECT_DEATH(With(
                   "rm=off",
                   [](Alone& alone) {
                     std::array<std::byte, 8> into[3];
                     for (auto& each : into)
                       alone.rank.Receive(each.data(), each.size());
                     for (int i = 0; i < 3; ++i) {
                       alone.rank.Send(alone.self, alone.bytes.data(), 8);
                     }
                     // Makes progress without taking a completion.
                     for (;;) fi_cq_read(alone.rank.queue(), nullptr, 0);
                   },
                   2),
               "strict: the completion queue of 2 entries overruns");
}

TEST(ViolationsTest, MorePostsThanTheEndpointHolds) {
  EXPECT_DEATH(With("rm=off,tx=2",
                    [](Alone& alone) {
                      for (int i = 0; i < 3; ++i) {
                        alone.rank.Send(alone.self, alone.bytes.data(), 8);
                      }
                    }),
               "strict: fi_sendmsg finds no room in the endpoint's queue");
  EXPECT_DEATH(With("rm=off,rx=2",
                    [](Alone& alone) {
                      for (int i = 0; i < 3; ++i) {
                        alone.rank.Receive(alone.bytes.data(), kBytes);
                      }
                    }),
               "strict: fi_recvmsg finds no room in the endpoint's queue");
}

TEST(ViolationsTest, AMessageForWhichNoBufferIsPosted) {
  EXPECT_DEATH(With("rm=off",
                    [](Alone& alone) {
                      alone.rank.Send(alone.self, alone.bytes.data(), 8);
                      alone.Poll();
                    }),
               "strict: a message has arrived and no buffer is posted");
}

TEST(ViolationsTest, TwoThreadsInOneDomain) {
  EXPECT_DEATH(
      With("",
           [](Alone& alone) {
             std::thread other([&] { alone.Poll(); });
             alone.Poll();
           }),
      "strict: fi_cq_read is called while another thread is in the domain");
}

TEST(ViolationsTest, AnEndpointThatIsNotReady) {
  EXPECT_DEATH(With("",
                    [](Alone& alone) {
                      size_t least = 64;
                      fi_setopt(&alone.rank.ep()->fid, FI_OPT_ENDPOINT,
                                FI_OPT_MIN_MULTI_RECV, &least, sizeof least);
                    }),
               "strict: an option is set after the enabling");
  EXPECT_DEATH(With("",
                    [](Alone& alone) {
                      fi_ep_bind(alone.rank.ep(), &alone.rank.queue()->fid,
                                 FI_RECV);
                    }),
               "strict: an enabled endpoint is bound");
}

}  // namespace
}  // namespace gasnet::ofi::strict
