#include "ex/further_messages.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "base/log.h"
#include "ex/client.h"
#include "ex/handler_indices.h"

namespace gasnet::ex {
namespace {

using Kind = FurtherHead::Kind;

template <am::Lane lane>
constexpr uint8_t HandlerOf() {
  return lane == am::Lane::kRequest ? kFurtherRequest : kFurtherReply;
}

[[noreturn]] void RefuseWords(Rank source) {
  Fatal(
      "rank %u sent an invalid message between further endpoints; its memory "
      "or the network is corrupted",
      source);
}

gasneti_ep& TargetOf(Rank source, const FurtherHead& head) {
  gasneti_ep* const found = Client::Mine().Find(head.to);
  if (found != nullptr && found->dispatcher != nullptr) return *found;
  Fatal(
      "rank %u sent a message from its endpoint %u to endpoint %u of this "
      "rank, "
      "which %s",
      source, head.from, head.to,
      found == nullptr ? "does not exist"
                       : "was made without GEX_EP_CAPABILITY_AM");
}

// Returns the address at this offset of a Long's payload. Ends the job if the
// nbytes bytes there are not inside the target's segment.
std::byte* PlaceOf(Rank source, const FurtherHead& head, const gasneti_ep& to,
                   uint64_t offset, size_t nbytes) {
  auto* const place = reinterpret_cast<std::byte*>(head.address + offset);
  const Segment segment = FurtherMessages::SegmentOf(to);
  if (nbytes == 0 || segment.Contains(place, nbytes)) return place;
  Fatal(
      "rank %u sent a Long of %zu bytes to %p, which is not inside the "
      "segment of endpoint %u of this rank (0x%" PRIxPTR ", %" PRIuPTR
      " bytes)",
      source, nbytes, static_cast<void*>(place), to.index, segment.base,
      segment.size);
}

void Deliver(Rank source, am::Lane lane, const FurtherHead& head,
             gasneti_ep& to, void* payload, size_t nbytes) {
  to.dispatcher->Deliver(
      {.source = source,
       .lane = lane,
       .category = head.category,
       .handler = head.handler,
       .num_args = head.num_args,
       .args = head.args.data(),
       .payload = payload,
       .nbytes = nbytes,
       .across = static_cast<EndpointIndex>(head.to ^ head.from)});
}

FurtherHead HeadOf(const am::Message& message, EndpointIndex from,
                   EndpointIndex to) {
  FurtherHead head;
  head.handler = message.handler;
  head.num_args = message.num_args;
  head.category = message.category;
  head.from = from;
  head.to = to;
  head.address = reinterpret_cast<uintptr_t>(message.dest_addr);
  std::copy_n(message.args, message.num_args, head.args.begin());
  return head;
}

}  // namespace

FurtherMessages::FurtherMessages() {
  using am::Lane;
  am::HandlerTable& to = runtime->engine().handlers();
  to.RegisterInternal(kFurtherRequest, Lane::kRequest, am::Category::kMedium,
                      &OnMedium<Lane::kRequest>);
  to.RegisterInternal(kFurtherReply, Lane::kReply, am::Category::kMedium,
                      &OnMedium<Lane::kReply>);
}

bool FurtherMessages::IsOfRuntime(const am::Token& token) {
  const EndpointIndex to = token.to->index();
  const auto from = static_cast<EndpointIndex>(to ^ token.across);
  return runtime->endpoints().Find(std::max(to, from)) != nullptr;
}

Segment FurtherMessages::SegmentOf(const gasneti_ep& endpoint) {
  return endpoint.index == 0
             ? endpoint.dispatcher->segment()
             : runtime->further_segments().BoundTo(endpoint.index);
}

bool FurtherMessages::Request(const gasneti_ep& own, extended::Target to,
                              const am::Message& message, bool immediate) {
  Engine& engine = runtime->engine();
  return Send<am::Lane::kRequest>(HeadOf(message, own.index, to.endpoint),
                                  message, immediate,
                                  [&](const am::Message& medium) {
                                    if (immediate)
                                      return engine.TryRequest(to.node, medium);
                                    engine.Request(to.node, medium);
                                    return true;
                                  });
}

size_t FurtherMessages::MaxReply(am::Category category, unsigned num_args) {
  FurtherHead head;
  head.category = category;
  head.num_args = static_cast<uint8_t>(std::min(num_args, am::kMaxArgs));
  return runtime->engine().MaxMedium() - head.spilled();
}

// Sends every reply between endpoints 0, whatever the token's endpoints are.
bool FurtherMessages::Reply(am::Token& token, const am::Message& message,
                            bool immediate) {
  Engine& engine = runtime->engine();
  const EndpointIndex own = token.to->index();
  am::Token between = token;
  between.to = &engine.dispatcher();
  between.across = 0;
  const bool sent = Send<am::Lane::kReply>(
      HeadOf(message, own, static_cast<EndpointIndex>(own ^ token.across)),
      message, immediate, [&](const am::Message& medium) {
        if (immediate) return engine.TryReply(between, medium);
        engine.Reply(between, medium);
        return true;
      });
  token.replied = sent;
  return sent;
}

template <am::Lane lane, class Post>
bool FurtherMessages::Send(FurtherHead head, const am::Message& message,
                           bool immediate, Post post) {
  const size_t nbytes =
      message.category == am::Category::kShort ? 0 : message.nbytes;
  const size_t spilled = head.spilled();
  if (nbytes + spilled > runtime->engine().MaxMedium()) {
    if constexpr (lane == am::Lane::kReply) {
      Fatal("a reply of %zu bytes to endpoint %u of a rank; the limit is %zu",
            nbytes, head.to, MaxReply(head.category, head.num_args));
    } else {
      if (immediate) return false;
      SendPieces(head, message, post);
      return true;
    }
  }
  std::array<int32_t, FurtherHead::kMaxWords> words{};
  head.Write(words);
  am::Message medium = {.category = am::Category::kMedium,
                        .handler = HandlerOf<lane>(),
                        .num_args = am::kMaxArgs,
                        .args = words.data(),
                        .payload = message.payload,
                        .nbytes = nbytes};
  if (spilled == 0) return post(medium);
  std::vector<std::byte> payload(nbytes + spilled);
  if (nbytes > 0) std::memcpy(payload.data(), message.payload, nbytes);
  std::memcpy(payload.data() + nbytes, words.data() + am::kMaxArgs, spilled);
  medium.payload = payload.data();
  medium.nbytes = payload.size();
  return post(medium);
}

template <class Post>
void FurtherMessages::SendPieces(FurtherHead head, const am::Message& message,
                                 Post post) {
  const size_t limit = message.category == am::Category::kLong
                           ? runtime->engine().MaxLong(am::Lane::kRequest)
                           : runtime->engine().MaxMedium();
  if (message.nbytes > limit) {
    Fatal("a request of %zu bytes to endpoint %u of a rank; the limit is %zu",
          message.nbytes, head.to, limit);
  }
  head.number = next_number_.fetch_add(1, std::memory_order_relaxed);
  head.size = static_cast<uint32_t>(message.nbytes);
  const size_t most = runtime->engine().MaxMedium();
  for (size_t done = 0; done < message.nbytes;) {
    head.kind = Kind::kPiece;
    head.offset = static_cast<uint32_t>(done);
    const size_t part = std::min(most, message.nbytes - done);
    Send<am::Lane::kRequest>(
        head,
        {.category = am::Category::kMedium,
         .payload = static_cast<const std::byte*>(message.payload) + done,
         .nbytes = part},
        false, post);
    done += part;
  }
  head.kind = Kind::kLast;
  Send<am::Lane::kRequest>(head, {}, false, post);
}

template <am::Lane lane>
void FurtherMessages::OnMedium(void* token, void* payload, size_t nbytes,
                               int32_t a, int32_t b, int32_t c, int32_t d,
                               int32_t e, int32_t f, int32_t g, int32_t h,
                               int32_t i, int32_t j, int32_t k, int32_t l,
                               int32_t m, int32_t n, int32_t o, int32_t p) {
  Mine().Take(static_cast<am::Token*>(token)->source, lane,
              {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p},
              static_cast<std::byte*>(payload), nbytes);
}

void FurtherMessages::Take(Rank source, am::Lane lane, const Words& words,
                           std::byte* payload, size_t nbytes) {
  std::optional<FurtherHead> head =
      FurtherHead::Start(static_cast<uint32_t>(words[0]));
  if (!head.has_value() || nbytes < head->spilled()) RefuseWords(source);
  nbytes -= head->spilled();
  std::array<int32_t, FurtherHead::kMaxWords> all{};
  std::ranges::copy(words, all.begin());
  std::memcpy(all.data() + words.size(), payload + nbytes, head->spilled());
  head->Read(all);
  gasneti_ep& to = TargetOf(source, *head);
  if (head->kind != Kind::kWhole) {
    if (lane == am::Lane::kReply) RefuseWords(source);
    TakePiece(source, *head, to, payload, nbytes);
  } else if (head->category == am::Category::kLong) {
    std::byte* const place = PlaceOf(source, *head, to, 0, nbytes);
    if (nbytes > 0) std::memcpy(place, payload, nbytes);
    Deliver(source, lane, *head, to, place, nbytes);
  } else {
    Deliver(source, lane, *head, to, payload, nbytes);
  }
}

void FurtherMessages::TakePiece(Rank source, const FurtherHead& piece,
                                gasneti_ep& to, const std::byte* payload,
                                size_t nbytes) {
  const bool is_long = piece.category == am::Category::kLong;
  const size_t most = is_long ? am::kMaxLong : runtime->engine().MaxMedium();
  if (piece.category == am::Category::kShort || piece.size > most ||
      piece.offset > piece.size || nbytes > piece.size - piece.offset) {
    RefuseWords(source);
  }
  if (nbytes > 0) {
    std::byte* const place =
        is_long ? PlaceOf(source, piece, to, piece.offset, nbytes)
                : assemblies_.BytesOf(source, piece);
    if (place == nullptr) RefuseWords(source);
    std::memcpy(is_long ? place : place + piece.offset, payload, nbytes);
  }
  const std::unique_ptr<FurtherReassembly> whole =
      assemblies_.Count(source, piece, nbytes);
  if (whole == nullptr) return;
  void* const bytes = is_long ? reinterpret_cast<void*>(whole->head.address)
                              : static_cast<void*>(whole->bytes.get());
  Deliver(source, am::Lane::kRequest, whole->head, to, bytes, whole->head.size);
}

}  // namespace gasnet::ex
