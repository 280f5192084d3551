// Warnings that name the cause of an error for which the interface has only a
// number: memory that cannot be mapped, an identifier that another process has.
// Each is given once in a process. Any thread.
#ifndef PORTALS_MEMORY_SHORTAGE_H_
#define PORTALS_MEMORY_SHORTAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace gasnet::portals4 {

// Warns that `size` bytes for `what` could not be mapped, and names the limit
// that prevents it.
void TellUnmapped(const std::string& what, size_t size, int error);

// Warns that the process `pid` does not let others open its descriptors, and
// does not hand them out either.
void TellShut(int pid);

// Warns that a process of a user has the socket of an identifier that this
// process asked for, and names both. `pid` 0: unknown.
void TellTaken(const std::string& socket, int pid, unsigned user);

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_SHORTAGE_H_
