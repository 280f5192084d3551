// The C functions of gasnet/ex_am_prepared.h that prepare a message.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/log.h"
#include "core/am/message.h"
#include "core/phase.h"
#include "core/thread/mode.h"
#include "core/thread/rules.h"
#include "core/thread/thread_state.h"
#include "ex/further_messages.h"
#include "ex/prepared.h"
#include "export/ex/immediate.h"
#include "export/ex/local_completion.h"
#include "export/ex/observed.h"
#include "export/ex/peers.h"
#include "export/ex/prepared_kinds.h"
#include "export/message_functions.h"
#include "gasnetex.h"

namespace {
using gasnet::exported::Run;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;
using Kind = gasnet::exported::PreparedKind;
using Messages = gasnet::exported::MessageFunctions;
using gasnet::am::Lane;
using gasnet::ex::FurtherMessages;
using gasnet::ex::PreparedMemory;
using gasnet::ex::PreparedMessages;
using gasnet::exported::CheckDescriptor;
using gasnet::exported::Index;
using gasnet::exported::IsLong;
using gasnet::exported::IsReply;
using gasnet::exported::kPrepares;
using gasnet::exported::PairOf;
using gasnet::thread::kChecks;

size_t Limit(Kind kind, bool in_own_buffer) {
  const char* const call = kPrepares[Index(kind)];
  const size_t medium = Messages::MaxMedium(call);
  if (!IsLong(kind)) return medium;
  const size_t most =
      Messages::MaxLong(call, IsReply(kind) ? Lane::kReply : Lane::kRequest);
  return in_own_buffer ? most : std::min(most, medium);
}

struct PreparationRequest {
  const void* client_buf;
  size_t least;
  size_t most;
  gex_Event_t* lc_opt;
  gex_Flags_t flags;
  unsigned num_args;
};

[[maybe_unused]] void CheckWish(Kind kind, const PreparationRequest& wish,
                                size_t limit) {
  const char* const call = kPrepares[Index(kind)];
  if (wish.least > wish.most || wish.least > limit) {
    gasnet::Fatal(
        "%s: least_payload is %zu; it may be at most most_payload, %zu, and "
        "the limit, %zu",
        call, wish.least, wish.most, limit);
  }
  if (wish.num_args > gasnet::am::kMaxArgs) {
    gasnet::Fatal("%s: numargs is %u; the limit is %u", call, wish.num_args,
                  gasnet::am::kMaxArgs);
  }
  if (wish.client_buf != nullptr) {
    CheckLcOpt(call, wish.lc_opt,
               IsReply(kind) ? gasnet::exported::kOfReply
                             : gasnet::exported::kOfRequest);
  } else if (wish.lc_opt != nullptr) {
    gasnet::Fatal("%s: lc_opt must be NULL with the library's buffer", call);
  }
}

// The path that a message takes.
struct Way {
  // Null if the message is from or to an endpoint other than 0. Such a message
  // does not use an engine directly.
  gasnet::Engine* engine;
  gasnet::Rank node;
  gex_Token_t token;       // null for a request
  size_t most = SIZE_MAX;  // the largest payload of this path, in bytes

