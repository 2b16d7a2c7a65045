# Compiler options shared by everything built here.

function(askrff_sanitize target)
  if(ASKRFF_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ASKRFF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${ASKRFF_SANITIZE})
  endif()
endfunction()

function(askrff_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  # No contraction to fused multiply-add: drawn frequencies are the same bits on every machine.
  # -Wno-restrict, -Wno-stringop-overflow: GCC 12 sees overlapping and huge copies inside std::string where there are none (GCC bugs 105651, 105329).
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow>" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off)
  askrff_sanitize(${target})
endfunction()

# Code that parses, prints or tests: little of its time is its own, much of the build would be (and GCC 12 warns of copies in std::string that
# cannot happen once it has inlined enough).
function(askrff_compile_quickly target)
  askrff_compile_options(${target})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Files that belong together are compiled as one, in a third of the time, but in Debug builds: all of a target's (BATCH), those of a UNITY_GROUP
# (GROUP), or twelve at a time (DOZENS): tests and benchmarks. -DCMAKE_UNITY_BUILD=OFF compiles each for itself.
function(askrff_compile_together target mode)
  if(DEFINED CMAKE_UNITY_BUILD OR CMAKE_BUILD_TYPE STREQUAL "Debug")
    return()
  endif()
  set(batch 0)
  if(mode STREQUAL "DOZENS")
    set(mode BATCH)
    set(batch 12)
    target_compile_options(${target} PRIVATE -Wno-shadow) # names of one file are seen in the next
  endif()
  # GCC takes what stands in an included source for what stands in a header, and warns of anonymous namespaces in it.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE ${mode} UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()

# Loops over several random numbers at once (core/philox.hpp, core/box_muller.hpp) become vector code with any instruction set: the first
# option reads `#pragma omp simd` (no OpenMP library is linked), the second lets a square root be one instruction. Neither changes a bit.
set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/src/core/random.cpp" PROPERTIES COMPILE_OPTIONS "-fopenmp-simd;-fno-math-errno")

# Clang 18 to 21 want vectors of 512 bits allowed by a word of its own, which Highway before 1.1 does not say.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64"
   AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 18 AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 22)
  set_property(SOURCE "${CMAKE_CURRENT_SOURCE_DIR}/src/backend/simd/targets.cpp" APPEND PROPERTY COMPILE_OPTIONS "-mevex512;-Wno-deprecated")
endif()
