// Warnings that explain an error for which the Portals interface has only a
// code: memory that cannot be mapped, or an identifier that another process
// has. Each warning is given once in a process. Any thread may call these
// functions.
#ifndef PORTALS_MEMORY_SHORTAGE_H_
#define PORTALS_MEMORY_SHORTAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace gasnet::portals4 {

// Warns that `size` bytes for `what` could not be mapped. Names the limit that
// prevented the mapping.
void TellUnmapped(const std::string& what, size_t size, int error);

// Warns that the process `pid` does not let others open its descriptors, and
// does not hand them out.
void TellShut(int pid);

// Warns that another process has the socket of an identifier that this process
// asked for. Names that process (`pid`, or 0 if unknown) and its `user`.
void TellTaken(const std::string& socket, int pid, unsigned user);

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_SHORTAGE_H_
