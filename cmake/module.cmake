# How the modules, the plug-ins and what they install are declared.

# bermuda_flags(TARGET): how our own code is compiled. Warnings are errors when this is the project
# that is built, and not a part of somebody else's.
function(bermuda_flags target)
  # Data sets must be the same bytes on every machine: no fused multiply-add behind our back.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                         -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
                         -Woverloaded-virtual $<$<BOOL:${PROJECT_IS_TOP_LEVEL}>:-Werror>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bugs 105651, 105329: false alarms about std::string, the more so with precompiled headers.
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-array-bounds
                           -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
  if(BERMUDA_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${BERMUDA_SANITIZE}
                           -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${BERMUDA_SANITIZE})
  endif()
endfunction()

# bermuda_module(NAME SOURCES ... [DEPENDS ...] [PRIVATE ...] [NEURAL])
# One module = one folder = one target bermuda::NAME. DEPENDS are public; PRIVATE ones do not show
# in its headers. tests/layering_test.py checks that the includes agree with this. NEURAL ones need
# LibTorch: they are installed, packaged and found by themselves.
function(bermuda_module name)
  cmake_parse_arguments(ARG "NEURAL" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  set(target bermuda_${name})
  set_property(GLOBAL APPEND PROPERTY bermuda_modules ${name})
  add_library(${target} SHARED ${ARG_SOURCES})
  add_library(bermuda::${name} ALIAS ${target})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE})
  target_compile_features(${target} PUBLIC cxx_std_20)
  bermuda_flags(${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    # No macro of its own on the command line: the modules can share precompiled headers.
    DEFINE_SYMBOL "")
  if(ARG_NEURAL)
    bermuda_unite(${target})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      target_compile_options(${target} PRIVATE
        "SHELL:-include ${PROJECT_SOURCE_DIR}/cmake/clang_vector.hpp")
    endif()
    set(group neural)
  else()
    bermuda_precompile(${target} <fmt/format.h> <nlohmann/json.hpp>)
    set(group base)
  endif()
  install(TARGETS ${target} EXPORT bermuda-${group}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${group} NAMELINK_COMPONENT dev)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/include/bermuda/${name})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/bermuda/${name}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bermuda COMPONENT dev)
  endif()
endfunction()

# bermuda_unite(TARGET): one source file for the compiler. LibTorch's headers take longer to read than
# all files of a module to compile, with a precompiled header too (it has 600 MB). Files that must
# stand alone set SKIP_UNITY_BUILD_INCLUSION.
function(bermuda_unite target)
  if(NOT DEFINED CMAKE_UNITY_BUILD OR CMAKE_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
endfunction()

# bermuda_precompile(TARGET HEADER...): headers that cost more than the rest of a source file, read
# once per target where several of its files are likely to want them. A unity build reads them once
# anyway.
function(bermuda_precompile target)
  if(CMAKE_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  if(count GREATER 3)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
