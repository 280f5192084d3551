// Vector, indexed and strided transfers. The target's memory decides how they
// are made:
//
// - mapped: copied, and complete when the call returns
// - elsewhere: large pieces are puts and gets of their own. Small
//   pieces share messages, as many as fit:
//     - put: a Medium request with the data, answered like every put
//     - get: a Medium request, answered by a Medium with the data
//
// Packets may arrive in any order: none needs another. An Iop counts the
// packets and the large pieces. The lists, and the memory of the local side,
// are in use until the operation is synced. The strides are read only before
// the call returns.
//
// Arguments are already checked: see front.h. With a null Attempt, transfers
// wait for room (extended/attempt.h). After a refusal the rest of the pieces
// are skipped.
#ifndef VIS_TRANSFERS_H_
#define VIS_TRANSFERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/am/copy.h"
#include "core/runtime/runtime.h"
#include "core/thread/thread_state.h"
#include "extended/attempt.h"
#include "extended/handler_indices.h"
#include "extended/operations.h"
#include "extended/reply_check.h"
#include "extended/target.h"
#include "extended/transfers.h"
#include "extended/wire.h"
#include "gasnet/abi.h"
#include "vis/copy.h"
#include "vis/handler_indices.h"
#include "vis/kind.h"
#include "vis/landing.h"
#include "vis/lists.h"
#include "vis/packet.h"
#include "vis/packet_check.h"
#include "vis/packet_memory.h"
#include "vis/packet_writer.h"
#include "vis/peer_completion.h"
#include "vis/settings.h"
#include "vis/strided.h"
#include "vis/tuning.h"
#include "vis/vis.h"

namespace gasnet::vis {

using extended::Attempt;
using extended::Iop;
using extended::Operations;

class VisTransfers {
 public:
  // Makes the state and registers the handlers. Called by gasnet_attach.
  static void RegisterHandlers() {
    runtime->Make<Vis>(SettingsFromEnvironment(runtime->engine().MaxMedium()));
    am::HandlerTable& to = runtime->engine().handlers();
    to.RegisterInternal(kPutRequest, am::Lane::kRequest, am::Category::kMedium,
                        &OnPut);
    to.RegisterInternal(kGetRequest, am::Lane::kRequest, am::Category::kMedium,
                        &OnGet);
    to.RegisterInternal(kGetReply, am::Lane::kReply, am::Category::kMedium,
                        &OnGetReply);
    to.RegisterInternal(kPeerCompletionRequest, am::Lane::kRequest,
                        am::Category::kMedium, &OnPeerCompletion);
  }
  // Replaces the settings, while no transfer is under way.
  static void Use(const VisSettings& settings) {
    Vis::Mine().settings = settings;
  }

  // Finds the displacement from an address of the rank to the mapping of this
  // address in this process. Returns false if the address is not mapped.
  static bool FindMapped(extended::Target target, const void* address,
                         uintptr_t& displacement) {
    const void* const here = Extended::Mapped(target, address);
    if (here == nullptr) return false;
    displacement = reinterpret_cast<uintptr_t>(here) -
                   reinterpret_cast<uintptr_t>(address);
    return true;
  }

  // Transfer memory that is not mapped here, as parts of `iop`. Each transfer
  // must have at least one byte.

  static void Put(Iop& iop, extended::Target target, const Strided& shape,
                  Attempt* attempt = nullptr) {
    Packets packets(iop, target, attempt, shape.IsContiguous(&Dim::to_stride));
    const bool alone = shape.IsOneRun() || !packets.Packs(shape.run);
    ForEachRow(shape, [&](const Row& row) {
      if (alone) return packets.PutEach(row);
      for (size_t done = 0; done < row.count && !packets.refused();) {
        const size_t added =
            packets.writer().AddRow({Address(row.to_at(done)), row.to_stride,
                                     row.run, row.count - done},
                                    row.from_at(done), row.from_stride);
        done += added;
        if (added == 0) packets.SendPut();
      }
    });
    packets.SendPut();
  }

  static void Get(Iop& iop, extended::Target target, const Strided& shape,
                  Attempt* attempt = nullptr) {
    Packets packets(iop, target, attempt, shape.IsContiguous(&Dim::from_stride),
                    ScatterLanding::Of(shape));
    const bool alone = shape.IsOneRun() || !packets.Packs(shape.run);
    ForEachRow(shape, [&](const Row& row) {
      if (alone) return packets.GetEach(row);
      for (size_t done = 0; done < row.count && !packets.refused();) {
        const size_t added = packets.writer().AddRow(
            {Address(row.from_at(done)), row.from_stride, row.run,
             row.count - done},
            nullptr, 0);
        done += added;
        if (added == 0) packets.SendGet();
      }
    });
    packets.SendGet();
  }

