# Everything third-party, as imported targets with SYSTEM headers. Debian package names are in
# scripts/packages.txt; docs/dependencies.md says what each is for.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost REQUIRED)  # Math and Graph, headers only
pkg_check_modules(IGRAPH REQUIRED IMPORTED_TARGET igraph)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
pkg_check_modules(LIBARCHIVE REQUIRED IMPORTED_TARGET libarchive)
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(LIBXML2 REQUIRED IMPORTED_TARGET libxml-2.0)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(GRAPHVIZ REQUIRED IMPORTED_TARGET libgvc)

# LIBLINEAR ships neither a CMake nor a pkg-config file.
find_path(LIBLINEAR_INCLUDE linear.h PATH_SUFFIXES liblinear REQUIRED)
find_library(LIBLINEAR_LIBRARY linear REQUIRED)
add_library(liblinear UNKNOWN IMPORTED)
set_target_properties(liblinear PROPERTIES IMPORTED_LOCATION ${LIBLINEAR_LIBRARY}
                      INTERFACE_INCLUDE_DIRECTORIES ${LIBLINEAR_INCLUDE})

# Nor does LIBSVM.
find_path(LIBSVM_INCLUDE libsvm/svm.h REQUIRED)
find_library(LIBSVM_LIBRARY svm REQUIRED)
add_library(libsvm UNKNOWN IMPORTED)
set_target_properties(libsvm PROPERTIES IMPORTED_LOCATION ${LIBSVM_LIBRARY}
                      INTERFACE_INCLUDE_DIRECTORIES ${LIBSVM_INCLUDE})

list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
find_package(Random123 REQUIRED)

if(BERMUDA_TESTS)
  find_package(GTest REQUIRED)
endif()

if(BERMUDA_MPI)
  # CMake finds MPI's C interface with a C compiler only.
  enable_language(C)
  find_package(MPI REQUIRED COMPONENTS C)
endif()

if(BERMUDA_NEURAL)
  find_package(Torch REQUIRED)
  find_package(HWY REQUIRED)
endif()

# An interpreter with its sanitizer would have to be built first.
if(BERMUDA_PYTHON AND NOT BERMUDA_SANITIZE)
  # What the system's packages bring is its own interpreter's, whatever else comes first in PATH.
  if(NOT DEFINED Python3_EXECUTABLE AND NOT DEFINED ENV{VIRTUAL_ENV} AND EXISTS /usr/bin/python3)
    set(Python3_EXECUTABLE /usr/bin/python3)
  endif()
  find_package(Python3 QUIET COMPONENTS Interpreter Development.Module)
  set(PYBIND11_NOPYTHON ON)  # its headers are all we need
  find_package(pybind11 CONFIG QUIET)
  if(Python3_Development.Module_FOUND AND pybind11_FOUND)
    set(BERMUDA_PYTHON_FOUND ON)
  else()
    message(STATUS "Without the Python package: pybind11 or Python's headers are missing")
  endif()
endif()
