// Performs an atomic of a network with instructions of the processor, so that
// it is coherent with the processor's other atomics.
#ifndef CORE_RMA_TESTING_PERFORM_ATOMIC_H_
#define CORE_RMA_TESTING_PERFORM_ATOMIC_H_

#include "core/rma/atomic.h"

namespace gasnet::rma::testing {

// Performs `atomic` on the word at `at`, the place of its target in this
// process. Returns the word's previous bits.
uint64_t PerformAtomic(const Atomic& atomic, void* at);

}  // namespace gasnet::rma::testing

#endif  // CORE_RMA_TESTING_PERFORM_ATOMIC_H_
