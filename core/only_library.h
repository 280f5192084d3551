// One library of GASNet a process. Where the dynamic loader keeps two apart
// (dlopen with RTLD_LOCAL, as plugins are loaded), none of their symbols tells
// either of the other; the environment of the process does.
#ifndef CORE_ONLY_LIBRARY_H_
#define CORE_ONLY_LIBRARY_H_

namespace gasnet {

// Ends the process with a message that names both if another library has begun
// in it; else notes that this one has. config: what tells libraries apart.
// Changes the environment, so before the client has threads: in gasnet_init.
void RequireOnlyLibrary(const char* config);
// Another one may begin.
void ForgetOnlyLibrary();

[[noreturn]] void RefuseTwoLibraries(const char* first, const char* second);

}  // namespace gasnet

#endif  // CORE_ONLY_LIBRARY_H_
