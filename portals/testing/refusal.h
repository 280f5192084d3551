// Makes the kernel refuse to let this process copy from and to other processes.
// Sandboxes do the same.
#ifndef PORTALS_TESTING_REFUSAL_H_
#define PORTALS_TESTING_REFUSAL_H_

namespace gasnet::portals4_tests::testing {

// Makes process_vm_readv and process_vm_writev fail with EPERM from now on, in
// the calling thread and in all threads that it starts.
void RefuseCopies();

}  // namespace gasnet::portals4_tests::testing

#endif  // PORTALS_TESTING_REFUSAL_H_
