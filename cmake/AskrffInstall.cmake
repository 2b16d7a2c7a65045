# Installs headers, libraries of both kinds, the command, the CMake package and the pkg-config files, each in one of three components: runtime (shared
# libraries), development (what is compiled and linked against) and command (the program and its documents). The tree can be moved as a whole.
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME command)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/askrff)
# Relative to where the .pc file lies, so that the installed tree can be moved; folders may be given as absolute paths.
file(RELATIVE_PATH ASKRFF_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH ASKRFF_PC_LIBDIR "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH ASKRFF_PC_INCLUDEDIR "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")

function(askrff_install name targets pc)
  list(TRANSFORM ASKRFF_KINDS PREPEND "${name}_" OUTPUT_VARIABLE kinds)
  install(TARGETS ${name} ${kinds} EXPORT ${targets}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
  install(EXPORT ${targets} NAMESPACE askrff:: DESTINATION ${package_dir} COMPONENT development)
  configure_file(cmake/${pc}.in "${PROJECT_BINARY_DIR}/${pc}" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${pc}" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endfunction()

askrff_install(askrff askrffTargets askrff.pc)
if(TARGET askrff_data)
  askrff_install(askrff_data askrffDataTargets askrff-data.pc)
  install(FILES cmake/FindLZ4.cmake DESTINATION ${package_dir} COMPONENT development)
endif()
install(DIRECTORY include/askrff DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_BINARY_DIR}/include/askrff/version.hpp" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/askrff COMPONENT development)

configure_package_config_file(cmake/askrffConfig.cmake.in "${PROJECT_BINARY_DIR}/askrffConfig.cmake" INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/askrffConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/askrffConfig.cmake" "${PROJECT_BINARY_DIR}/askrffConfigVersion.cmake" DESTINATION ${package_dir} COMPONENT development)

if(TARGET askrff_cli)
  install(TARGETS askrff_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH from_command "/prefix/${CMAKE_INSTALL_BINDIR}" "/prefix/${CMAKE_INSTALL_LIBDIR}")
    set_target_properties(askrff_cli PROPERTIES INSTALL_RPATH "${ASKRFF_ORIGIN}/${from_command}")
  endif()
  if(ASKRFF_MANUAL)
    install(DIRECTORY "${ASKRFF_MANUAL}/" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
  endif()
  if(ASKRFF_DEBIAN) # whose zsh looks there for what is under /usr
    set(zsh_functions vendor-completions)
  else()
    set(zsh_functions site-functions)
  endif()
  install(FILES cli/completion/askrff.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME askrff COMPONENT command)
  install(FILES cli/completion/_askrff DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh_functions} COMPONENT command)
  install(FILES cli/completion/askrff.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT command)
endif()
if(NOT ASKRFF_DEBIAN) # which has them as its policy wants
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
endif()
install(FILES README.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
