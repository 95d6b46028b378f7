# bermuda_plugin(NAME SOURCES ... SIDECAR FILE [LIBRARIES ...] [OUTPUT FOLDER])
# Methods in a shared library that the program loads on demand: NAME.so and its sidecar, which is
# copied to NAME.methods.json, in FOLDER (default: plugins/ of the build tree). A folder named in
# the environment variable BERMUDA_PLUGINS is searched by the program. docs/plugins.md explains.
# Installed with the library, for plug-ins of one's own.
function(bermuda_plugin name)
  cmake_parse_arguments(ARG "" "SIDECAR;OUTPUT" "SOURCES;LIBRARIES" ${ARGN})
  set(folder ${CMAKE_BINARY_DIR}/plugins)
  if(ARG_OUTPUT)
    set(folder ${ARG_OUTPUT})
  endif()
  add_library(${name} MODULE ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE bermuda::method ${ARG_LIBRARIES})
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${folder})
  if(ARG_SIDECAR)
    bermuda_sidecar(${name} ${ARG_SIDECAR} ${folder})
    add_dependencies(${name} ${name}_sidecar)
  endif()
  if(COMMAND bermuda_flags)  # one of our own
    bermuda_flags(${name})
  endif()
endfunction()

# bermuda_sidecar(NAME FILE FOLDER): the target NAME_sidecar copies FILE to FOLDER/NAME.methods.json.
function(bermuda_sidecar name file folder)
  get_filename_component(file ${file} ABSOLUTE)
  set(copy ${folder}/${name}.methods.json)
  add_custom_command(OUTPUT ${copy} COMMAND ${CMAKE_COMMAND} -E copy ${file} ${copy}
                     DEPENDS ${file} VERBATIM)
  add_custom_target(${name}_sidecar DEPENDS ${copy})
endfunction()
