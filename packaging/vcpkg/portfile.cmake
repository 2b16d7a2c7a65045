# The port of askrff for vcpkg's registry. A release fills in REPO, if the project lives elsewhere, and SHA512 (0 makes vcpkg tell the right one).
vcpkg_from_github(
  OUT_SOURCE_PATH SOURCE_PATH
  REPO askrff/askrff
  REF "v${VERSION}"
  SHA512 0
  HEAD_REF main
)

vcpkg_check_features(
  OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    data ASKRFF_BUILD_DATA
    tools ASKRFF_BUILD_CLI
)

# One kind of library, which vcpkg names by BUILD_SHARED_LIBS.
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    -DASKRFF_BOTH_KINDS=OFF
    -DASKRFF_BUILD_TESTS=OFF
    -DASKRFF_BUILD_BENCH=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/askrff)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES askrff AUTO_CLEAN)
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share" "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
