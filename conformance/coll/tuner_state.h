// Other ways than those that the library chooses here.
#ifndef CONFORMANCE_COLL_TUNER_STATE_H_
#define CONFORMANCE_COLL_TUNER_STATE_H_

namespace conformance {

// Writes down the choices in force, makes each of them another, and has the
// library go by that: what it does for many nodes it then does for three, and
// other sizes are large. Collective, while nothing is under way; by one thread
// of a node.
void TakeOtherWays();

}  // namespace conformance

#endif  // CONFORMANCE_COLL_TUNER_STATE_H_
