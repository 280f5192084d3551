// Vector, indexed and strided transfers, by the best way there is to the
// target's memory.
//
//   mapped       copied, and complete when the call returns
//   elsewhere    large pieces as puts and gets of their own; of the others as
//                many as fit together in one message:
//     put        Medium request with the data, answered as every put is
//     get        Medium request, answered by a Medium with the data
//
// Packets stand alone, arrive in any order, and are counted by an Iop, as the
// large pieces are. The lists and the memory of the local side are read, or
// written, until the operation is synced; strides are not.
//
// Arguments are checked: see export/vis_functions.h.
#ifndef VIS_TRANSFERS_H_
#define VIS_TRANSFERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/conduit.h"
#include "extended/handler_indices.h"
#include "extended/operations.h"
#include "extended/reply_check.h"
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
#include "vis/settings.h"
#include "vis/strided.h"

namespace gasnet::vis {

using extended::Iop;
using extended::Operations;

template <Conduit C>
class Transfers {
 public:
  // Called by gasnet_attach.
  static void RegisterHandlers() {
    settings_ = SettingsFromEnvironment(C::engine().MaxMedium());
    am::HandlerTable& to = C::engine().handlers();
    to.RegisterInternal(kPutRequest, am::Lane::kRequest, am::Category::kMedium,
                        &OnPut);
    to.RegisterInternal(kGetRequest, am::Lane::kRequest, am::Category::kMedium,
                        &OnGet);
    to.RegisterInternal(kGetReply, am::Lane::kReply, am::Category::kMedium,
                        &OnGetReply);
  }
  static void Start() {}

  // To what is mapped here: how far from where its rank has it.
  static bool FindMapped(Rank node, const void* address,
                         uintptr_t& displacement) {
    const void* const here = Extended::Mapped(node, address);
    if (here == nullptr) return false;
    displacement = reinterpret_cast<uintptr_t>(here) -
                   reinterpret_cast<uintptr_t>(address);
    return true;
  }

  // To and from what is not, as parts of iop; not of no bytes.

  static void Put(Iop& iop, Rank node, const Strided& shape) {
    Packets packets(iop, node);
    const bool alone = shape.IsOneRun() ||
                       !Packs(shape.run, IsContiguousTo(shape), Kind::kPut);
    ForEachRow(shape, [&](const Row& row) {
      if (alone) return packets.PutEach(row);
      for (size_t done = 0; done < row.count;) {
        const size_t added = packets.writer().AddRow(
            {Address(row.to + done * row.to_stride), row.to_stride, row.run,
             row.count - done},
            row.from + done * row.from_stride, row.from_stride);
        done += added;
        if (added == 0) packets.SendPut();
      }
    });
    packets.SendPut();
  }

  static void Get(Iop& iop, Rank node, const Strided& shape) {
    Packets packets(iop, node, Landing::Of(shape));
    const bool alone = shape.IsOneRun() ||
                       !Packs(shape.run, IsContiguousFrom(shape), Kind::kGet);
    ForEachRow(shape, [&](const Row& row) {
      if (alone) return packets.GetEach(row);
      for (size_t done = 0; done < row.count;) {
        const size_t added = packets.writer().AddRow(
            {Address(row.from + done * row.from_stride), row.from_stride,
             row.run, row.count - done},
            nullptr, 0);
        done += added;
        if (added == 0) packets.SendGet();
      }
    });
    packets.SendGet();
  }

