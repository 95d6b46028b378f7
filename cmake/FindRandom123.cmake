# Random123 is headers only and ships no CMake file. Defines the target random123.
find_path(RANDOM123_INCLUDE Random123/philox.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Random123 REQUIRED_VARS RANDOM123_INCLUDE)
if(Random123_FOUND AND NOT TARGET random123)
  add_library(random123 INTERFACE IMPORTED)
  set_target_properties(random123 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${RANDOM123_INCLUDE})
endif()
