// A process that the kernel refuses to copy from and to others, as sandboxes
// do.
#ifndef PORTALS_TESTING_REFUSAL_H_
#define PORTALS_TESTING_REFUSAL_H_

namespace gasnet::portals::testing {

// Of the calling thread, and what it starts: process_vm_readv and
// process_vm_writev answer EPERM from now on.
void RefuseCopies();

}  // namespace gasnet::portals::testing

#endif  // PORTALS_TESTING_REFUSAL_H_
