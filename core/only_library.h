// Admits one library of GASNet in a process. The dynamic loader may keep two
// apart (dlopen with RTLD_LOCAL, as plugins are loaded). Then their symbols
// tell neither of the other; the environment of the process does.
#ifndef CORE_ONLY_LIBRARY_H_
#define CORE_ONLY_LIBRARY_H_

namespace gasnet {

// Ends the process with a message that names both if another library has begun
// in it; else notes that this one has. config: the text that tells libraries
// apart. Changes the environment, so it is called before the client has
// threads: in gasnet_init.
void RequireOnlyLibrary(const char* config);
// Lets another library begin.
void ForgetOnlyLibrary();

[[noreturn]] void RefuseTwoLibraries(const char* first, const char* second);

}  // namespace gasnet

#endif  // CORE_ONLY_LIBRARY_H_
