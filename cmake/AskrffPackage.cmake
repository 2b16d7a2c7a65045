# Debian packages of the installed tree's components, made by cpack (tools/build-deb has it built as Debian wants it): libaskrff0.1, libaskrff-dev, askrff.

set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(release 1)
set(full_version ${PROJECT_VERSION}-${release})
set(runtime_package libaskrff${soversion}) # both libraries: their sonames change together
set(development_package libaskrff-dev)
set(command_package askrff)

# Who packages says so by Debian's own variables.
set(maintainer_name "askrff contributors")
set(maintainer_address "askrff@packages.invalid")
if(DEFINED ENV{DEBFULLNAME})
  set(maintainer_name "$ENV{DEBFULLNAME}")
endif()
if(DEFINED ENV{DEBEMAIL})
  set(maintainer_address "$ENV{DEBEMAIL}")
endif()

# askrff_dependencies(OUT PART): licence, name, copyright and home page of what is compiled into a part, as lines of a copyright file, and OUT_packages, the
# packages that whoever links with it statically needs.
file(READ packaging/dependencies.json dependencies)
string(JSON n_dependencies LENGTH "${dependencies}" dependencies)
math(EXPR last_dependency "${n_dependencies} - 1")
function(askrff_dependencies out part)
  set(lines "")
  set(packages "")
  foreach(i RANGE ${last_dependency})
    foreach(field name used_by code licence copyright homepage debian through)
      string(JSON ${field} ERROR_VARIABLE missing GET "${dependencies}" dependencies ${i} ${field})
      if(missing)
        set(${field} "")
      endif()
    endforeach()
    if(through OR NOT used_by MATCHES "\"${part}\"")
      continue()
    endif()
    string(APPEND lines " .\n ${name}, ${homepage}\n Copyright ${copyright}\n Licence ${licence}\n")
    if(code STREQUAL "library")
      list(APPEND packages ${debian})
    endif()
  endforeach()
  set(${out} "${lines}" PARENT_SCOPE)
  set(${out}_packages "${packages}" PARENT_SCOPE)
endfunction()
foreach(part library data command)
  askrff_dependencies(${part} ${part})
endforeach()
set(static_packages ${library_packages} ${data_packages})
list(REMOVE_DUPLICATES static_packages)
list(JOIN static_packages ", " static_packages)

# A licence's text as Debian's format wants it: indented, an empty line is a dot.
function(askrff_licence_text out file)
  file(READ "${file}" text)
  string(STRIP "${text}" text)
  string(REPLACE "\n\n" "\n.\n" text "${text}")
  string(REPLACE "\n" "\n " text "${text}")
  set(${out} " ${text}" PARENT_SCOPE)
endfunction()
foreach(licence BSL-1.0 MIT)
  askrff_licence_text(${licence} packaging/licences/${licence}.txt)
endforeach()
askrff_licence_text(BSD-3-Clause LICENSE)
configure_file(packaging/debian/copyright.in "${PROJECT_BINARY_DIR}/copyright" @ONLY)

string(TIMESTAMP package_date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH
configure_file(packaging/debian/changelog.in "${PROJECT_BINARY_DIR}/changelog.Debian" @ONLY)
execute_process(COMMAND gzip -9nc changelog.Debian WORKING_DIRECTORY "${PROJECT_BINARY_DIR}" OUTPUT_FILE changelog.Debian.gz COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND gzip -9nc "${PROJECT_SOURCE_DIR}/CHANGELOG.md" WORKING_DIRECTORY "${PROJECT_BINARY_DIR}" OUTPUT_FILE changelog.gz
                COMMAND_ERROR_IS_FATAL ANY)
foreach(component runtime development command)
  set(documents ${CMAKE_INSTALL_DATAROOTDIR}/doc/${${component}_package})
  install(FILES "${PROJECT_BINARY_DIR}/copyright" "${PROJECT_BINARY_DIR}/changelog.Debian.gz" "${PROJECT_BINARY_DIR}/changelog.gz"
          DESTINATION ${documents} COMPONENT ${component})
endforeach()
configure_file(packaging/debian/lintian-overrides.in "${PROJECT_BINARY_DIR}/lintian-overrides" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/lintian-overrides" DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides RENAME ${runtime_package} COMPONENT runtime)

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL runtime development command)
set(CPACK_PACKAGE_NAME askrff)
set(CPACK_PACKAGE_VENDOR "${maintainer_name}")
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/debian/compress_manuals.cmake")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${release})
set(CPACK_DEBIAN_PACKAGE_SOURCE askrff)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${maintainer_name} <${maintainer_address}>")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # every package has its own: the first line of its description
set(about "Features approximate a kernel k(x - y) that need be neither symmetric nor
positive definite, K(X,Y) = left(X) right(Y)', at a cost linear in the number
of rows: random Fourier features, better point sets, Nystroem features, and
linear models on them.

")
foreach(component RUNTIME DEVELOPMENT COMMAND)
  string(TOLOWER ${component} variable)
  set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${${variable}_package})
endforeach()
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_PROVIDES "libaskrff (= ${full_version})")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/packaging/debian/triggers")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "random Fourier features for asymmetric kernels: libraries\n${about}This package has the shared libraries.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${runtime_package} (= ${full_version}), ${static_packages}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libeigen3-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "random Fourier features for asymmetric kernels: development files\n${about}This package has headers, static libraries, the CMake package and files for
pkg-config.")

set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${runtime_package} (= ${full_version})")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "random Fourier features for asymmetric kernels: command line\n${about}This package has the command askrff.")
include(CPack)
