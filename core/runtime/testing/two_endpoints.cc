// Test with two endpoints in each rank, each with its own handlers and segment.
// Messages of every kind, and transfers, go from each endpoint to both
// endpoints of every rank. Under GASNET_PAR each endpoint has its own thread.
// Otherwise one thread serves both in turn.
#include <gasnet.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "core/am/message.h"
#include "core/runtime/runtime.h"
#include "core/thread/mode.h"
#include "extended/endpoint_transfers.h"
#include "extended/wire.h"

namespace {

using gasnet::Endpoint;
using gasnet::EndpointIndex;
using gasnet::Rank;
using gasnet::runtime;
using gasnet::am::Token;
using gasnet::extended::EndpointTransfers;
using gasnet::extended::Long;
using gasnet::extended::Medium;
using gasnet::extended::Short;

constexpr EndpointIndex kEndpoints = 2;
// bytes of a segment for each endpoint that writes to it
constexpr size_t kPart = 1 << 19;
// bytes for requests; the other half is for answers
constexpr size_t kHalf = kPart / 2;
constexpr int kRounds = 20;

enum Handler : uint8_t {
  kShort = gasnet::am::kFirstClientHandler,
  kMedium,
  kLong,
  kAnswer,
  kMediumAnswer,
  kLongAnswer,
  kFarewell,
  kGreeting,
};

#define REQUIRE(condition)                                            \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                        \
    }                                                                 \
  } while (false)

// The numbers of messages that one of this rank's endpoints has received.
struct Heard {
  std::atomic<int> shorts{0};
  std::atomic<int> answers{0};
  std::atomic<int> farewells{0};
  std::atomic<int> greetings{0};
};
std::array<Heard, kEndpoints> heard;

Rank Me() { return runtime->job().rank(); }
Rank Ranks() { return runtime->job().size(); }
Endpoint& EndpointAt(EndpointIndex index) {
  return *runtime->endpoints().Find(index);
}

// Returns byte `i` of a pattern that identifies sender, round and offset.
unsigned char Byte(Rank from, EndpointIndex own, int round, size_t i) {
  return static_cast<unsigned char>(from * 101 + own * 31 + round * 7 + i);
}
std::vector<unsigned char> Bytes(Rank from, EndpointIndex own, int round,
                                 size_t nbytes) {
  std::vector<unsigned char> bytes(nbytes);
  for (size_t i = 0; i < nbytes; ++i) bytes[i] = Byte(from, own, round, i);
  return bytes;
}
void RequireBytes(const void* at, Rank from, EndpointIndex own, int round,
                  size_t nbytes) {
  const std::vector<unsigned char> right = Bytes(from, own, round, nbytes);
  REQUIRE(std::equal(right.begin(), right.end(),
                     static_cast<const unsigned char*>(at)));
}

// Returns the part of endpoint `of`'s segment on rank `at` that endpoint
// `writer` of rank `by` writes.
std::byte* PartOf(EndpointIndex of, Rank at, EndpointIndex writer, Rank by) {
  const gasnet::Segment& segment =
      runtime->endpoints().segments(of).by_rank[at];
  return reinterpret_cast<std::byte*>(segment.base) +
         (by * kEndpoints + writer) * kPart;
}

// Returns the half of PartOf() that receives answers.
std::byte* AnswerPartOf(EndpointIndex of, Rank at, EndpointIndex writer,
                        Rank by) {
  return PartOf(of, at, writer, by) + kHalf;
}

// The handlers of endpoint `kOwn`. They check that a message to this endpoint
// runs no other endpoint's handler.
template <EndpointIndex kOwn>
struct Handlers {
  static Token& Check(void* opaque, int32_t from, int32_t own) {
    Token& token = *static_cast<Token*>(opaque);
    REQUIRE(token.to->index() == kOwn);
    REQUIRE(token.source == static_cast<Rank>(from));
    REQUIRE((kOwn ^ token.across) == own);
    return token;
  }
  static gasnet::Engine& engine() { return EndpointAt(kOwn).engine(); }

  static void OnShort(void* token, int32_t from, int32_t own, int32_t round) {
    ++heard[kOwn].shorts;
    Check(token, from, own);
    REQUIRE(gasnet_AMReplyShort3(token, kAnswer, static_cast<int32_t>(Me()),
                                 int32_t{kOwn}, round) == GASNET_OK);
  }
  static void OnMedium(void* token, void* payload, size_t nbytes, int32_t from,
                       int32_t own, int32_t round) {
    RequireBytes(payload, from, own, round, nbytes);
    Check(token, from, own);
    REQUIRE(gasnet_AMReplyMedium3(token, kMediumAnswer, payload, nbytes,
                                  static_cast<int32_t>(Me()), int32_t{kOwn},
                                  round) == GASNET_OK);
  }
  // Replies to the endpoint's part of the sender's segment.
  static void OnLong(void* token, void* payload, size_t nbytes, int32_t from,
                     int32_t own, int32_t round) {
    std::byte* const mine = PartOf(kOwn, Me(), own, from);
    REQUIRE(payload == mine);
    RequireBytes(payload, from, own, round, nbytes);
    Check(token, from, own);
    REQUIRE(gasnet_AMReplyLong3(token, kLongAnswer, payload, nbytes,
                                AnswerPartOf(own, from, kOwn, Me()),
                                static_cast<int32_t>(Me()), int32_t{kOwn},
                                round) == GASNET_OK);
  }

