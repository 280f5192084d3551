# find_package(GASNet [1.8] [COMPONENTS smp_par ...])
#
# For each library X, a conduit and a threading mode:
#
#   GASNet::X_static  the archive
#   GASNet::X_shared  the shared library
#   GASNet::X         one of them: the archive if GASNet_USE_STATIC_LIBS is on
#
# Each brings the flags and the include directories of its mode and conduit.
# GASNet_LIBRARIES lists every X, GASNet_LAUNCHER is the path of gasnetrun.
#
# A project may find the package in each of its directories. The last value of
# GASNet_USE_STATIC_LIBS counts.

get_filename_component(GASNet_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.."
                       ABSOLUTE)
set(GASNet_LAUNCHER "${GASNet_PREFIX}/bin/gasnetrun")
set(GASNet_LIBRARIES)

function(_gasnet_import target kind file)
  set(_full GASNet::${target}_${kind})
  string(TOUPPER ${kind} _type)
  if(NOT TARGET ${_full})
    add_library(${_full} ${_type} IMPORTED)
  endif()
  set_target_properties(
    ${_full}
    PROPERTIES IMPORTED_LOCATION "${GASNet_PREFIX}/lib/${file}"
               INTERFACE_INCLUDE_DIRECTORIES "${_gasnet_includes}"
               INTERFACE_COMPILE_OPTIONS "${_gasnet_defines}"
               INTERFACE_LINK_LIBRARIES "${_gasnet_libs}")
endfunction()

# Each of the subdirectories, flags and libraries is one string of words.
function(_gasnet_library target library soname includes defines libs)
  set(_gasnet_includes "${GASNet_PREFIX}/include")
  separate_arguments(includes)
  foreach(_directory ${includes})
    list(PREPEND _gasnet_includes "${GASNet_PREFIX}/include/${_directory}")
  endforeach()
  separate_arguments(_gasnet_defines UNIX_COMMAND "${defines}")
  separate_arguments(_gasnet_libs UNIX_COMMAND "${libs}")
  _gasnet_import(${target} static lib${library}.a)
  _gasnet_import(${target} shared lib${library}.so)
  set_target_properties(GASNet::${target}_shared PROPERTIES IMPORTED_SONAME
                                                            ${soname})
  set(_kind shared)
  if(GASNet_USE_STATIC_LIBS)
    set(_kind static)
  endif()
  if(NOT TARGET GASNet::${target})
    add_library(GASNet::${target} INTERFACE IMPORTED)
  endif()
  set_target_properties(
    GASNet::${target} PROPERTIES INTERFACE_LINK_LIBRARIES
                                 GASNet::${target}_${_kind})
  set(GASNet_LIBRARIES ${GASNet_LIBRARIES} ${target} PARENT_SCOPE)
  set(GASNet_${target}_FOUND TRUE PARENT_SCOPE)
endfunction()

include("${CMAKE_CURRENT_LIST_DIR}/GASNetLibraries.cmake")

foreach(_gasnet_component ${GASNet_FIND_COMPONENTS})
  if(NOT GASNet_${_gasnet_component}_FOUND
     AND GASNet_FIND_REQUIRED_${_gasnet_component})
    set(GASNet_FOUND FALSE)
    set(GASNet_NOT_FOUND_MESSAGE
        "no ${_gasnet_component}; there are ${GASNet_LIBRARIES}")
  endif()
endforeach()