  static void Put(Iop& iop, extended::Target target, const IndexedList& to,
                  const IndexedList& from, Attempt* attempt = nullptr) {
    const bool alike = to.length == from.length || from.count == 1;
    Packets packets(iop, target, attempt, to.count == 1);
    if (!alike || to.count == 1 || !packets.Packs(to.length)) {
      return PutRuns(packets, to, from);
    }
    for (size_t done = 0; done < to.count && !packets.refused();) {
      const size_t left = to.count - done;
      const size_t added =
          from.count == 1
              ? packets.writer().AddListed(to.list + done, to.length, left,
                                           from.address(0) + done * to.length)
              : packets.writer().AddListed(to.list + done, to.length, left,
                                           from.list + done);
      done += added;
      if (added == 0) packets.SendPut();
    }
    packets.SendPut();
  }

  static void Get(Iop& iop, extended::Target target, const IndexedList& to,
                  const IndexedList& from, Attempt* attempt = nullptr) {
    Packets packets(iop, target, attempt, from.count == 1,
                    ScatterLanding::Of(to));
    if (from.count == 1 || !packets.Packs(from.length)) {
      return GetRuns(packets, to, from);
    }
    for (size_t done = 0; done < from.count && !packets.refused();) {
      const std::byte* const none = nullptr;
      const size_t added = packets.writer().AddListed(
          from.list + done, from.length, from.count - done, none);
      done += added;
      if (added == 0) packets.SendGet();
    }
    packets.SendGet();
  }

  static void Put(Iop& iop, extended::Target target, const VectorList& to,
                  const VectorList& from, Attempt* attempt = nullptr) {
    Packets packets(iop, target, attempt, to.count == 1);
    PutRuns(packets, to, from);
  }
  static void Get(Iop& iop, extended::Target target, const VectorList& to,
                  const VectorList& from, Attempt* attempt = nullptr) {
    Packets packets(iop, target, attempt, from.count == 1,
                    ScatterLanding::Of(to));
    GetRuns(packets, to, from);
  }

 private:
  using Extended = extended::Transfers;

  static uint64_t Address(const void* pointer) {
    return reinterpret_cast<uintptr_t>(pointer);
  }

  // The messages of one operation: packets, one after the other, and transfers
  // without a packet.
  class Packets {
   public:
    // `contiguous` is true if the whole remote side is one run. `landing` is
    // the get's landing, or null for a put. The destructor releases one share
    // of the landing.
    Packets(Iop& iop, extended::Target target, Attempt* attempt,
            bool contiguous, ScatterLanding* landing = nullptr)
        : iop_(iop),
          target_(target),
          attempt_(attempt),
          settings_(Vis::Mine().settings),
          shares_(settings_.Shares(contiguous)),
          room_(RoomTo(target.node)),
          writer_(memory_.data(), room_, room_, landing == nullptr,
                  settings_.joins),
          landing_(landing) {}
    ~Packets() {
      if (landing_ != nullptr) landing_->GiveUp();
    }
    Packets(const Packets&) = delete;
    Packets& operator=(const Packets&) = delete;

    PacketWriter& writer() { return writer_; }
    bool refused() const { return extended::IsRefused(attempt_); }
    // Returns true if runs of `run` bytes share messages with other runs.
    bool Packs(size_t run) const {
      return shares_ &&
             run <= (landing_ == nullptr ? settings_.largest_put_chunk
                                         : settings_.largest_get_chunk) &&
             run <= PacketWriter::LargestRun(room_, room_);
    }

    void SendPut() {
      if (writer_.IsEmpty()) return;
      extended::Transfer& transfer =
          Operations::Mine().StartPut(target_.node, &iop_);
      const std::array args = {extended::Index(transfer),
                               extended::Generation(transfer)};
      if (!Send(kPutRequest, args)) Operations::Mine().Cancel(transfer);
    }

    // Sends the packet of a get. The operation's record contains the landing
    // and the packet's offset in the stream.
    void SendGet() {
      if (writer_.IsEmpty()) return;
      landing_->Share();
      extended::Transfer& transfer = Operations::Mine().StartPiecesGet(
          target_.node, landing_, done_, writer_.data(), iop_);
      const std::array args = {extended::Index(transfer),
                               extended::Generation(transfer)};
      done_ += writer_.data();
      if (Send(kGetRequest, args)) return;
      Operations::Mine().Cancel(transfer);
      landing_->GiveUp();
    }

    // Start transfers without a packet.
    void PutAlone(std::byte* to, const std::byte* from, size_t nbytes) {
      Extended::Put(iop_, target_, to, from, nbytes, extended::Source::kStays,
                    attempt_);
    }
    void GetAlone(std::byte* to, const std::byte* from, size_t nbytes) {
      SendGet();
      Extended::Get(iop_, to, target_, from, nbytes, attempt_);
      done_ += nbytes;
    }
    void PutEach(const Row& row) {
      for (size_t i = 0; i < row.count; ++i) {
        PutAlone(row.to_at(i), row.from_at(i), row.run);
      }
    }
    void GetEach(const Row& row) {
      for (size_t i = 0; i < row.count; ++i) {
        GetAlone(row.to_at(i), row.from_at(i), row.run);
      }
    }

