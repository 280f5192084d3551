// The options of the strict provider, from GASNET_STRICT: words separated by
// commas, such as "local,single,inject=16,order=sas,late". Without options, the
// provider demands nothing, promises no order, and accepts all posts that the
// interface permits. Its checks are always on. It always overwrites a posted
// receive buffer at once.
//
//   local virtual allocated keys endpoint
//                      it demands FI_MR_LOCAL, VIRT_ADDR, ALLOCATED, PROV_KEY
//                      (random keys), ENDPOINT
//   context2           it demands FI_CONTEXT2, and overwrites contexts
//   single             it does not support FI_MULTI_RECV
//   misaligned alone turns
//                      for buffers that take several messages; see Options
//   order=sas+saw+raw  it promises these orders, or some of them. Without sas
//                      and saw, messages overtake other messages and writes.
//                      Without raw, reads overtake writes
//   fence              it supports FI_FENCE. A fenced operation waits until the
//                      earlier operations are reported, each at the level that
//                      it requested. If the fenced operation requests
//                      FI_DELIVERY_COMPLETE, they are also in place
//   inject=N most=N    its limits on the bytes of an operation
//   tx=N rx=N          its limits on the number of operations
//   again=N            one post in N is refused, and all further posts until
//                      the queue is read
//   late=N             every step of an operation waits for up to N reads of
//                      the queue; completions are late and in any order
//   wait=none          the queue has no file descriptor
//   rm=off             violations: a message without a buffer, a queue that
//                      overruns, and a post beyond tx or rx. Without rm=off
//                      these wait
//   placed             FI_TRANSMIT_COMPLETE of a write is reported only when
//                      the write is in place
//   meddles            it changes the process's processors and a signal's
//                      handler
//   fail=KIND@N        the N-th send, write, read or receive completes with
//                      FI_EIO
//   seed=N             the seed of everything random except keys
#ifndef CONDUITS_OFI_TESTING_STRICT_OPTIONS_H_
#define CONDUITS_OFI_TESTING_STRICT_OPTIONS_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::ofi::strict {

enum class Kind : uint8_t { kSend, kWrite, kRead, kReceive };

struct Options {
  // The demands for registration: local, virtual, allocated, keys, endpoint.
  int mr_mode = 0;
  uint64_t mode = 0;          // context2
  bool multi_receive = true;  // false: single
  // Options of buffers that take several messages:
  //
  //   misaligned  messages begin at any offset
  //   alone       the completion that gives a buffer back has no data
  //   turns       messages go into any posted buffer, not always the first
  bool misaligned = false;
  bool alone = false;
  bool in_turn = false;
  size_t inject = 64;               // inject=N
  size_t most = size_t{256} << 10;  // most=N: largest operation in bytes
  size_t transmits = 256;           // tx=N: max. operations at once
  size_t receives = 1024;           // rx=N: max. posted buffers
  uint64_t order = 0;               // order=none, or sas, saw, raw joined by +
  bool fence = false;               // fence
  bool placed = false;              // placed
  bool meddles = false;             // meddles
  unsigned again = 0;               // again=N: one post in N is refused
  unsigned late = 0;                // late, late=N: up to N queue reads a step
  bool descriptor = true;           // false: wait=none
  bool manages = true;              // false: rm=off, resources are not managed
  uint64_t seed = 1;                // seed=N
  bool fails = false;               // fail=send|write|read|receive@N: the
  Kind failing = Kind::kSend;       // N-th of them completes with FI_EIO
  unsigned failing_number = 0;
};

// Reads the options from the environment. An unknown word is a violation.
Options OptionsFromEnvironment();

}  // namespace gasnet::ofi::strict

#endif  // CONDUITS_OFI_TESTING_STRICT_OPTIONS_H_
