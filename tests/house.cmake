# Tests of the house itself: layers, formatting, public headers, documentation, packages.

add_test(NAME house.layers COMMAND "${PROJECT_SOURCE_DIR}/tools/check_layers")

find_program(ASKRFF_CLANG_FORMAT clang-format-14)
if(ASKRFF_CLANG_FORMAT)
  add_test(NAME house.format COMMAND "${PROJECT_SOURCE_DIR}/tools/check_format")
else()
  message(STATUS "house.format is not tested: clang-format-14 is not installed")
endif()

# Every public header compiles alone.
file(GLOB public_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/askrff/*.hpp")
set(header_sources)
foreach(header ${public_headers})
  get_filename_component(name ${header} NAME_WE)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/public_headers/${name}.cpp")
  file(GENERATE OUTPUT "${source}" CONTENT "#include \"askrff/${name}.hpp\"\n")
  list(APPEND header_sources "${source}")
endforeach()
add_library(askrff_public_headers OBJECT ${header_sources})
askrff_compile_options(askrff_public_headers)
target_link_libraries(askrff_public_headers PRIVATE askrff::static Eigen3::Eigen)

# The first program in C++ of README and of every page of docs is compiled and run; the command lines are run and their output compared.
file(GLOB documents CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/docs/*.md")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${documents})
foreach(document ${documents})
  file(STRINGS "${document}" programs REGEX "^```cpp$")
  if(programs)
    get_filename_component(name "${document}" NAME_WE)
    string(TOLOWER "${name}_program" name)
    set(program "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
    execute_process(COMMAND "${PROJECT_SOURCE_DIR}/tools/extract_snippet" "${document}" OUTPUT_FILE "${program}" COMMAND_ERROR_IS_FATAL ANY)
    add_executable(${name} "${program}")
    askrff_compile_options(${name})
    target_link_libraries(${name} PRIVATE askrff::data)
    add_test(NAME house.${name} COMMAND ${name})
  endif()
endforeach()
if(CMAKE_CROSSCOMPILING)
  message(STATUS "house.console_blocks, house.site and consume.pkg_config are not tested: they run programs by themselves, which these need an emulator for")
elseif(TARGET askrff_cli AND TARGET askrff_paper)
  add_test(NAME house.console_blocks COMMAND "${PROJECT_SOURCE_DIR}/tools/run_console_blocks" "$<TARGET_FILE_DIR:askrff_cli>" ${documents})
endif()

# An sdist has all headers that the library includes.
find_program(ASKRFF_DPKG_QUERY dpkg-query)
find_program(ASKRFF_PYTHON3 python3)
if(ASKRFF_DPKG_QUERY AND ASKRFF_PYTHON3)
  add_test(NAME house.bundled_headers COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/house/bundled_headers" "${CMAKE_CXX_COMPILER}" "${CMAKE_CURRENT_BINARY_DIR}/bundled_headers")
else()
  message(STATUS "house.bundled_headers is not tested: the headers are taken from Debian's packages by a python3 script")
endif()

# What README and docs/results say is what the files of docs/results hold. The documentation site has a place for every page.
if(ASKRFF_PYTHON3)
  add_test(NAME house.results COMMAND "${ASKRFF_PYTHON3}" "${PROJECT_SOURCE_DIR}/tools/make-results-page" --check)
  add_test(NAME house.packaging COMMAND "${ASKRFF_PYTHON3}" "${PROJECT_SOURCE_DIR}/tools/check_packaging")
  if(TARGET askrff_cli AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME house.site COMMAND "${ASKRFF_PYTHON3}" -B "${PROJECT_SOURCE_DIR}/docs/site/check_sources.py" "$<TARGET_FILE:askrff_cli>")
  endif()
else()
  message(STATUS "house.results, house.packaging and house.site are not tested: python3 is not installed")
endif()

# A foreign project uses the installed package, pkg-config, and add_subdirectory.
set(ways find_package components pkg_config add_subdirectory)
if(CMAKE_CXX_FLAGS MATCHES "-stdlib=libc\\+\\+")
  message(STATUS "consume.* is not tested: foreign projects would link this system's C++ libraries, which are made for libstdc++")
  set(ways)
elseif(CMAKE_CROSSCOMPILING OR APPLE) # whose linker has other options
  list(REMOVE_ITEM ways pkg_config)
endif()
foreach(way ${ways})
  add_test(NAME consume.${way}
           COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/consume/run" ${way} "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}"
                   "${CMAKE_CURRENT_BINARY_DIR}/consume_${way}" "${ASKRFF_SANITIZE}")
  set_tests_properties(consume.${way} PROPERTIES TIMEOUT 1800 COST 1000) # first: they are long
  if(CMAKE_CROSSCOMPILING)
    set_tests_properties(consume.${way} PROPERTIES ENVIRONMENT "CMAKE_TOOLCHAIN_FILE=${CMAKE_TOOLCHAIN_FILE};ASKRFF_EMULATOR=${emulator}")
  endif()
endforeach()
