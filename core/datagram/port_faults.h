// A network worse than the one there is, for tests. Its text is such as
// "drop=5,duplicate=2,reorder=10,corrupt=1,seed=7". Percentages of the
// datagrams that are sent; those that are reordered leave after the one behind
// them.
#ifndef CORE_DATAGRAM_PORT_FAULTS_H_
#define CORE_DATAGRAM_PORT_FAULTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/datagram/port.h"
#include "core/rank.h"

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

// Decides what becomes of each datagram.
class FaultInjector {
 public:
  using Datagram = std::vector<std::byte>;

  FaultInjector(const Faults& faults, Rank me)
      : faults_(faults), random_(faults.seed * 65537 + me) {}

  // Calls send(peer, datagram) for what the network would have brought by now.
  // Copies only what is changed or late, so that losses cost nothing besides.
  template <class Send>
  void Pass(Rank peer, datagram::Outgoing out, Send send) {
    if (Happens(faults_.drop)) return;
    Datagram changed;
    if (Happens(faults_.corrupt)) {
      changed = Joined(out);
      Corrupt(changed);
      out = {changed};
    }
    const bool twice = Happens(faults_.duplicate);
    if (Happens(faults_.reorder) && !late_) {
      late_.emplace(peer, Joined(out));
      return;
    }
    send(peer, out);
    if (twice) send(peer, out);
    if (late_) send(late_->first, datagram::Outgoing{late_->second});
    late_.reset();
  }

 private:
  bool Happens(double percent) {
    return percent > 0 &&
           std::uniform_real_distribution<>(0, 100)(random_) < percent;
  }
  static Datagram Joined(const datagram::Outgoing& out);
  void Corrupt(Datagram& bytes);

  const Faults faults_;
  std::mt19937_64 random_;
  std::optional<std::pair<Rank, Datagram>> late_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PORT_FAULTS_H_
