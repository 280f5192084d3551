# The flags to compile and link with @LIBRARY@, for GNU make. PREFIX is the
# directory in which this is installed:
#
#   include PREFIX/include/@FRAGMENT@
#   %.o: %.c
#   	$(@V@_CC) $(@V@_CPPFLAGS) $(@V@_CFLAGS) -c -o $@ $<
#   %.o: %.cc
#   	$(@V@_CXX) $(@V@_CXXCPPFLAGS) $(@V@_CXXFLAGS) -c -o $@ $<
#   program: program.o
#   	$(@V@_LD) $(@V@_LDFLAGS) -o $@ $^ $(@V@_LIBS)
#
# MANUAL_CFLAGS, MANUAL_CXXFLAGS, MANUAL_DEFINES, MANUAL_LDFLAGS and MANUAL_LIBS add
# flags. @V@_LIBRARY selects the static library or, as $(@V@_SHARED_LIBRARY), the
# shared one; it may also be set in the environment. Archives have a directory of
# their own, so that -l@LIBRARY@ names either. Only the shared library adds a path to
# the program: the C library does not start a program of -static-pie with such a path.
@V@_PREFIX := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/@UP@)
# The compilers that the library was built with. Either links either language, since
# the C++ runtime is among the libraries.
@V@_CC = @CC@
@V@_CXX = @CXX@
@V@_LD = @CC@
@V@_LD_REQUIRES_CXX = 0
@V@_LD_REQUIRES_MPI = 0
# The ways in which a job may start, and the one without a choice.
@V@_SPAWNER_DEFAULT = @SPAWNER@
@V@_SPAWNER_FORK = 1
@V@_SPAWNER_SSH = 1
@V@_SPAWNER_MPI = 1
@V@_SPAWNER_PMI = 1
@V@_DEFINES = @DEFINES@ $(MANUAL_DEFINES)
@V@_INCLUDES = @INCLUDES@
@V@_MISC_CPPFLAGS = -D_GNU_SOURCE=1
@V@_MISC_CXXCPPFLAGS = -D_GNU_SOURCE=1
@V@_CPPFLAGS = $(@V@_MISC_CPPFLAGS) $(@V@_DEFINES) $(@V@_INCLUDES)
@V@_CXXCPPFLAGS = $(@V@_MISC_CXXCPPFLAGS) $(@V@_DEFINES) $(@V@_INCLUDES)
@V@_OPT_CFLAGS = @OPTIMISE@
@V@_MISC_CFLAGS =
@V@_CFLAGS = $(@V@_OPT_CFLAGS) $(@V@_MISC_CFLAGS) $(MANUAL_CFLAGS)
@V@_OPT_CXXFLAGS = @OPTIMISE@
@V@_MISC_CXXFLAGS =
@V@_CXXFLAGS = $(@V@_OPT_CXXFLAGS) $(@V@_MISC_CXXFLAGS) $(MANUAL_CXXFLAGS)
@V@_LDFLAGS = $(@V@_OPT_CFLAGS) $(@V@_MISC_CFLAGS) $(MANUAL_LDFLAGS)
@V@_LIBDIRS = -L$(@V@_PREFIX)/lib/static
@V@_STATIC_LIBRARY = $(@V@_LIBDIRS) -l@LIBRARY@
@V@_SHARED_LIBRARY = -L$(@V@_PREFIX)/lib -Wl,-rpath,$(@V@_PREFIX)/lib -l@LIBRARY@
@V@_LIBRARY ?= $(@V@_STATIC_LIBRARY)
@V@_LIBS = $(@V@_LIBRARY) @LIBS@ $(MANUAL_LIBS)
