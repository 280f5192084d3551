// Atomic updates of a word that only threads inside GASNet change. An update is
// one atomic step if client threads are concurrent. Otherwise it is a load and
// a store, at a tenth of the cost. Any thread may read the word during an
// update, and gets the old or the new value.
#ifndef CORE_THREAD_WORD_H_
#define CORE_THREAD_WORD_H_

#include <atomic>
#include <type_traits>

#include "core/thread/mode.h"

namespace gasnet::thread {

// Adds `n`, and returns the previous value. If client threads are not
// concurrent, the client orders them, so `order` is not needed.
template <class T>
[[gnu::always_inline]] inline T FetchAdd(std::atomic<T>& word,
                                         std::type_identity_t<T> n,
                                         std::memory_order order) {
  if constexpr (kConcurrent) return word.fetch_add(n, order);
  const T before = word.load(std::memory_order_relaxed);
  word.store(static_cast<T>(before + n), std::memory_order_relaxed);
  return before;
}

template <class T>
[[gnu::always_inline]] inline T FetchOr(std::atomic<T>& word,
                                        std::type_identity_t<T> bits,
                                        std::memory_order order) {
  if constexpr (kConcurrent) return word.fetch_or(bits, order);
  const T before = word.load(std::memory_order_relaxed);
  word.store(static_cast<T>(before | bits), std::memory_order_relaxed);
  return before;
}

template <class T>
[[gnu::always_inline]] inline T FetchAnd(std::atomic<T>& word,
                                         std::type_identity_t<T> bits,
                                         std::memory_order order) {
  if constexpr (kConcurrent) return word.fetch_and(bits, order);
  const T before = word.load(std::memory_order_relaxed);
  word.store(static_cast<T>(before & bits), std::memory_order_relaxed);
  return before;
}

// Sets the word to `after` if it is `before`. Returns true if it has done so.
template <class T>
[[gnu::always_inline]] inline bool Replace(std::atomic<T>& word,
                                           std::type_identity_t<T> before,
                                           std::type_identity_t<T> after,
                                           std::memory_order order) {
  if constexpr (kConcurrent) {
    return word.compare_exchange_strong(before, after, order,
                                        std::memory_order_relaxed);
  }
  if (word.load(std::memory_order_relaxed) != before) return false;
  word.store(after, std::memory_order_relaxed);
  return true;
}

}  // namespace gasnet::thread

#endif  // CORE_THREAD_WORD_H_
