# Installs headers, libraries of both kinds, the command, the CMake package and the pkg-config files.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/askrff)
# Relative to where the .pc file lies, so that the installed tree can be moved.
file(RELATIVE_PATH ASKRFF_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")

function(askrff_install name targets pc)
  install(TARGETS ${name} ${name}_static ${name}_shared EXPORT ${targets}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT ${targets} NAMESPACE askrff:: DESTINATION ${package_dir})
  configure_file(cmake/${pc}.in "${PROJECT_BINARY_DIR}/${pc}" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${pc}" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

askrff_install(askrff askrffTargets askrff.pc)
if(TARGET askrff_data)
  askrff_install(askrff_data askrffDataTargets askrff-data.pc)
  install(FILES cmake/FindLZ4.cmake DESTINATION ${package_dir})
endif()
install(DIRECTORY include/askrff DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_BINARY_DIR}/include/askrff/version.hpp" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/askrff)

configure_package_config_file(cmake/askrffConfig.cmake.in "${PROJECT_BINARY_DIR}/askrffConfig.cmake" INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/askrffConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/askrffConfig.cmake" "${PROJECT_BINARY_DIR}/askrffConfigVersion.cmake" DESTINATION ${package_dir})

if(TARGET askrff_cli)
  install(TARGETS askrff_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(ASKRFF_MANUAL)
    install(DIRECTORY "${ASKRFF_MANUAL}/" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
  install(FILES cli/completion/askrff.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME askrff)
  install(FILES cli/completion/_askrff DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  if(EXISTS /etc/debian_version) # whose zsh looks there for what is under /usr
    install(FILES cli/completion/_askrff DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  endif()
  install(FILES cli/completion/askrff.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(FILES LICENSE README.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
