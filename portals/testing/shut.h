// Makes the kernel protect this process's descriptors and memory from all other
// processes. The kernel does the same for programs that are setuid or have file
// capabilities.
#ifndef PORTALS_TESTING_SHUT_H_
#define PORTALS_TESTING_SHUT_H_

namespace gasnet::portals4_tests::testing {

// Makes this process not dumpable. An administrator's processes can still
// access it.
void Shut();

// Drops the capability by which an administrator's process may access processes
// that are not dumpable.
void LoseCapabilities();

}  // namespace gasnet::portals4_tests::testing

#endif  // PORTALS_TESTING_SHUT_H_
