// Active messages from or to endpoints other than 0. They travel as Mediums
// between endpoints 0 (further_head.h), so that a thread that polls serves all
// endpoints of its process. The tokens that handlers get are like any other
// token.
//
// A request that does not fit a Medium, such as a large Long, is sent in
// pieces. The last piece has the arguments. The request's handler runs when all
// pieces have arrived (assemblies.h). A reply is always one message, since some
// networks allow only one reply to a request.
//
// Any thread may call these functions.
#ifndef EX_FURTHER_MESSAGES_H_
#define EX_FURTHER_MESSAGES_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/am/dispatcher.h"
#include "core/am/message.h"
#include "core/rank.h"
#include "core/runtime/layer.h"
#include "core/runtime/runtime.h"
#include "ex/assemblies.h"
#include "ex/endpoint.h"
#include "ex/further_head.h"
#include "extended/target.h"

namespace gasnet::ex {

class FurtherMessages final : public Layer {
 public:
  static constexpr LayerName kName = LayerName::kFurtherMessages;
  static FurtherMessages& Mine() { return runtime->layer<FurtherMessages>(); }

  // Registers the handlers of endpoint 0.
  FurtherMessages();

  // Returns true if the message of this token came as a Medium between
  // endpoints 0. Endpoints that the runtime itself creates send their messages
  // differently.
  static bool Brought(const am::Token& token) {
    return (token.to->index() | token.across) != 0 && !IsOfRuntime(token);
  }

  // Request() sends a request from `own`. Reply() sends the reply to a message
  // for which Brought() is true. Both return true once the message is sent. If
  // `immediate`, they return false rather than wait or send pieces.
  bool Request(const gasneti_ep& own, extended::Target to,
               const am::Message& message, bool immediate);
  bool Reply(am::Token& token, const am::Message& message, bool immediate);

  // Returns the largest payload, in bytes, of a reply with num_args arguments.
  static size_t MaxReply(am::Category category, unsigned num_args);

  // Returns the segment of an endpoint of this process.
  static Segment SegmentOf(const gasneti_ep& endpoint);

 private:
  // The argument words of a Medium.
  using Words = std::array<int32_t, am::kMaxArgs>;

  [[gnu::cold]] static bool IsOfRuntime(const am::Token& token);

  template <am::Lane lane, class Post>
  bool Send(FurtherHead head, const am::Message& message, bool immediate,
            Post post);
  template <class Post>
  void SendPieces(FurtherHead head, const am::Message& message, Post post);

  template <am::Lane lane>
  static void OnMedium(void* token, void* payload, size_t nbytes, int32_t,
                       int32_t, int32_t, int32_t, int32_t, int32_t, int32_t,
                       int32_t, int32_t, int32_t, int32_t, int32_t, int32_t,
                       int32_t, int32_t, int32_t);
  void Take(Rank source, am::Lane lane, const Words& words, std::byte* payload,
            size_t nbytes);
  void TakePiece(Rank source, const FurtherHead& piece, gasneti_ep& to,
                 const std::byte* payload, size_t nbytes);

  std::atomic<uint32_t> next_number_{0};
  Assemblies assemblies_;
};

}  // namespace gasnet::ex

#endif  // EX_FURTHER_MESSAGES_H_
