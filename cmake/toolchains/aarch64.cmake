# Linux on aarch64, compiled here by Debian's cross compiler against the folder that tools/make-sysroot makes, and run by qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

get_filename_component(askrff_sysroot "${CMAKE_CURRENT_LIST_DIR}/../../build/sysroot-arm64" ABSOLUTE)
set(CMAKE_SYSROOT "${askrff_sysroot}")
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(ASKRFF_QEMU qemu-aarch64 REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR "${ASKRFF_QEMU};-E;ASKRFF_EMULATED=1;-L;${askrff_sysroot}")
