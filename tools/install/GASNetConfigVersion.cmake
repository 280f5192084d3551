# The release whose interface this is. A program for an older one works unchanged,
# and so does one that asks for the version of the specification.
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
