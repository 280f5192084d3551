// The handlers at the target of puts, gets and memsets by active messages.
// Every address that they receive must be in this rank's memory, and is checked
// first.
//
// Each handler exists twice, with the two ways to reply (repliers.h).
#ifndef EXTENDED_REQUEST_HANDLERS_H_
#define EXTENDED_REQUEST_HANDLERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/runtime/runtime.h"
#include "extended/handler_indices.h"
#include "extended/repliers.h"
#include "extended/request_check.h"
#include "extended/wire.h"

namespace gasnet::extended {

// Returns a loan of the source of a get's reply, or null if the source is
// outside this rank's segment. The loan never ends, and need not: the segment
// stays mapped, and the network reads nothing for a get that is complete.
// Memory outside the segment could be unmapped while the network still reads
// it.
inline am::Loan* LoanOf(const am::Token& token, const void* source,
                        size_t nbytes) {
#if defined(GASNET_SEGMENT_EVERYTHING)
  static_cast<void>(token), static_cast<void>(source);
  static_cast<void>(nbytes);
  return nullptr;
#else
  static am::Loan forever;
  return token.to->segment().Contains(source, nbytes) ? &forever : nullptr;
#endif
}

template <class Replier>
class RequestHandlers {
 public:
  // Passes each handler to add(): its index, its function, and the category if
  // it has a payload.
  template <class Add>
  static void ForEach(Add add) {
    using am::Category;
    add(kPutMediumRequest, &OnPutMedium, Category::kMedium);
    add(kPutLongRequest, &OnPutLong, Category::kLong);
    add(kMemsetRequest, &OnMemset);
    add(kGetMediumRequest, &OnGetMedium);
    add(kGetLongRequest, &OnGetLong);
    add(kGetLandRequest, &OnGetLand);
  }

 private:
  static void* Checked(const am::Token& token, const char* call,
                       uint64_t address, uint64_t nbytes) {
    return CheckRequest(token.to->segment(), runtime->further_segments(),
                        token.source, call, address, nbytes);
  }
  static am::Token& TokenOf(void* token) {
    return *static_cast<am::Token*>(token);
  }

  static void OnPutMedium(void* token, void* payload, size_t nbytes,
                          int32_t index, int32_t generation, int32_t dest_low,
                          int32_t dest_high) {
    void* const dest = Checked(TokenOf(token), "gasnet_put",
                               Join(dest_low, dest_high), nbytes);
    std::memcpy(dest, payload, nbytes);
    ReplyPutDone(token, index, generation);
  }

  static void OnPutLong(void* token, void*, size_t, int32_t index,
                        int32_t generation) {
    ReplyPutDone(token, index, generation);
  }

  static void OnMemset(void* token, int32_t index, int32_t generation,
                       int32_t dest_low, int32_t dest_high, int32_t value,
                       int32_t nbytes_low, int32_t nbytes_high) {
    const uint64_t nbytes = Join(nbytes_low, nbytes_high);
    void* const dest = Checked(TokenOf(token), "gasnet_memset",
                               Join(dest_low, dest_high), nbytes);
    std::memset(dest, value, nbytes);
    ReplyPutDone(token, index, generation);
  }

  static void ReplyPutDone(void* token, int32_t index, int32_t generation) {
    const std::array args = {index, generation};
    Replier::Reply(TokenOf(token), Short(kPutDoneReply, args));
  }

  static void OnGetMedium(void* token, int32_t index, int32_t generation,
                          int32_t src_low, int32_t src_high, int32_t size) {
    const size_t nbytes = static_cast<uint32_t>(size);
    CheckRequestSize(TokenOf(token).source, "gasnet_get", nbytes,
                     runtime->EndpointOf(TokenOf(token)).engine().MaxMedium());
    const void* const src =
        Checked(TokenOf(token), "gasnet_get", Join(src_low, src_high), nbytes);
    const std::array args = {index, generation};
    Replier::Reply(TokenOf(token), Medium(kGetMediumReply, args, src, nbytes));
  }

  static void OnGetLong(void* token, int32_t index, int32_t generation,
                        int32_t src_low, int32_t src_high, int32_t nbytes_low,
                        int32_t nbytes_high, int32_t dest_low,
                        int32_t dest_high) {
    ReplyGetLong(token, kGetLongReply, {index, generation},
                 Join(src_low, src_high), Join(nbytes_low, nbytes_high),
                 Join(dest_low, dest_high));
  }

  static void OnGetLand(void* token, int32_t index, int32_t generation,
                        int32_t src_low, int32_t src_high, int32_t nbytes_low,
                        int32_t nbytes_high) {
    ReplyGetLong(token, kGetLandReply, {index, generation},
                 Join(src_low, src_high), Join(nbytes_low, nbytes_high), 0);
  }

  static void ReplyGetLong(void* token, ExtendedHandlerIndex reply,
                           const std::array<int32_t, 2>& id, uint64_t source,
                           uint64_t nbytes, uint64_t dest) {
    CheckRequestSize(TokenOf(token).source, "gasnet_get", nbytes,
                     runtime->EndpointOf(TokenOf(token))
                         .engine()
                         .MaxLongTo(TokenOf(token).source, am::Lane::kReply,
                                    TokenOf(token).across));
    const void* const src =
        Checked(TokenOf(token), "gasnet_get", source, nbytes);
    Replier::Reply(TokenOf(token),
                   Long(reply, id, src, nbytes, reinterpret_cast<void*>(dest),
                        LoanOf(TokenOf(token), src, nbytes)));
  }
};

// Registers both forms of all handlers.
inline void RegisterRequestHandlers(am::HandlerTable& to) {
  RequestHandlers<WaitingReply>::ForEach(
      [&](uint8_t index, auto* handler, auto... category) {
        to.RegisterInternal(index, am::Lane::kRequest, category..., handler);
      });
  RequestHandlers<UnattendedReply>::ForEach(
      [&](uint8_t index, auto* handler, auto...) {
        to.RegisterUnattended(index, handler);
      });
}

}  // namespace gasnet::extended

#endif  // EXTENDED_REQUEST_HANDLERS_H_
