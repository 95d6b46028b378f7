# What `cmake --install` puts where, beside the modules (bermuda_module) and the plug-ins. The
# components base, neural, mpi, python and dev are Debian packages: see packages.cmake.
include(CMakePackageConfigHelpers)

set(bermuda_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/bermuda)
configure_package_config_file(cmake/bermudaConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/bermudaConfig.cmake INSTALL_DESTINATION ${bermuda_cmake_folder})
# Classes are passed, not a stable interface: 0.1 and 0.2 do not mix.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/bermudaConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bermudaConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/bermudaConfigVersion.cmake
              cmake/FindRandom123.cmake cmake/plugin.cmake
        DESTINATION ${bermuda_cmake_folder} COMPONENT dev)
install(EXPORT bermuda-base NAMESPACE bermuda:: DESTINATION ${bermuda_cmake_folder} COMPONENT dev)
if(BERMUDA_NEURAL)
  install(EXPORT bermuda-neural NAMESPACE bermuda:: DESTINATION ${bermuda_cmake_folder}
          COMPONENT dev)
endif()

# The everyday API: needs no LibTorch; bench and report are left out.
add_library(bermuda_everyday INTERFACE)
add_library(bermuda::bermuda ALIAS bermuda_everyday)
target_link_libraries(bermuda_everyday INTERFACE
  bermuda::generate bermuda::kernel bermuda::probe bermuda::run bermuda::verify)
set_target_properties(bermuda_everyday PROPERTIES EXPORT_NAME bermuda)
install(TARGETS bermuda_everyday EXPORT bermuda-base)
install(FILES include/bermuda/bermuda.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bermuda
        COMPONENT dev)

install(TARGETS bermuda RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT base)
install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/bermuda COMPONENT base)

# Man pages and completion are written by the program, so that they say what --help says.
find_program(GZIP gzip REQUIRED)
install(CODE "
  set(share \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
  set(program \"${CMAKE_COMMAND}\" -E env --unset=BERMUDA_PLUGINS \"$<TARGET_FILE:bermuda>\")
  file(REMOVE_RECURSE \"${PROJECT_BINARY_DIR}/man\")
  execute_process(COMMAND \${program} man -o \"${PROJECT_BINARY_DIR}/man\"
                  COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB pages \"${PROJECT_BINARY_DIR}/man/*.1\")
  execute_process(COMMAND \"${GZIP}\" -9nf \${pages} COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB pages \"${PROJECT_BINARY_DIR}/man/*.1.gz\")
  file(INSTALL \${pages} DESTINATION \"\${share}/man/man1\")
  execute_process(COMMAND \${program} completion bash COMMAND_ERROR_IS_FATAL ANY
                  OUTPUT_FILE \"${PROJECT_BINARY_DIR}/completion.bash\")
  file(INSTALL \"${PROJECT_BINARY_DIR}/completion.bash\"
       DESTINATION \"\${share}/bash-completion/completions\" RENAME bermuda)
" COMPONENT base)
