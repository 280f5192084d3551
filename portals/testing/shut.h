// A process whose descriptors and memory the kernel keeps from all other
// processes, as it does for programs that are setuid or have file capabilities.
#ifndef PORTALS_TESTING_SHUT_H_
#define PORTALS_TESTING_SHUT_H_

namespace gasnet::portals::testing {

// Makes this process not dumpable. Processes of an administrator can still look
// into it.
void Shut();

// Takes from this process, which is an administrator's, the ability to look
// into such processes.
void LoseCapabilities();

}  // namespace gasnet::portals::testing

#endif  // PORTALS_TESTING_SHUT_H_
