// The message functions with a variable number of arguments.
#include <array>
#include <cstdarg>

#include "base/log.h"
#include "gasnet.h"

namespace {

constexpr int kMaxArgs = 16;

// The variable arguments of a call: those after `count`.
class VariadicArguments {
 public:
  VariadicArguments(const char* call, int count, va_list& list)
      : count_(static_cast<unsigned>(count)) {
    if (count < 0 || count > kMaxArgs) {
      gasnet::Fatal("%s: numargs is %d; it must be 0 to %d", call, count,
                    kMaxArgs);
    }
    for (int i = 0; i < count; ++i) {
      values_[i] = va_arg(list, gasnet_handlerarg_t);
    }
  }
  unsigned count() const { return count_; }
  const gasnet_handlerarg_t* values() const { return values_.data(); }

 private:
  unsigned count_;
  std::array<gasnet_handlerarg_t, kMaxArgs> values_;
};

}  // namespace

extern "C" {

int gasnet_AMRequestShort(gasnet_node_t dest, gasneti_index_t handler,
                          int numargs, ...) {
  va_list list;
  va_start(list, numargs);
  const VariadicArguments args("gasnet_AMRequestShort", numargs, list);
  va_end(list);
  return gasneti_AMRequestShort(dest, handler, args.count(), args.values());
}
int gasnet_AMRequestMedium(gasnet_node_t dest, gasneti_index_t handler,
                           void* source_addr, size_t nbytes, int numargs, ...) {
  va_list list;
  va_start(list, numargs);
  const VariadicArguments args("gasnet_AMRequestMedium", numargs, list);
  va_end(list);
  return gasneti_AMRequestMedium(dest, handler, source_addr, nbytes,
                                 args.count(), args.values());
}
int gasnet_AMRequestLong(gasnet_node_t dest, gasneti_index_t handler,
                         void* source_addr, size_t nbytes, void* dest_addr,
                         int numargs, ...) {
  va_list list;
  va_start(list, numargs);
  const VariadicArguments args("gasnet_AMRequestLong", numargs, list);
  va_end(list);
  return gasneti_AMRequestLong(dest, handler, source_addr, nbytes, dest_addr,
                               args.count(), args.values());
}
int gasnet_AMRequestLongAsync(gasnet_node_t dest, gasneti_index_t handler,
                              void* source_addr, size_t nbytes, void* dest_addr,
                              int numargs, ...) {
  va_list list;
  va_start(list, numargs);
  const VariadicArguments args("gasnet_AMRequestLongAsync", numargs, list);
  va_end(list);
  return gasneti_AMRequestLongAsync(dest, handler, source_addr, nbytes,
                                    dest_addr, args.count(), args.values());
}
int gasnet_AMReplyShort(gasnet_token_t token, gasneti_index_t handler,
                        int numargs, ...) {
  va_list list;
  va_start(list, numargs);
  const VariadicArguments args("gasnet_AMReplyShort", numargs, list);
  va_end(list);
  return gasneti_AMReplyShort(token, handler, args.count(), args.values());
}
int gasnet_AMReplyMedium(gasnet_token_t token, gasneti_index_t handler,
                         void* source_addr, size_t nbytes, int numargs, ...) {
  va_list list;
  va_start(list, numargs);
  const VariadicArguments args("gasnet_AMReplyMedium", numargs, list);
  va_end(list);
  return gasneti_AMReplyMedium(token, handler, source_addr, nbytes,
                               args.count(), args.values());
}
int gasnet_AMReplyLong(gasnet_token_t token, gasneti_index_t handler,
                       void* source_addr, size_t nbytes, void* dest_addr,
                       int numargs, ...) {
  va_list list;
  va_start(list, numargs);
  const VariadicArguments args("gasnet_AMReplyLong", numargs, list);
  va_end(list);
  return gasneti_AMReplyLong(token, handler, source_addr, nbytes, dest_addr,
                             args.count(), args.values());
}

}  // extern "C"
