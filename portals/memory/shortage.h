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

// Warns that `size` bytes for `what` could not be mapped, and names the limit
// that prevents it.
void TellUnmapped(const std::string& what, size_t size, int error);

// Warns that the process `pid` neither lets others open its descriptors nor
// hands them out.
void TellShut(int pid);

// Warns that another process has the socket of an identifier that this process
// asked for. Names the process `pid` and its `user`. `pid` 0: unknown.
void TellTaken(const std::string& socket, int pid, unsigned user);

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_SHORTAGE_H_
