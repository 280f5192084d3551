// The faults of a network worse than the one there is, for tests
// (faulty_port.h). Their text is such as
// "drop=5,duplicate=2,reorder=10,corrupt=1,seed=7". Percentages of the
// datagrams that are sent; those that are reordered leave after the one behind
// them.
#ifndef CORE_DATAGRAM_FAULTS_H_
#define CORE_DATAGRAM_FAULTS_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace gasnet::datagram {

struct Faults {
  double drop = 0;
  double duplicate = 0;
  double reorder = 0;
  double corrupt = 0;
  uint64_t seed = 1;

  bool any() const { return drop + duplicate + reorder + corrupt > 0; }

  // Nothing where the text is not exactly such a list.
  static std::optional<Faults> Parse(std::string_view text);
};

// Of the variable `name`. Ends the job with a message where it has another
// text.
Faults FaultsFromEnvironment(const char* name);

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_FAULTS_H_