   private:
    // Sends the packet. Returns false if the operation is refused.
    bool Send(uint8_t handler, const std::array<int32_t, 2>& args) {
      bool sent = true;
      writer_.Close();
      SendGathered(target_.node,
                   extended::Medium(handler, args, nullptr, writer_.size()),
                   writer_, [&](const am::Message& message) {
                     sent = extended::Send(target_, message, attempt_);
                   });
      writer_.Clear();
      return sent;
    }

    Iop& iop_;
    const extended::Target target_;
    Attempt* const attempt_;
    const VisSettings& settings_;
    const bool shares_;
    const PacketMemory memory_{Vis::Mine().packets, thread::Self().index,
                               Room()};
    const size_t room_;
    PacketWriter writer_;
    ScatterLanding* const landing_;
    uint64_t done_ = 0;  // offset of the next data in the get's stream
  };

  static void PutRuns(Packets& packets, const auto& to, const auto& from) {
    ForEachRun(
        to, from, [&](std::byte* there, const std::byte* here, size_t nbytes) {
          if (packets.refused()) return;
          if (!packets.Packs(nbytes)) {
            return packets.PutAlone(there, here, nbytes);
          }
          while (!packets.writer().AddRun(Address(there), nbytes, here)) {
            packets.SendPut();
          }
        });
    packets.SendPut();
  }

  static void GetRuns(Packets& packets, const auto& to, const auto& from) {
    ForEachRun(
        to, from, [&](std::byte* here, const std::byte* there, size_t nbytes) {
          if (packets.refused()) return;
          if (!packets.Packs(nbytes)) {
            return packets.GetAlone(here, there, nbytes);
          }
          while (!packets.writer().AddRun(Address(there), nbytes, nullptr)) {
            packets.SendGet();
          }
        });
    packets.SendGet();
  }

  // Returns the maximum size of a message.
  static size_t Room() { return runtime->engine().MaxMedium(); }
  // Returns the size of messages to a peer. A message in several datagrams
  // costs the peer a copy. If datagrams are small, many short messages would
  // cost even more.
  static size_t RoomTo(Rank node) {
    const size_t whole = runtime->engine().WholeMedium(node);
    return whole >= kMinRoom ? whole : Room();
  }

  // Sends a message with `payload`. If a link would split the message, gathers
  // the payload here. The link would have to gather it too, and to find memory
  // first.
  template <class Send>
  static void SendGathered(Rank node, am::Message message,
                           const am::GatherSource& payload, Send send) {
    if (message.nbytes > am::kMaxSmall &&
        message.nbytes <= runtime->engine().WholeMedium(node)) {
      message.gather = &payload;
      return send(message);
    }
    const PacketMemory memory(Vis::Mine().packets, thread::Self().index,
                              Room());
    payload.GatherTo(memory.data());
    message.payload = memory.data();
    send(message);
  }

  static am::Token& TokenOf(void* token) {
    return *static_cast<am::Token*>(token);
  }
  static VisPacket CheckedPacket(void* token, void* payload, size_t nbytes,
                                 TransferKind kind) {
    VisPacket packet({static_cast<const std::byte*>(payload), nbytes},
                     kind == TransferKind::kPut);
    RequireGood(packet.Check(runtime->segments()[runtime->job().rank()], Room(),
                             &runtime->further_segments()),
                TokenOf(token).source,
                kind == TransferKind::kPut ? "put" : "get");
    return packet;
  }

  static void OnPut(void* token, void* payload, size_t nbytes, int32_t index,
                    int32_t generation) {
    CheckedPacket(token, payload, nbytes, TransferKind::kPut).Scatter();
    const std::array args = {index, generation};
    runtime->engine().Reply(TokenOf(token),
                            extended::Short(extended::kPutDoneReply, args));
  }

  static void OnGet(void* token, void* payload, size_t nbytes, int32_t index,
                    int32_t generation) {
    const VisPacket packet =
        CheckedPacket(token, payload, nbytes, TransferKind::kGet);
    const std::array args = {index, generation};
    SendGathered(TokenOf(token).source,
                 extended::Medium(kGetReply, args, nullptr, packet.data()),
                 packet, [&](const am::Message& message) {
                   runtime->engine().Reply(TokenOf(token), message);
                 });
  }

  static void OnGetReply(void* token, void* payload, size_t nbytes,
                         int32_t index, int32_t generation) {
    extended::Transfer& transfer = extended::ClaimGet(
        TokenOf(token).source, extended::Id(index, generation), nbytes,
        extended::Direction::kPieces);
    auto* const landing =
        reinterpret_cast<ScatterLanding*>(transfer.destination);
    landing->Scatter(transfer.value, static_cast<const std::byte*>(payload),
                     nbytes);
    landing->GiveUp();
    Operations::Finish(transfer);
  }
};

}  // namespace gasnet::vis

#endif  // VIS_TRANSFERS_H_