  Lane lane() const { return token == nullptr ? Lane::kRequest : Lane::kReply; }
  bool is_within_endpoints_of_one_index() const {
    return token == nullptr ||
           static_cast<const gasnet::am::Token*>(token)->across == 0;
  }
};

// Returns true if the call may not wait (GEX_FLAG_IMMEDIATE) but its Commit
// would have to wait for room.
bool IsRefused(Kind kind, const Way& way, const PreparationRequest& wish) {
  if (!gasnet::exported::IsImmediate(wish.flags) || way.engine == nullptr ||
      !way.is_within_endpoints_of_one_index()) {
    return false;
  }
  // Without a client's buffer, the link may already have memory for the
  // payload. So only a payload in a client's buffer needs further room.
  const bool carries = !IsLong(kind) && wish.client_buf != nullptr;
  return !way.engine->MayHaveRoom(way.node, way.lane(),
                                  carries ? wish.least : 0);
}

// Returns the link's memory for the payload, or null if the link has none. The
// link sends from this memory without a copy.
void* PrepareInLink(Kind kind, const Way& way, unsigned num_args, size_t size) {
  if (way.engine == nullptr || IsLong(kind) ||
      !way.is_within_endpoints_of_one_index())
    return nullptr;
  return way.engine->Prepare(way.node, way.lane(), num_args, size);
}

// Gives the descriptor a buffer of the link or of the library.
void AddBuffer(gasneti_sd& descriptor, const Way& way,
               PreparedMessages& messages) {
  descriptor.payload =
      PrepareInLink(descriptor.kind, way, descriptor.num_args, descriptor.size);
  descriptor.in_link = descriptor.payload != nullptr;
  if (descriptor.in_link) return;
  PreparedMessages::Buffer* const lendable =
      way.engine == nullptr ? nullptr : messages.Lendable();
  if (lendable == nullptr) {
    descriptor.payload = messages.Room(messages.copied, descriptor.size);
  } else {
    descriptor.payload = messages.Room(lendable->memory, descriptor.size);
    descriptor.loan = &lendable->loan;
  }
}

gex_AM_SrcDesc_t Prepare(Kind kind, const Way& way,
                         const PreparationRequest& wish) {
  const bool in_own_buffer = wish.client_buf != nullptr;
  const size_t limit = std::min(way.most, Limit(kind, in_own_buffer));
  if constexpr (kChecks) CheckWish(kind, wish, limit);
  const size_t size = std::min(wish.most, limit);
  PreparedMemory& memory = PreparedMemory::OfThread();
  PreparedMessages& messages = IsReply(kind) ? memory.replies : memory.requests;
  gasneti_sd& descriptor = messages.descriptor;
  descriptor = {.kind = kind,
                .num_args = wish.num_args,
                .node = way.node,
                .token = way.token,
                .payload = const_cast<void*>(wish.client_buf),
                .size = size,
                .lc_opt = wish.lc_opt};
  if (!in_own_buffer) AddBuffer(descriptor, way, messages);
  gasnet::thread::Self().prepared = &descriptor;
  return &descriptor;
}

gex_AM_SrcDesc_t PrepareFurther(Kind kind,
                                const gasnet::exported::EndpointPair& pair,
                                const PreparationRequest& wish,
                                void* dest_addr) {
  const gex_AM_SrcDesc_t descriptor =
      Prepare(kind, {nullptr, pair.to.node, nullptr}, wish);
  descriptor->own = &pair.own;
  descriptor->endpoint = pair.to.endpoint;
  descriptor->dest_addr = dest_addr;
  return descriptor;
}

gex_AM_SrcDesc_t PrepareRequest(Kind kind, gex_TM_t tm, gex_Rank_t rank,
                                const PreparationRequest& wish,
                                void* dest_addr) {
  const char* const call = kPrepares[Index(kind)];
  gasnet::RequireAttached(call);
  gasnet::thread::RequireMayCommunicate(call);
  gasnet_node_t node;
  if (!gasnet::exported::IsPrimordial(call, tm, rank, &node)) [[unlikely]]
    return PrepareFurther(kind, PairOf(call, tm, rank, GEX_EP_CAPABILITY_AM),
                          wish, dest_addr);
  const Way way = {&gasnet::runtime->engine(), node, nullptr};
  if (IsRefused(kind, way, wish)) [[unlikely]]
    return GEX_AM_SRCDESC_NO_OP;
  const gex_AM_SrcDesc_t descriptor = Prepare(kind, way, wish);
  descriptor->dest_addr = dest_addr;
  return descriptor;
}

Way WayOfReply(Kind kind, gex_Token_t token, unsigned num_args) {
  const auto& from = *static_cast<const gasnet::am::Token*>(token);
  if (!FurtherMessages::Brought(from)) {
    return {&gasnet::runtime->EndpointOf(from).engine(), from.source, token};
  }
  const auto category = IsLong(kind) ? gasnet::am::Category::kLong
                                     : gasnet::am::Category::kMedium;
  return {nullptr, from.source, token,
          FurtherMessages::MaxReply(category, num_args)};
}

gex_AM_SrcDesc_t PrepareReply(Kind kind, gex_Token_t token,
                              const PreparationRequest& wish, void* dest_addr) {
  const char* const call = kPrepares[Index(kind)];
  gasnet::RequireAttached(call);
  if constexpr (kChecks) {
    if (token == nullptr) gasnet::Fatal("%s: the token is null", call);
    const auto& from = *static_cast<const gasnet::am::Token*>(token);
    gasnet::thread::RequireMayReply(call, from.is_request, from.replied);
  }
  const Way way = WayOfReply(kind, token, wish.num_args);
  if (IsRefused(kind, way, wish)) [[unlikely]]
    return GEX_AM_SRCDESC_NO_OP;
  const gex_AM_SrcDesc_t descriptor = Prepare(kind, way, wish);
  descriptor->dest_addr = dest_addr;
  return descriptor;
}
}  // namespace

