// Admits one GASNet library in a process. The dynamic loader can hide two
// libraries from each other (dlopen with RTLD_LOCAL, as for plugins). But both
// see the environment of the process, so a note there tells which library is in
// use.
#ifndef CORE_ONLY_LIBRARY_H_
#define CORE_ONLY_LIBRARY_H_

namespace gasnet {

// If another library is already in use, ends the process with a message that
// names both. Otherwise records this library in the environment. config: the
// text that tells libraries apart. Called in gasnet_init, before the client has
// threads, since it changes the environment.
void RequireOnlyLibrary(const char* config);
// Removes the record, so that another library may begin.
void ForgetOnlyLibrary();

[[noreturn]] void RefuseTwoLibraries(const char* first, const char* second);

}  // namespace gasnet

#endif  // CORE_ONLY_LIBRARY_H_
