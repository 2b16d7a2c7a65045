# A library of this project, compiled once and linked twice.

# askrff_library(NAME SOURCES...): NAME_objects, of which NAME_static and NAME_shared are made (libNAME.a, libNAME.so), and NAME, the one of the two that
# BUILD_SHARED_LIBS wants. Users link askrff::static, askrff::shared, askrff::askrff; of another library than askrff itself askrff::data_static and so on.
function(askrff_library name)
  string(REGEX REPLACE "^askrff_?" "" short ${name})
  add_library(${name}_objects OBJECT ${ARGN})
  askrff_compile_options(${name}_objects)
  set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name}_objects
    PUBLIC "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include"
    PRIVATE "${PROJECT_SOURCE_DIR}/src")

  foreach(kind STATIC SHARED)
    string(TOLOWER ${kind} suffix)
    set(target ${name}_${suffix})
    string(REGEX REPLACE "^_" "" exported "${short}_${suffix}")
    add_library(${target} ${kind} $<TARGET_OBJECTS:${name}_objects>)
    add_library(askrff::${exported} ALIAS ${target})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${exported} LINKER_LANGUAGE CXX INSTALL_RPATH "$ORIGIN"
                          VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_include_directories(${target} PUBLIC
      "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>"
      "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    askrff_sanitize(${target})
  endforeach()

  add_library(${name} INTERFACE)
  if(short)
    set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
    add_library(askrff::${short} ALIAS ${name})
  else()
    add_library(askrff::askrff ALIAS ${name})
  endif()
  if(BUILD_SHARED_LIBS)
    target_link_libraries(${name} INTERFACE ${name}_shared)
  else()
    target_link_libraries(${name} INTERFACE ${name}_static)
  endif()
endfunction()
