# bermuda_module(NAME SOURCES ... [DEPENDS ...] [PRIVATE ...])
# One module = one folder = one target bermuda::NAME. DEPENDS are public; PRIVATE ones do not show
# in its headers. tests/layering_test.py checks that the includes agree with the order of the house.
function(bermuda_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  add_library(bermuda_${name} SHARED ${ARG_SOURCES})
  add_library(bermuda::${name} ALIAS bermuda_${name})
  target_include_directories(bermuda_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(bermuda_${name} PUBLIC ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE})
  bermuda_warnings(bermuda_${name})
endfunction()

function(bermuda_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                         -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
                         -Woverloaded-virtual -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: false alarms about std::string concatenation.
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
endfunction()
