// The C functions of gasnet/am.h (spec 2.3).
#include "core/am/message.h"
#include "export/ex/observed.h"
#include "export/message_functions.h"
#include "gasnet.h"

namespace {
using gasnet::exported::Bytes;
using gasnet::exported::Handler;
using gasnet::exported::NoBytes;
using gasnet::exported::ObservedMessage;
using gasnet::exported::Run;
using gasnet::exported::ToNode;
using gasnet::exported::ToSource;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;
using Messages = gasnet::exported::MessageFunctions;
using gasnet::exported::Long;
using gasnet::exported::Medium;
using gasnet::exported::Short;
}  // namespace

extern "C" {

int gasneti_AMRequestShort(gasnet_node_t dest, gasneti_index_t handler,
                           unsigned numargs, const gasnet_handlerarg_t* args) {
  using Observed =
      ObservedMessage<Call::kAMRequestShort, &gasneti_AMRequestShort, ToNode<0>,
                      NoBytes, Handler<1>>;
  if (IsObserved() && !Observed::IsCounted(dest, handler, numargs, args))
      [[unlikely]]
    return Observed::Call(dest, handler, numargs, args);
  return Messages::Request("gasnet_AMRequestShort", dest, handler,
                           Short(handler, numargs, args));
}
int gasneti_AMRequestMedium(gasnet_node_t dest, gasneti_index_t handler,
                            const void* source_addr, size_t nbytes,
                            unsigned numargs, const gasnet_handlerarg_t* args) {
  using Observed =
      ObservedMessage<Call::kAMRequestMedium, &gasneti_AMRequestMedium,
                      ToNode<0>, Bytes<3>, Handler<1>>;
  if (IsObserved() && !Observed::IsCounted(dest, handler, source_addr, nbytes,
                                           numargs, args)) [[unlikely]]
    return Observed::Call(dest, handler, source_addr, nbytes, numargs, args);
  return Messages::Request("gasnet_AMRequestMedium", dest, handler,
                           Medium(handler, source_addr, nbytes, numargs, args));
}
int gasneti_AMRequestLong(gasnet_node_t dest, gasneti_index_t handler,
                          const void* source_addr, size_t nbytes,
                          void* dest_addr, unsigned numargs,
                          const gasnet_handlerarg_t* args) {
  using Observed = ObservedMessage<Call::kAMRequestLong, &gasneti_AMRequestLong,
                                   ToNode<0>, Bytes<3>, Handler<1>>;
  if (IsObserved() && !Observed::IsCounted(dest, handler, source_addr, nbytes,
                                           dest_addr, numargs, args))
      [[unlikely]]
    return Observed::Call(dest, handler, source_addr, nbytes, dest_addr,
                          numargs, args);
  return Messages::Request(
      "gasnet_AMRequestLong", dest, handler,
      Long(handler, source_addr, nbytes, dest_addr, numargs, args));
}
int gasneti_AMRequestLongAsync(gasnet_node_t dest, gasneti_index_t handler,
                               const void* source_addr, size_t nbytes,
                               void* dest_addr, unsigned numargs,
                               const gasnet_handlerarg_t* args) {
  using Observed =
      ObservedMessage<Call::kAMRequestLongAsync, &gasneti_AMRequestLongAsync,
                      ToNode<0>, Bytes<3>, Handler<1>>;
  if (IsObserved() && !Observed::IsCounted(dest, handler, source_addr, nbytes,
                                           dest_addr, numargs, args))
      [[unlikely]]
    return Observed::Call(dest, handler, source_addr, nbytes, dest_addr,
                          numargs, args);
  gasnet::am::Message message =
      Long(handler, source_addr, nbytes, dest_addr, numargs, args);
  message.stays = true;
  return Messages::Request("gasnet_AMRequestLongAsync", dest, handler, message);
}
int gasneti_AMReplyShort(gasnet_token_t token, gasneti_index_t handler,
                         unsigned numargs, const gasnet_handlerarg_t* args) {
  using Observed = ObservedMessage<Call::kAMReplyShort, &gasneti_AMReplyShort,
                                   ToSource<0>, NoBytes, Handler<1>>;
  if (IsObserved() && !Observed::IsCounted(token, handler, numargs, args))
      [[unlikely]]
    return Observed::Call(token, handler, numargs, args);
  return Messages::Reply("gasnet_AMReplyShort", token, handler,
                         Short(handler, numargs, args));
}
int gasneti_AMReplyMedium(gasnet_token_t token, gasneti_index_t handler,
                          const void* source_addr, size_t nbytes,
                          unsigned numargs, const gasnet_handlerarg_t* args) {
  using Observed = ObservedMessage<Call::kAMReplyMedium, &gasneti_AMReplyMedium,
                                   ToSource<0>, Bytes<3>, Handler<1>>;
  if (IsObserved() && !Observed::IsCounted(token, handler, source_addr, nbytes,
                                           numargs, args)) [[unlikely]]
    return Observed::Call(token, handler, source_addr, nbytes, numargs, args);
  return Messages::Reply("gasnet_AMReplyMedium", token, handler,
                         Medium(handler, source_addr, nbytes, numargs, args));
}
int gasneti_AMReplyLong(gasnet_token_t token, gasneti_index_t handler,
                        const void* source_addr, size_t nbytes, void* dest_addr,
                        unsigned numargs, const gasnet_handlerarg_t* args) {
  using Observed = ObservedMessage<Call::kAMReplyLong, &gasneti_AMReplyLong,
                                   ToSource<0>, Bytes<3>, Handler<1>>;
  if (IsObserved() && !Observed::IsCounted(token, handler, source_addr, nbytes,
                                           dest_addr, numargs, args))
      [[unlikely]]
    return Observed::Call(token, handler, source_addr, nbytes, dest_addr,
                          numargs, args);
  return Messages::Reply(
      "gasnet_AMReplyLong", token, handler,
      Long(handler, source_addr, nbytes, dest_addr, numargs, args));
}

size_t gasnet_AMMaxMedium(void) {
  return Messages::MaxMedium("gasnet_AMMaxMedium");
}
size_t gasnet_AMMaxLongRequest(void) {
  return Messages::MaxLong("gasnet_AMMaxLongRequest",
                           gasnet::am::Lane::kRequest);
}
size_t gasnet_AMMaxLongReply(void) {
  return Messages::MaxLong("gasnet_AMMaxLongReply", gasnet::am::Lane::kReply);
}

int gasnet_AMPoll(void) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kAMPoll, &gasnet_AMPoll>();
  return Messages::Poll("gasnet_AMPoll");
}
int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t* srcindex) {
  return Messages::Source(token, srcindex);
}

void gasneti_wait_serve(void) { Messages::WaitServe("GASNET_BLOCKUNTIL"); }
void gasneti_wait_step(gasneti_wait_t* wait) {
  Messages::WaitStep("GASNET_BLOCKUNTIL", wait);
}
void gasneti_wait_end(gasneti_wait_t* wait) { Messages::WaitEnd(wait); }

}  // extern "C"
