// The value of GASNET_STRICT sets up the strict provider: words with commas
// between them, such as "local,single,inject=16,order=sas,late". Without any it
// demands nothing, promises no order, and takes all that the interface lets one
// post. Its checks are always on, and a buffer that is posted to receive into
// is written over at once.
//
//   local virtual allocated keys endpoint   it demands FI_MR_LOCAL, VIRT_ADDR,
//                     ALLOCATED, PROV_KEY (random keys), ENDPOINT
//   context2          it demands FI_CONTEXT2, and scribbles on contexts
//   single            no FI_MULTI_RECV
//   misaligned alone turns  of buffers for messages, as below
//   order=sas+saw+raw it promises that order, or one of them; without it
//                     messages overtake each other, and writes, and reads them
//   fence             it knows FI_FENCE: what is before it is told first, as it
//                     was asked to be told; and is in place first, where the
//                     fence asks for FI_DELIVERY_COMPLETE
//   inject=N most=N tx=N rx=N   its limits, in bytes and operations
//   again=N           one post of N is refused, and all until the queue is read
//   late=N            every step of an operation waits for up to N reads of the
//                     queue; so completions come late, in any order
//   wait=none         the queue has no descriptor
//   rm=off            a message without a buffer, a queue that overruns, and a
//                     post beyond tx or rx are violations; otherwise they wait
//   placed            FI_TRANSMIT_COMPLETE of a write is told when it is in
//   place meddles           it changes the process's processors and a signal's
//   handler fail=KIND@N       the N-th send, write, read or receive completes
//   with
//                     FI_EIO
//   seed=N            of all that is random, but for keys
#ifndef CONDUITS_OFI_TESTING_STRICT_OPTIONS_H_
#define CONDUITS_OFI_TESTING_STRICT_OPTIONS_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::ofi::strict {

enum class Kind : uint8_t { kSend, kWrite, kRead, kReceive };

struct Options {
  // Registration: local, virtual, allocated, keys, endpoint.
  int mr_mode = 0;
  uint64_t mode = 0;          // context2
  bool multi_receive = true;  // single: no
  // Of buffers for many messages: messages begin anywhere (misaligned); the
  // buffer is given back in a completion of its own (alone). Of all buffers:
  // messages go into any of those posted, not the first (turns).
  bool misaligned = false;
  bool alone = false;
  bool in_turn = false;
  size_t inject = 64;               // inject=N
  size_t most = size_t{256} << 10;  // most=N: bytes of one operation
  size_t transmits = 256;           // tx=N: operations at once
  size_t receives = 1024;           // rx=N: posted buffers
  uint64_t order = 0;               // order=none, or sas, saw, raw with +
  bool fence = false;               // fence
  bool placed = false;              // placed
  bool meddles = false;             // meddles
  unsigned again = 0;               // again=N: of N posts one is refused
  unsigned late = 0;                // late, or late=N: reads that each step
                                    // of an operation may take
  bool descriptor = true;           // wait=none: no
  bool manages = true;              // rm=off: it manages no resources
  uint64_t seed = 1;                // seed=N
  bool fails = false;               // fail=send|write|read|receive@N: the
  Kind failing = Kind::kSend;       // N-th of them completes with FI_EIO
  unsigned failing_number = 0;
};

// Of the environment; a word that there is not is a violation.
Options OptionsFromEnvironment();

}  // namespace gasnet::ofi::strict

#endif  // CONDUITS_OFI_TESTING_STRICT_OPTIONS_H_