  static void Put(Iop& iop, Rank node, const IndexedList& to,
                  const IndexedList& from) {
    const bool alike = to.length == from.length || from.count == 1;
    if (!alike || !Packs(to.length, to.count == 1, Kind::kPut)) {
      return PutRuns(iop, node, to, from);
    }
    Packets packets(iop, node);
    for (size_t done = 0; done < to.count;) {
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

  static void Get(Iop& iop, Rank node, const IndexedList& to,
                  const IndexedList& from) {
    if (!Packs(from.length, from.count == 1, Kind::kGet)) {
      return GetRuns(iop, node, to, from);
    }
    Packets packets(iop, node, Landing::Of(to));
    for (size_t done = 0; done < from.count;) {
      const std::byte* const none = nullptr;
      const size_t added = packets.writer().AddListed(
          from.list + done, from.length, from.count - done, none);
      done += added;
      if (added == 0) packets.SendGet();
    }
    packets.SendGet();
  }

  static void Put(Iop& iop, Rank node, const VectorList& to,
                  const VectorList& from) {
    PutRuns(iop, node, to, from);
  }
  static void Get(Iop& iop, Rank node, const VectorList& to,
                  const VectorList& from) {
    GetRuns(iop, node, to, from);
  }

 private:
  using Extended = extended::Transfers<C>;

  static uint64_t Address(const void* pointer) {
    return reinterpret_cast<uintptr_t>(pointer);
  }
  static bool IsContiguousTo(const Strided& shape) {
    return shape.levels == 1 && shape.dims[0].to_stride == shape.run;
  }
  static bool IsContiguousFrom(const Strided& shape) {
    return shape.levels == 1 && shape.dims[0].from_stride == shape.run;
  }

  // Whether runs of so many bytes share messages.
  static bool Packs(size_t run, bool contiguous, Kind kind) {
    return settings_.packs && (settings_.packs_contiguous || !contiguous) &&
           run <= (kind == Kind::kPut ? settings_.largest_put_chunk
                                      : settings_.largest_get_chunk);
  }

  // The packets of one operation, one after the other, and what of it goes
  // without.
  class Packets {
   public:
    Packets(Iop& iop, Rank node)
        : iop_(iop),
          node_(node),
          writer_(memory_.data(), Room(), Room(), true) {}
    // The share of the landing is given up at the end.
    Packets(Iop& iop, Rank node, Landing* landing)
        : iop_(iop),
          node_(node),
          writer_(memory_.data(), Room(), Room(), false),
          landing_(landing) {}
    ~Packets() {
      if (landing_ != nullptr) landing_->GiveUp();
    }
    Packets(const Packets&) = delete;
    Packets& operator=(const Packets&) = delete;

    PacketWriter& writer() { return writer_; }

    void SendPut() {
      if (writer_.IsEmpty()) return;
      const extended::Transfer& transfer =
          Operations::Mine().StartPut(node_, &iop_);
      const std::array args = {extended::Index(transfer),
                               extended::Generation(transfer)};
      Send(kPutRequest, args);
    }

    // The record names the landing and the place in the stream.
    void SendGet() {
      if (writer_.IsEmpty()) return;
      landing_->Share();
      extended::Transfer& transfer = Operations::Mine().StartPiecesGet(
          node_, landing_, done_, writer_.data(), iop_);
      const std::array args = {extended::Index(transfer),
                               extended::Generation(transfer)};
      done_ += writer_.data();
      Send(kGetRequest, args);
    }

    // As transfers of their own.
    void PutAlone(std::byte* to, const std::byte* from, size_t nbytes) {
      Extended::Put(iop_, node_, to, from, nbytes, extended::Source::kStays);
    }
    void GetAlone(std::byte* to, const std::byte* from, size_t nbytes) {
      SendGet();
      Extended::Get(iop_, to, node_, from, nbytes);
      done_ += nbytes;
    }
    void PutEach(const Row& row) {
      for (size_t i = 0; i < row.count; ++i) {
        PutAlone(row.to + i * row.to_stride, row.from + i * row.from_stride,
                 row.run);
      }
    }
    void GetEach(const Row& row) {
      for (size_t i = 0; i < row.count; ++i) {
        GetAlone(row.to + i * row.to_stride, row.from + i * row.from_stride,
                 row.run);
      }
    }

   private:
    void Send(uint8_t handler, const std::array<int32_t, 2>& args) {
      const std::span<const std::byte> packet = writer_.Take();
      C::engine().Request(
          node_, extended::Medium(handler, args, packet.data(), packet.size()));
      writer_.Clear();
    }

    Iop& iop_;
    const Rank node_;
    const PacketMemory memory_{Room()};
    PacketWriter writer_;
    Landing* const landing_ = nullptr;
    uint64_t done_ = 0;  // bytes of the stream of a get
  };

  static void PutRuns(Iop& iop, Rank node, const auto& to, const auto& from) {
    Packets packets(iop, node);
    ForEachRun(
        to, from, [&](std::byte* there, const std::byte* here, size_t nbytes) {
          if (!Packs(nbytes, false, Kind::kPut)) {
            return packets.PutAlone(there, here, nbytes);
          }
          while (!packets.writer().AddRun(Address(there), nbytes, here)) {
            packets.SendPut();
          }
        });
    packets.SendPut();
  }

  static void GetRuns(Iop& iop, Rank node, const auto& to, const auto& from) {
    Packets packets(iop, node, Landing::Of(to));
    ForEachRun(
        to, from, [&](std::byte* here, const std::byte* there, size_t nbytes) {
          if (!Packs(nbytes, false, Kind::kGet)) {
            return packets.GetAlone(here, there, nbytes);
          }
          while (!packets.writer().AddRun(Address(there), nbytes, nullptr)) {
            packets.SendGet();
          }
        });
    packets.SendGet();
  }

  static size_t Room() { return C::engine().MaxMedium(); }

  static am::Token& TokenOf(void* token) {
    return *static_cast<am::Token*>(token);
  }
  static Packet CheckedPacket(void* token, void* payload, size_t nbytes,
                              Kind kind) {
    const Packet packet({static_cast<const std::byte*>(payload), nbytes},
                        kind == Kind::kPut);
    RequireGood(packet.Check(C::segments()[C::job().rank()], Room()),
                TokenOf(token).source, kind == Kind::kPut ? "put" : "get");
    return packet;
  }

  static void OnPut(void* token, void* payload, size_t nbytes, int32_t index,
                    int32_t generation) {
    CheckedPacket(token, payload, nbytes, Kind::kPut).Scatter();
    const std::array args = {index, generation};
    C::engine().Reply(TokenOf(token),
                      extended::Short(extended::kPutDoneReply, args));
  }

  static void OnGet(void* token, void* payload, size_t nbytes, int32_t index,
                    int32_t generation) {
    const Packet packet = CheckedPacket(token, payload, nbytes, Kind::kGet);
    const PacketMemory memory(Room());
    std::byte* const data = memory.data();
    const size_t size = packet.Gather(data);
    const std::array args = {index, generation};
    C::engine().Reply(TokenOf(token),
                      extended::Medium(kGetReply, args, data, size));
  }

  static void OnGetReply(void* token, void* payload, size_t nbytes,
                         int32_t index, int32_t generation) {
    extended::Transfer& transfer = extended::ClaimGet(
        TokenOf(token).source, extended::Id(index, generation), nbytes,
        extended::Direction::kPieces);
    auto* const landing = reinterpret_cast<Landing*>(transfer.destination);
    landing->Scatter(transfer.value, static_cast<const std::byte*>(payload),
                     nbytes);
    landing->GiveUp();
    Operations::Finish(transfer);
  }

  static inline Settings settings_;
};

}  // namespace gasnet::vis

#endif  // VIS_TRANSFERS_H_
