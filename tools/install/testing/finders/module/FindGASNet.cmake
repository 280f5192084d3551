# A find module in the style of those in programs: it makes make expand a fragment,
# and looks for each -lNAME of GASNET_LIBS in its -LDIR.
#
#   GASNet_FRAGMENT  the fragment
#
# Makes GASNet::GASNet.

# _gasnet_variable(NAME): sets NAME to the words of GASNET_NAME.
function(_gasnet_variable name)
  file(WRITE "${CMAKE_BINARY_DIR}/show.mak"
       "include ${GASNet_FRAGMENT}\nshow:\n\t@echo $(GASNET_${name})\n")
  execute_process(
    COMMAND make -s -f "${CMAKE_BINARY_DIR}/show.mak" show
    OUTPUT_VARIABLE words
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(words UNIX_COMMAND "${words}")
  set(${name} "${words}" PARENT_SCOPE)
endfunction()

_gasnet_variable(CPPFLAGS)
_gasnet_variable(LIBS)
set(directories ${LIBS})
list(FILTER directories INCLUDE REGEX "^-L")
list(TRANSFORM directories REPLACE "^-L" "")
set(libraries)
foreach(word ${LIBS})
  if(word MATCHES "^-l(.*)")
    find_library(
      GASNet_${CMAKE_MATCH_1} ${CMAKE_MATCH_1}
      PATHS ${directories}
      NO_DEFAULT_PATH)
    if(GASNet_${CMAKE_MATCH_1})
      list(APPEND libraries "${GASNet_${CMAKE_MATCH_1}}")
    else()
      list(APPEND libraries ${CMAKE_MATCH_1})
    endif()
  elseif(NOT word MATCHES "^-L")
    list(APPEND libraries "${word}")
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
list(GET libraries 0 GASNet_LIBRARY)
if(NOT IS_ABSOLUTE "${GASNet_LIBRARY}" AND NOT GASNet_LIBRARY MATCHES "^-Wl")
  unset(GASNet_LIBRARY)
endif()
find_package_handle_standard_args(GASNet REQUIRED_VARS GASNet_LIBRARY)
add_library(GASNet::GASNet INTERFACE IMPORTED)
set_target_properties(
  GASNet::GASNet PROPERTIES INTERFACE_COMPILE_OPTIONS "${CPPFLAGS}"
                            INTERFACE_LINK_LIBRARIES "${libraries}")
