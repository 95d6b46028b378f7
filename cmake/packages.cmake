# Debian packages: `cpack --config build/release/CPackConfig.cmake`, or scripts/package.sh, which
# builds first. Split so that who works with data needs no LibTorch, and no MPI either.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bermuda)
set(CPACK_PACKAGE_CONTACT "Bermuda developers <bermuda@example.org>" CACHE STRING
    "Who maintains the Debian packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL base dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# The libraries of one package are looked up by the others' dpkg-shlibdeps in the build tree.
get_property(modules GLOBAL PROPERTY bermuda_modules)
foreach(module IN LISTS modules)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src/${module})
endforeach()
# Libraries in /usr/lib are found without a search path of their own.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/remove_rpath.cmake)
set(version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

set(CPACK_DEBIAN_BASE_PACKAGE_NAME bermuda)
set(CPACK_COMPONENT_BASE_DESCRIPTION "Makes the data sets of the Bermuda Triangles paper, audits and filters
 anybody's graph data sets, trains kernel methods on them and reports.")
set(CPACK_DEBIAN_BASE_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
# Loaded when it is needed, so that dpkg-shlibdeps cannot see it.
set(CPACK_DEBIAN_BASE_PACKAGE_DEPENDS "libcurl4 | libcurl4t64")
set(CPACK_DEBIAN_BASE_PACKAGE_SUGGESTS "bermuda-neural, bermuda-mpi")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libbermuda-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEV_DESCRIPTION "Headers and CMake files of the library, and what plug-ins need.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "bermuda (= ${version}), libfmt-dev, nlohmann-json3-dev, librandom123-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "bermuda-neural, libtorch-dev")

if(BERMUDA_NEURAL)
  list(APPEND CPACK_COMPONENTS_ALL neural)
  set(CPACK_DEBIAN_NEURAL_PACKAGE_NAME bermuda-neural)
  set(CPACK_COMPONENT_NEURAL_DESCRIPTION "Graph neural networks and the Transformer with an adjacency mask.")
  set(CPACK_DEBIAN_NEURAL_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
  set(CPACK_DEBIAN_NEURAL_PACKAGE_DEPENDS "bermuda (= ${version}), libopenblas0-pthread")
endif()
if(BERMUDA_MPI)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME bermuda-mpi)
  set(CPACK_COMPONENT_MPI_DESCRIPTION "Spreads generation, filter and runs over the processes of mpirun.")
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "bermuda (= ${version}), openmpi-bin")
endif()

if(TARGET bermuda_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-bermuda)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The library from Python: graphs of networkx and PyTorch Geometric in and
 out, audits, data sets, methods as classifiers of scikit-learn.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/python/postinst
      ${PROJECT_SOURCE_DIR}/cmake/debian/python/prerm)
  # An extension is for the version of Python that it was built with.
  math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
  set(python "python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}~)")
  string(APPEND python ", python3 (<< ${Python3_VERSION_MAJOR}.${next_minor})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "bermuda (= ${version}), ${python}, python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS
      "bermuda-neural, python3-networkx, python3-scipy, python3-sklearn")
endif()

# What Debian wants in every package.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/changelog.Debian.gz
  COMMAND ${GZIP} -9nc ${PROJECT_SOURCE_DIR}/cmake/debian/changelog
          > ${PROJECT_BINARY_DIR}/changelog.Debian.gz
  DEPENDS cmake/debian/changelog VERBATIM)
add_custom_target(debian_changelog ALL DEPENDS ${PROJECT_BINARY_DIR}/changelog.Debian.gz)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  install(FILES cmake/debian/copyright ${PROJECT_BINARY_DIR}/changelog.Debian.gz
          DESTINATION ${folder} COMPONENT ${component})
endforeach()
include(CPack)