extern "C" {

gex_AM_SrcDesc_t gex_AM_PrepareRequestMedium(
    gex_TM_t tm, gex_Rank_t rank, const void* client_buf, size_t least_payload,
    size_t most_payload, gex_Event_t* lc_opt, gex_Flags_t flags,
    unsigned numargs) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexAMPrepareRequestMedium, &gex_AM_PrepareRequestMedium>(
        tm, rank, client_buf, least_payload, most_payload, lc_opt, flags,
        numargs);
  return PrepareRequest(
      Kind::kRequestMedium, tm, rank,
      {client_buf, least_payload, most_payload, lc_opt, flags, numargs},
      nullptr);
}
gex_AM_SrcDesc_t gex_AM_PrepareRequestLong(
    gex_TM_t tm, gex_Rank_t rank, const void* client_buf, size_t least_payload,
    size_t most_payload, void* dest_addr, gex_Event_t* lc_opt,
    gex_Flags_t flags, unsigned numargs) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexAMPrepareRequestLong, &gex_AM_PrepareRequestLong>(
        tm, rank, client_buf, least_payload, most_payload, dest_addr, lc_opt,
        flags, numargs);
  return PrepareRequest(
      Kind::kRequestLong, tm, rank,
      {client_buf, least_payload, most_payload, lc_opt, flags, numargs},
      dest_addr);
}
gex_AM_SrcDesc_t gex_AM_PrepareReplyMedium(
    gex_Token_t token, const void* client_buf, size_t least_payload,
    size_t most_payload, gex_Event_t* lc_opt, gex_Flags_t flags,
    unsigned numargs) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexAMPrepareReplyMedium, &gex_AM_PrepareReplyMedium>(
        token, client_buf, least_payload, most_payload, lc_opt, flags, numargs);
  return PrepareReply(
      Kind::kReplyMedium, token,
      {client_buf, least_payload, most_payload, lc_opt, flags, numargs},
      nullptr);
}
gex_AM_SrcDesc_t gex_AM_PrepareReplyLong(gex_Token_t token,
                                         const void* client_buf,
                                         size_t least_payload,
                                         size_t most_payload, void* dest_addr,
                                         gex_Event_t* lc_opt, gex_Flags_t flags,
                                         unsigned numargs) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexAMPrepareReplyLong, &gex_AM_PrepareReplyLong>(
        token, client_buf, least_payload, most_payload, dest_addr, lc_opt,
        flags, numargs);
  return PrepareReply(
      Kind::kReplyLong, token,
      {client_buf, least_payload, most_payload, lc_opt, flags, numargs},
      dest_addr);
}

void* gex_AM_SrcDescAddr(gex_AM_SrcDesc_t sd) {
  CheckDescriptor("gex_AM_SrcDescAddr", sd);
  return sd->payload;
}
size_t gex_AM_SrcDescSize(gex_AM_SrcDesc_t sd) {
  CheckDescriptor("gex_AM_SrcDescSize", sd);
  return sd->size;
}

}  // extern "C"
