# LIBLINEAR, the judge of the SVM in tests and benchmarks (tests/oracle/liblinear.hpp); without it those skip what needs it.
find_path(LIBLINEAR_INCLUDE_DIR linear.h)
find_library(LIBLINEAR_LIBRARY linear)

# askrff_judge_by_liblinear(TARGET): compiles tests/oracle/liblinear.cpp into the target.
function(askrff_judge_by_liblinear target)
  set(source "${PROJECT_SOURCE_DIR}/tests/oracle/liblinear.cpp")
  target_sources(${target} PRIVATE "${source}")
  if(LIBLINEAR_INCLUDE_DIR AND LIBLINEAR_LIBRARY)
    set_source_files_properties("${source}" PROPERTIES COMPILE_DEFINITIONS ASKRFF_HAS_LIBLINEAR)
    target_include_directories(${target} SYSTEM PRIVATE "${LIBLINEAR_INCLUDE_DIR}")
    target_link_libraries(${target} PRIVATE "${LIBLINEAR_LIBRARY}")
  endif()
endfunction()
