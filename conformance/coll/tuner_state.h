// Makes the library choose other algorithms in a test.
#ifndef CONFORMANCE_COLL_TUNER_STATE_H_
#define CONFORMANCE_COLL_TUNER_STATE_H_

namespace conformance {

// Reads the library's current choices, changes each of them, and loads the
// result. Afterwards the library uses its methods for many nodes from three
// nodes on, and its methods for large data from smaller sizes on. Collective;
// requires that no operation is under way. Called by one thread of each node.
void TakeOtherWays();

}  // namespace conformance

#endif  // CONFORMANCE_COLL_TUNER_STATE_H_
