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
  # No macro of its own on the command line: the modules can share precompiled headers.
  set_target_properties(bermuda_${name} PROPERTIES DEFINE_SYMBOL "")
  if(torch IN_LIST ARG_DEPENDS OR bermuda::nn IN_LIST ARG_DEPENDS)
    bermuda_precompile_torch(bermuda_${name} modules_with_torch)
  else()
    bermuda_precompile(bermuda_${name} <fmt/format.h> <nlohmann/json.hpp>)
  endif()
endfunction()

# bermuda_precompile_torch(TARGET GROUP [HEADER...]): LibTorch's header takes longer to read than any
# of our files to compile, and to precompile it takes a minute: the first target of a group does, the
# others use that. All of a group are of the same kind, with the same compiler options.
function(bermuda_precompile_torch target group)
  get_property(first GLOBAL PROPERTY bermuda_torch_${group})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE <fmt/format.h> <nlohmann/json.hpp>
                              <torch/torch.h> ${ARGN})
    set_property(GLOBAL PROPERTY bermuda_torch_${group} ${target})
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

function(bermuda_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                         -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
                         -Woverloaded-virtual -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bugs 105651, 105329: false alarms about std::string, the more so with precompiled headers.
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-array-bounds
                           -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()

# bermuda_plugin(NAME SOURCES ... SIDECAR FILE [LIBRARIES ...] [OUTPUT FOLDER])
# Methods in a shared library that the program loads on demand: NAME.so and its sidecar, which is
# copied to NAME.methods.json, in FOLDER (default: plugins/ of the build tree, where the program
# looks by itself; those are built by the target `plugins`). docs/plugins.md explains.
add_custom_target(plugins)
function(bermuda_plugin name)
  cmake_parse_arguments(ARG "" "SIDECAR;OUTPUT" "SOURCES;LIBRARIES" ${ARGN})
  set(folder ${CMAKE_BINARY_DIR}/plugins)
  if(ARG_OUTPUT)
    set(folder ${ARG_OUTPUT})
  endif()
  add_library(${name} MODULE ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE bermuda::method ${ARG_LIBRARIES})
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${folder})
  bermuda_warnings(${name})

  get_filename_component(sidecar ${ARG_SIDECAR} ABSOLUTE)
  add_custom_command(OUTPUT ${folder}/${name}.methods.json
    COMMAND ${CMAKE_COMMAND} -E copy ${sidecar} ${folder}/${name}.methods.json
    DEPENDS ${sidecar} VERBATIM)
  add_custom_target(${name}_sidecar DEPENDS ${folder}/${name}.methods.json)
  add_dependencies(${name} ${name}_sidecar)
  if(NOT ARG_OUTPUT)
    add_dependencies(plugins ${name})
  endif()
endfunction()
