# Run by CPack on what it is about to pack: programs and libraries lose the search path that lets an
# installed tree stand anywhere, since the packages' libraries stand where the system looks.
file(GLOB_RECURSE files LIST_DIRECTORIES OFF "${CPACK_TEMPORARY_DIRECTORY}/*")
foreach(file IN LISTS files)
  if(IS_SYMLINK ${file} OR NOT file MATCHES "/bin/|\\.so")
    continue()
  endif()
  file(READ ${file} magic LIMIT 4 HEX)
  if(magic STREQUAL "7f454c46")
    file(RPATH_REMOVE FILE ${file})
  endif()
endforeach()