  static void OnAnswer(void* token, int32_t from, int32_t own, int32_t) {
    Check(token, from, own);
    ++heard[kOwn].answers;
  }
  static void OnMediumAnswer(void* token, void* payload, size_t nbytes,
                             int32_t from, int32_t own, int32_t round) {
    RequireBytes(payload, Me(), kOwn, round, nbytes);
    OnAnswer(token, from, own, round);
  }
  static void OnLongAnswer(void* token, void* payload, size_t nbytes,
                           int32_t from, int32_t own, int32_t round) {
    REQUIRE(payload == AnswerPartOf(kOwn, Me(), own, from));
    RequireBytes(payload, Me(), kOwn, round, nbytes);
    OnAnswer(token, from, own, round);
  }
  static void OnFarewell(void* token, int32_t from, int32_t own) {
    Check(token, from, own);
    ++heard[kOwn].farewells;
  }
  static void OnGreeting(void* token, int32_t from, int32_t own) {
    Check(token, from, own);
    ++heard[kOwn].greetings;
  }

  template <class Function>
  static void Register(uint8_t index, Function* function) {
    REQUIRE(engine().handlers().RegisterClient(
        index, reinterpret_cast<gasnet::am::AnyHandler>(function)));
  }
  static void RegisterAll() {
    Register(kShort, &OnShort);
    Register(kMedium, &OnMedium);
    Register(kLong, &OnLong);
    Register(kAnswer, &OnAnswer);
    Register(kMediumAnswer, &OnMediumAnswer);
    Register(kLongAnswer, &OnLongAnswer);
    Register(kFarewell, &OnFarewell);
    Register(kGreeting, &OnGreeting);
  }
};

// Sends the messages and transfers of one of this rank's endpoints.
class Traffic {
 public:
  explicit Traffic(EndpointIndex own)
      : own_(own),
        engine_(EndpointAt(own).engine()),
        transfers_(EndpointAt(own)) {}

  // Endpoint 1 of each rank sends to endpoint 0 of all ranks. Endpoints 0 send
  // nothing. They must learn of rings that they do not poll by default.
  void Introduce() {
    const int ranks = static_cast<int>(Ranks());
    if (own_ == 0) {
      Wait([&] { return heard[0].shorts >= ranks; });
      return;
    }
    const std::array args = {static_cast<int32_t>(Me()), int32_t{own_}, 0};
    for (Rank to = 0; to < Ranks(); ++to) Send(to, 0, Short(kShort, args));
    Await(ranks);
  }

  void Run() {
    const int rounds = Ranks() > 4 ? 1 : kRounds;
    for (int round = 0; round < rounds; ++round) {
      for (Rank to = 0; to < Ranks(); ++to) {
        for (EndpointIndex of = 0; of < kEndpoints; ++of) {
          Exchange(to, of, round);
          Transfer(to, of, round);
        }
      }
    }
  }

  void Greet(Rank to, EndpointIndex of) {
    const std::array args = {static_cast<int32_t>(Me()), int32_t{own_}};
    Send(to, of, Short(kGreeting, args));
  }

  void SayFarewell() {
    const std::array args = {static_cast<int32_t>(Me()), int32_t{own_}};
    for (Rank to = 0; to < Ranks(); ++to) {
      for (EndpointIndex of = 0; of < kEndpoints; ++of) {
        Send(to, of, Short(kFarewell, args));
      }
    }
  }
  bool HasHeardFarewells() const {
    return heard[own_].farewells == static_cast<int>(Ranks() * kEndpoints);
  }

  template <class Done>
  void Wait(Done done) {
    engine_.WaitUntil(done);
  }

 private:
  void Send(Rank to, EndpointIndex of, gasnet::am::Message message) {
    message.across = static_cast<EndpointIndex>(own_ ^ of);
    engine_.Request(to, message);
  }
  // Returns the maximum size that both a Long request and its reply may have.
  size_t MaxLong(Rank to, EndpointIndex of) const {
    const auto across = static_cast<EndpointIndex>(own_ ^ of);
    return std::min(engine_.MaxLongTo(to, gasnet::am::Lane::kRequest, across),
                    EndpointAt(of).engine().MaxLongTo(
                        to, gasnet::am::Lane::kReply, across));
  }
  void Await(int answers) {
    Wait([&] { return heard[own_].answers == answers; });
    heard[own_].answers = 0;
  }

