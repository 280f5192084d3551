// A process whose descriptors and memory the kernel keeps from all others, as
// it does of programs that are setuid or have file capabilities.
#ifndef PORTALS_TESTING_SHUT_H_
#define PORTALS_TESTING_SHUT_H_

namespace gasnet::portals::testing {

// This process is not dumpable from now on. Those of an administrator's could
// look into it all the same.
void Shut();

// This process may look into such ones no more, although it is an
// administrator's.
void LoseCapabilities();

}  // namespace gasnet::portals::testing

#endif  // PORTALS_TESTING_SHUT_H_
