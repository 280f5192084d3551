// Warnings that name the cause where the interface has only a number for it:
// memory that cannot be mapped, an identifier that another has. Each is given
// once in a process. Any thread.
#ifndef PORTALS_MEMORY_SHORTAGE_H_
#define PORTALS_MEMORY_SHORTAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace gasnet::portals4 {

// Says that `size` bytes for `what` could not be mapped, and which limit is in
// the way.
void TellUnmapped(const std::string& what, size_t size, int error);

// Says that the process `pid` lets nobody open its descriptors, and does not
// hand them out either.
void TellShut(int pid);

// Says which process of which user has the socket of an identifier that we
// asked for; 0: that cannot be found out.
void TellTaken(const std::string& socket, int pid, unsigned user);

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_SHORTAGE_H_
