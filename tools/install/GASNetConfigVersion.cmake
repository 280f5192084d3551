# The release of this interface. Programs for an older release work unchanged, and so
# do programs that request the version of the specification.
set(PACKAGE_VERSION @VERSION@)
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8 AND CMAKE_SIZEOF_VOID_P)
  set(PACKAGE_VERSION_UNSUITABLE TRUE)
endif()
