// The counts of this process's network, such as packets sent again. They are
// part of the statistics (GASNET_STATSFILE).
//
// A network has a NetworkCounts while it runs. Statistics visit the counts at
// any time, on any thread, also in a signal handler at the end of the process.
// The destructor waits for visits of other threads. A visit takes no lock.
#ifndef CORE_OBSERVE_NETWORK_COUNTS_H_
#define CORE_OBSERVE_NETWORK_COUNTS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"

namespace gasnet::observe {

class NetworkCounts {
 public:
  // Receives the name of a count, without blanks, and its value.
  using Add = absl::FunctionRef<void(const char* name, uint64_t count)>;
  // Passes all counts to add(). Takes no lock and allocates nothing.
  using List = void (*)(const void* network, Add add);

  // Makes list(network) the counts of this process. There is one network at a
  // time.
  NetworkCounts(const void* network, List list);
  ~NetworkCounts();
  NetworkCounts(const NetworkCounts&) = delete;
  NetworkCounts& operator=(const NetworkCounts&) = delete;

  // Passes the counts of this process to add(). Passes none if there is no
  // network.
  static void Visit(Add add);

 private:
  const void* const network_;
  const List list_;
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_NETWORK_COUNTS_H_
