// Replaces the algorithms that the library chooses here.
#ifndef CONFORMANCE_COLL_TUNER_STATE_H_
#define CONFORMANCE_COLL_TUNER_STATE_H_

namespace conformance {

// Reads the choices in force, changes each of them, and loads the result. Then
// the library uses for three nodes the algorithms for many, and other sizes
// count as large. Collective, while nothing is under way; called by one thread
// of a node.
void TakeOtherWays();

}  // namespace conformance

#endif  // CONFORMANCE_COLL_TUNER_STATE_H_
