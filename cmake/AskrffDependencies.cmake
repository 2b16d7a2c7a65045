# Where Boost, Eigen, fmt, Highway and Random123 come from: third_party/, which an sdist has (tools/bundle-dependencies), or what is installed.
# third_party/ has what the library askrff itself takes: askrff::data and the programs are always built with what is installed. All are private
# to the library: a user needs none of their headers.
#   ASKRFF_HEADERS          targets that the library is compiled with
#   ASKRFF_LINKED           those that whoever links the static library links too, and their lines in the package files
#   ASKRFF_BUNDLED_SOURCES  what is compiled into the library instead
find_package(Threads REQUIRED)
set(ASKRFF_BUNDLED "${PROJECT_SOURCE_DIR}/third_party")
if(EXISTS "${ASKRFF_BUNDLED}/components.json" AND NOT ASKRFF_BUILD_DATA)
  message(STATUS "Boost, Eigen, fmt, Highway and Random123 are those of ${ASKRFF_BUNDLED}")
  add_library(askrff_bundled INTERFACE)
  target_include_directories(askrff_bundled SYSTEM INTERFACE "${ASKRFF_BUNDLED}/include")
  # The last: Boost 1.74 asks a list of compilers whether std::unary_function is there; in C++20 it is not.
  target_compile_definitions(askrff_bundled INTERFACE FMT_HEADER_ONLY=1 EIGEN_MPL2_ONLY BOOST_NO_CXX98_FUNCTION_BASE)
  set(ASKRFF_HEADERS askrff_bundled)
  set(ASKRFF_LINKED)
  set(ASKRFF_BUNDLED_SOURCES "${ASKRFF_BUNDLED}/hwy/targets.cc")
  set_source_files_properties(${ASKRFF_BUNDLED_SOURCES} PROPERTIES COMPILE_OPTIONS "-w" SKIP_PRECOMPILE_HEADERS ON)
else()
  find_package(Boost 1.74 REQUIRED)
  find_package(Eigen3 3.3 REQUIRED NO_MODULE)
  find_package(fmt REQUIRED)
  find_package(hwy REQUIRED)
  find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
  add_library(askrff_random123 INTERFACE)
  target_include_directories(askrff_random123 SYSTEM INTERFACE "${RANDOM123_INCLUDE_DIR}")
  set(ASKRFF_HEADERS Boost::headers Eigen3::Eigen askrff_random123)
  set(ASKRFF_LINKED fmt::fmt hwy::hwy)
  set(ASKRFF_BUNDLED_SOURCES)
endif()

# What the installed packages say of it.
set(ASKRFF_FIND_LINKED "")
set(ASKRFF_PC_LINKED "")
if(ASKRFF_LINKED AND "static" IN_LIST ASKRFF_KINDS)
  set(ASKRFF_FIND_LINKED "find_dependency(fmt)\nfind_dependency(hwy)\n")
  set(ASKRFF_PC_LINKED "-lfmt -lhwy ")
endif()
