#include "conduits/ofi/testing/test_ranks.h"

#include <rdma/fi_errno.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/round_up.h"
#include "conduits/ofi/frame.h"

namespace gasnet::ofi::testing {
namespace {

constexpr size_t kMemory = size_t{1} << 20;
constexpr size_t kBatch = 16;

[[noreturn]] void Abandon(const absl::Status& why) {
  std::fprintf(stderr, "ranks: %s\n", std::string(why.message()).c_str());
  std::abort();
}

std::unique_ptr<OfiEndpoint> OpenEndpoint(FakeFabric& fabric,
                                          size_t frame_bytes) {
  Info info = fabric.info();
  const Paths paths(*info, fabric.wishes());
  absl::StatusOr<std::unique_ptr<OfiEndpoint>> opened = OfiEndpoint::Open(
      fabric.library(), std::move(info), paths, {size_t{1} << 14, frame_bytes});
  if (!opened.ok()) Abandon(opened.status());
  return *std::move(opened);
}

}  // namespace

MessageLimits SmallLimits(Rank ranks, bool multiple) {
  MessageLimits limits(ranks - 1, {.multiple = multiple});
  limits.whole = 512;
  limits.frame_bytes =
      RoundUp(am::RecordLayout::Of(kFrameHeaderBytes, am::Category::kLong,
                                   am::kMaxArgs, limits.whole)
                  .end,
              am::kCreditUnitBytes);
  const size_t window = 4 * limits.frame_bytes;
  limits.window = am::CreditFor(window);
  limits.least =
      multiple ? am::CreditUnits{1} : am::CreditFor(limits.frame_bytes);
  limits.sends = 16;
  const size_t far = ranks - 1;
  const size_t needed = far * (kLanes * window + 5 * am::kCreditUnitBytes);
  limits.buffers = multiple ? 4 : far * (kLanes * 4 + 5);
  limits.buffer_bytes =
      multiple ? RoundUp(needed / 3 + limits.frame_bytes, kFrameAlignment)
               : limits.frame_bytes;
  return limits;
}

am::Message ShortOf(const std::array<int32_t, 2>& args) {
  return {.category = am::Category::kShort,
          .handler = kTestHandler,
          .num_args = 2,
          .args = args.data()};
}

am::Message MediumOf(const std::vector<std::byte>& payload) {
  return {.category = am::Category::kMedium,
          .handler = kTestHandler,
          .payload = payload.data(),
          .nbytes = payload.size()};
}

unsigned Flood(TestRank& from, Rank to, const am::Message& message) {
  unsigned sent = 0;
  while (from.Send(to, am::Lane::kRequest, message) == am::Post::kDone) ++sent;
  return sent;
}

TestRank::TestRank(FakeFabric& fabric, const MessageLimits& limits, Rank me,
                   Rank ranks)
    : me_(me),
      memory_(kMemory),
      endpoint_(OpenEndpoint(fabric, limits.frame_bytes)),
      messages_(*endpoint_, limits, me, ranks, kTestCookie, clock_) {
  messages_.SetSegment(
      0, {reinterpret_cast<uintptr_t>(memory_.data()), memory_.size()});
}

void TestRank::TakeFailure() {
  fi_cq_err_entry entry = {};
  fi_cq_readerr(endpoint_->queue(), &entry, 0);
  const std::string why = endpoint_->QueueError(entry);
  if (entry.op_context == nullptr) {
    failures.push_back("nobody: " + why);
    return;
  }
  const auto& context = *static_cast<OperationContext*>(entry.op_context);
  if (context.kind == OperationContext::Kind::kReceive) {
    if (!messages_.Refuse(entry)) failures.push_back("receiving: " + why);
  } else if (context.kind == OperationContext::Kind::kSend) {
    failures.push_back(OfiMessages::Describe(context) + ": " + why);
  } else if (on_transfer) {
    failures.push_back(why);
  }
}

unsigned TestRank::Poll(bool replies_only) {
  std::array<fi_cq_data_entry, kBatch> entries;
  std::vector<Arrival> arrivals;
  const ssize_t read =
      fi_cq_read(endpoint_->queue(), entries.data(), entries.size());
  if (read == -FI_EAVAIL) TakeFailure();
  for (ssize_t i = 0; i < read; ++i) {
    auto& context = *static_cast<OperationContext*>(entries[i].op_context);
    if (context.kind == OperationContext::Kind::kReceive) {
      const Arrival arrival = messages_.Take(entries[i]);
      if (arrival.messages > 0) arrivals.push_back(arrival);
    } else if (context.kind == OperationContext::Kind::kSend) {
      messages_.Complete(context);
    } else {
      on_transfer(context);
    }
  }
  for (;;) {
    const Arrival arrival = messages_.TakeWaiting();
    if (arrival.messages == 0) break;
    arrivals.push_back(arrival);
  }
  messages_.CatchUp();
  unsigned handled = Deliver(arrivals, replies_only);
  if (!replies_only) handled += ServeKept();
  messages_.CatchUp();
  return handled;
}

unsigned TestRank::Deliver(std::span<const Arrival> arrivals,
                           bool replies_only) {
  unsigned handled = 0;
  for (const am::Lane lane : {am::Lane::kReply, am::Lane::kRequest}) {
    for (const Arrival& arrival : arrivals) {
      if (arrival.lane != lane) continue;
      if (lane == am::Lane::kRequest && replies_only) {
        messages_.Keep(arrival);
        most_kept_frames = std::max(most_kept_frames, ++kept_frames_);
        continue;
      }
      Handle(arrival.source, lane, arrival.frame, arrival.assembly);
      messages_.Finish(arrival);
      handled += arrival.messages;
    }
  }
  return handled;
}

unsigned TestRank::ServeKept() {
  unsigned handled = 0;
  for (size_t left = kBatch; left > 0 && !messages_.kept().Empty(); --left) {
    am::KeptRequest& request = messages_.kept().Next();
    --kept_frames_;
    held_frames += !request.copied;
    Handle(request.source, am::Lane::kRequest, request.frame,
           OfiMessages::AssemblyOf(request));
    handled += request.messages;
    messages_.FinishKept(request);
  }
  return handled;
}

void TestRank::Handle(const am::Incoming& message) {
  const bool before = in_handler_;
  in_handler_ = in_handler_ || message.lane == am::Lane::kRequest;
  handler(*this, message);
  in_handler_ = before;
}

void TestRank::Handle(Rank source, am::Lane lane, std::span<std::byte> frame,
                      const am::Assembly* assembly) {
  if (assembly != nullptr) return Handle(assembly->message);
  am::RecordReader reader(frame, kFrameHeaderBytes);
  am::Record record;
  while (reader.Next(record) == am::RecordReader::Result::kRecord) {
    void* payload = record.payload;
    if (record.category == am::Category::kLong) {
      payload = reinterpret_cast<void*>(record.address);
      if (record.nbytes > 0 && !record.payload_sent) {
        std::memcpy(payload, record.payload, record.nbytes);
      }
    }
    Handle({source, lane, record.category, record.handler, record.num_args,
            record.args, payload, record.nbytes});
  }
}

TestRanks::TestRanks(const FakeFabricOptions& options, Rank ranks)
    : TestRanks(options, ranks, SmallLimits(ranks, options.multi_receive)) {}

TestRanks::TestRanks(const FakeFabricOptions& options, Rank ranks,
                     const MessageLimits& limits)
    : fabric_(options), limits_(limits) {
  std::vector<std::string> names;
  for (Rank rank = 0; rank < ranks; ++rank) {
    ranks_.emplace_back(fabric_, limits, rank, ranks);
    names.push_back(ranks_.back().endpoint().name());
  }
  for (TestRank& each : ranks_) {
    absl::Status started = each.endpoint().SetPeers(names);
    if (started.ok()) started = each.messages().Start();
    if (!started.ok()) Abandon(started);
  }
  // The fabric refused some buffers at first. These polls post them again.
  for (int i = 0; i < 50; ++i) PollAll();
}

void TestRanks::SetHandler(const TestRank::Handler& handler) {
  for (TestRank& each : ranks_) each.handler = handler;
}

unsigned TestRanks::PollAll() {
  unsigned handled = 0;
  for (TestRank& each : ranks_) handled += each.Poll();
  return handled;
}

// Polls until nothing happens for 100 rounds. Fewer rounds may not suffice:
// completions may still wait in a queue when the fabric has nothing to move.
void TestRanks::Settle() {
  for (int quiet = 0; quiet < 100; ++quiet) {
    for (TestRank& each : ranks_) each.messages().AskForInjected(0);
    if (PollAll() > 0 || fabric_.under_way() > 0) quiet = 0;
  }
}

void TestRanks::SendPatiently(TestRank& from, Rank to, am::Lane lane,
                              const am::Message& message) {
  size_t posted = 0;
  while (from.Send(to, lane, message, &posted) == am::Post::kRetry) PollAll();
}

}  // namespace gasnet::ofi::testing
