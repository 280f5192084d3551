// The faults of a simulated bad network, for tests (faulty_port.h). Their text
// looks like "drop=5,duplicate=2,reorder=10,corrupt=1,seed=7". The numbers are
// percentages of the datagrams sent, except for the seed. A reordered datagram
// leaves after the next one.
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

  // Parses a list of faults like the one above. Returns nothing if the text has
  // any other form.
  static std::optional<Faults> Parse(std::string_view text);
};

// Reads the faults from the environment variable `name`. Ends the job with a
// message if the value is not a valid list of faults.
Faults FaultsFromEnvironment(const char* name);

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_FAULTS_H_
