# SPDX-License-Identifier: Apache-2.0
# HeddlePackage.cmake - `cpack -G DEB` in a build tree: one package with the tool, the libraries,
# the headers and the CMake package. Debian policy would split it; a cluster or a container installs
# a single one. Dependencies are read from the binaries (dpkg-shlibdeps).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_CONTACT "heddle developers <${PROJECT_HOMEPAGE_URL}>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake (>= 3.25)")
include(CPack)