  void Exchange(Rank to, EndpointIndex of, int round) {
    const std::array args = {static_cast<int32_t>(Me()), int32_t{own_}, round};
    const size_t most = engine_.MaxMedium();
    Send(to, of, Short(kShort, args));
    const size_t sizes[] = {0, 8, 500, most / 2 + 8, most};
    for (const size_t nbytes : sizes) {
      const std::vector<unsigned char> bytes = Bytes(Me(), own_, round, nbytes);
      Send(to, of, Medium(kMedium, args, bytes.data(), nbytes));
    }
    Await(1 + std::size(sizes));
    const size_t most_long = std::min(kHalf, MaxLong(to, of));
    for (const size_t nbytes :
         {size_t{8}, std::min(size_t{3000}, most_long), most_long}) {
      const std::vector<unsigned char> bytes = Bytes(Me(), own_, round, nbytes);
      Send(to, of,
           Long(kLong, args, bytes.data(), nbytes, PartOf(of, to, own_, Me()),
                nullptr));
      Await(1);
    }
  }

  void Transfer(Rank to, EndpointIndex of, int round) {
    std::byte* const there = PartOf(of, to, own_, Me());
    for (const size_t nbytes : {size_t{8}, size_t{3000}, size_t{200000}}) {
      const std::vector<unsigned char> bytes = Bytes(Me(), own_, round, nbytes);
      transfers_.Wait(transfers_.Put(to, of, there, bytes.data(), nbytes));
      std::vector<unsigned char> back(nbytes);
      transfers_.Wait(transfers_.Get(back.data(), to, of, there, nbytes));
      REQUIRE(back == bytes);
      // A get into the segment is answered by a Long, a get elsewhere by a
      // Medium.
      std::byte* const here = PartOf(own_, Me(), own_, Me());
      transfers_.Wait(transfers_.Get(here, to, of, there, nbytes));
      RequireBytes(here, Me(), own_, round, nbytes);
    }
  }

  const EndpointIndex own_;
  gasnet::Engine& engine_;
  EndpointTransfers transfers_;
};

// A rank that waits in its second endpoint takes part in a barrier of the first
// endpoint.
void PassBarrierInSecond() {
  const int others = static_cast<int>(Ranks()) - 1;
  Traffic second(1);
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (Me() == 0) {
    second.Wait([&] { return heard[1].greetings == others; });
    gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
    return;
  }
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  second.Greet(0, 1);
}

// A rank whose waits in its second endpoint end at once still serves the first
// endpoint.
void ServeFirstInPassing() {
  const int others = static_cast<int>(Ranks()) - 1;
  Traffic second(1);
  if (Me() == 0) {
    while (heard[0].greetings != others) second.Wait([] { return true; });
    return;
  }
  second.Greet(0, 0);
}

// One rank lacks address space for its segment, so creating the endpoint fails
// on all ranks.
void FailToMake() {
  const size_t bytes = Me() == 0 ? size_t{1} << 60 : 65536;
  REQUIRE(!runtime->endpoints()
               .Make({.segment_size = bytes, .call = "FailToMake"})
               .ok());
}

void RunBoth() {
  if constexpr (gasnet::thread::kManyThreads) {
    std::vector<std::thread> threads;
    for (EndpointIndex own = 0; own < kEndpoints; ++own) {
      threads.emplace_back([own] {
        Traffic traffic(own);
        traffic.Introduce();
        traffic.Run();
        traffic.SayFarewell();
        traffic.Wait([&] { return traffic.HasHeardFarewells(); });
      });
    }
    for (std::thread& each : threads) each.join();
    return;
  }
  std::array<Traffic, kEndpoints> all = {Traffic(0), Traffic(1)};
  // Each wait serves both endpoints, so the other endpoint also progresses.
  for (const EndpointIndex own : {1, 0}) all[own].Introduce();
  for (Traffic& each : all) each.Run();
  for (Traffic& each : all) each.SayFarewell();
  for (Traffic& each : all) {
    each.Wait([&] { return each.HasHeardFarewells(); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  const size_t bytes = gasnet_nodes() * kEndpoints * kPart;
  if (gasnet_attach(nullptr, 0, bytes, 0) != GASNET_OK) return 1;
  FailToMake();
  const auto second = runtime->endpoints().Make({.segment_size = bytes});
  REQUIRE(second.ok());
  REQUIRE((*second)->index() == 1);
  EndpointTransfers(**second).RegisterHandlers();
  Handlers<0>::RegisterAll();
  Handlers<1>::RegisterAll();
  REQUIRE(runtime->job().Barrier().ok());
  PassBarrierInSecond();
  ServeFirstInPassing();
  RunBoth();
  printf("rank %u: all right\n", Me());
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  REQUIRE(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS) == GASNET_OK);
  gasnet_exit(0);
}
