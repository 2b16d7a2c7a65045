# A library of this project, compiled once and linked twice.

if(BUILD_SHARED_LIBS)
  set(askrff_default_kind shared)
else()
  set(askrff_default_kind static)
endif()
if(ASKRFF_BOTH_KINDS)
  set(ASKRFF_KINDS static shared)
else()
  set(ASKRFF_KINDS ${askrff_default_kind})
endif()
# Where an installed library looks for the ones beside it: trees can be moved.
if(APPLE)
  set(ASKRFF_ORIGIN "@loader_path")
else()
  set(ASKRFF_ORIGIN "$ORIGIN")
endif()

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

  foreach(kind ${ASKRFF_KINDS})
    string(TOUPPER ${kind} type)
    set(target ${name}_${kind})
    string(REGEX REPLACE "^_" "" exported "${short}_${kind}")
    add_library(${target} ${type} $<TARGET_OBJECTS:${name}_objects>)
    add_library(askrff::${exported} ALIAS ${target})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${exported} LINKER_LANGUAGE CXX INSTALL_RPATH "${ASKRFF_ORIGIN}"
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
  target_link_libraries(${name} INTERFACE ${name}_${askrff_default_kind})
endfunction()
