# SPDX-License-Identifier: Apache-2.0
# HeddleInstall.cmake - find_package(heddle) from the build tree and from a prefix, pkg-config,
# headers, libraries, tool, docs.
include(CMakePackageConfigHelpers)

set(HEDDLE_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/heddle")

# Settings of the library's build; a user's cache entry of the same name has precedence.
set(HEDDLE_RECORDED "")
foreach(variable ${HEDDLE_BACKEND_RECORD})
    string(APPEND HEDDLE_RECORDED "if(NOT DEFINED CACHE{${variable}})\n"
        "    set(${variable} \"${${variable}}\")\nendif()\n")
endforeach()

# The build tree can be used as a package too.
set(HEDDLE_LIBRARIES heddle_core)
if(NOT HEDDLE_CORE_ONLY)
    list(APPEND HEDDLE_LIBRARIES heddle_static heddle_shared)
endif()
export(TARGETS heddle_headers ${HEDDLE_LIBRARIES} NAMESPACE heddle::
    FILE "${PROJECT_BINARY_DIR}/heddleTargets.cmake")
if(TARGET heddle_mpi) # apart, for who finds heddle without it needs no MPI
    export(TARGETS heddle_mpi NAMESPACE heddle:: FILE "${PROJECT_BINARY_DIR}/heddleMpiTargets.cmake")
endif()
set(HEDDLE_PACKAGE_KERNELS "${PROJECT_SOURCE_DIR}/cmake/HeddleKernels.cmake")
set(HEDDLE_PACKAGE_BACKENDS "${HEDDLE_BACKENDS_DIR}")
configure_package_config_file(cmake/heddleConfig.cmake.in "${PROJECT_BINARY_DIR}/heddleConfig.cmake"
    INSTALL_DESTINATION "${PROJECT_BINARY_DIR}" INSTALL_PREFIX "${PROJECT_BINARY_DIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)

# Binaries have the same RPATH in the build tree and in a prefix: the folders outside of this
# project with libraries that they were linked with. Otherwise CMake pads the RPATH of the build
# tree with empty entries, which the loader takes as the current directory.
foreach(target heddle_core heddle_shared heddle_tool heddle_mpi heddle_mpi_tool)
    if(TARGET ${target})
        set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON
            INSTALL_RPATH_USE_LINK_PATH ON)
    endif()
endforeach()

if(NOT HEDDLE_INSTALL)
    return()
endif()

install(TARGETS heddle_headers ${HEDDLE_LIBRARIES} EXPORT heddleTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT heddleTargets NAMESPACE heddle:: DESTINATION "${HEDDLE_PACKAGE_DIR}")
if(TARGET heddle_tool)
    install(TARGETS heddle_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
if(TARGET heddle_mpi)
    install(TARGETS heddle_mpi EXPORT heddleMpiTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    install(EXPORT heddleMpiTargets NAMESPACE heddle:: DESTINATION "${HEDDLE_PACKAGE_DIR}")
endif()
if(TARGET heddle_mpi_tool)
    install(TARGETS heddle_mpi_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

# Headers of heddle and of the selected backend.
foreach(folder "${PROJECT_SOURCE_DIR}/include" ${HEDDLE_BACKEND_INCLUDE_DIRS})
    install(DIRECTORY "${folder}/heddle" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.inc")
endforeach()

set(HEDDLE_PACKAGE_KERNELS "\${CMAKE_CURRENT_LIST_DIR}/HeddleKernels.cmake")
set(HEDDLE_PACKAGE_BACKENDS "\${CMAKE_CURRENT_LIST_DIR}/backends")
configure_package_config_file(cmake/heddleConfig.cmake.in
    "${PROJECT_BINARY_DIR}/install/heddleConfig.cmake" INSTALL_DESTINATION "${HEDDLE_PACKAGE_DIR}")
install(FILES "${PROJECT_BINARY_DIR}/install/heddleConfig.cmake"
    "${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake" cmake/HeddleKernels.cmake
    DESTINATION "${HEDDLE_PACKAGE_DIR}")
foreach(file ${HEDDLE_BACKEND_FILES})
    get_filename_component(folder "${file}" DIRECTORY)
    install(FILES "backends/${file}" DESTINATION "${HEDDLE_PACKAGE_DIR}/backends/${folder}" OPTIONAL)
endforeach()

get_target_property(libraries heddle::backend_runtime INTERFACE_LINK_LIBRARIES)
list(REMOVE_ITEM libraries "")
list(TRANSFORM libraries REPLACE "^([a-z]+)$" "-l\\1")
list(JOIN libraries " " HEDDLE_PC_LIBS)
if(HEDDLE_SANITIZE)
    string(APPEND HEDDLE_PC_LIBS " -fsanitize=${HEDDLE_SANITIZE}")
endif()
heddle_backend_kernel_command(HEDDLE_PC_KERNEL_COMMAND)
set(HEDDLE_PC_CFLAGS "")
if(HEDDLE_CHECK) # as the targets have it
    set(HEDDLE_PC_CFLAGS " -DHD_CPU_CHECK=1 -g -gdwarf-4 -fsanitize=thread")
    foreach(name memcpy memmove memset)
        string(APPEND HEDDLE_PC_CFLAGS " -D${name}=__tsan_${name}")
    endforeach()
endif()
set(HEDDLE_PC_PREFIX "\${pcfiledir}/../..")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(HEDDLE_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
elseif(CMAKE_INSTALL_LIBDIR MATCHES "/")
    string(APPEND HEDDLE_PC_PREFIX "/..")
endif()
foreach(target ${HEDDLE_LIBRARIES})
    get_target_property(HEDDLE_PC_LIBRARY ${target} OUTPUT_NAME)
    string(REPLACE "_" "-" name "${HEDDLE_PC_LIBRARY}") # heddle.pc, heddle-core.pc
    configure_file(cmake/heddle.pc.in "${PROJECT_BINARY_DIR}/install/${name}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/install/${name}.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()

# With the layout of the source tree, so that links between pages work.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE NOTICE
    DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
install(DIRECTORY tests/install/tour tests/install/core tests/install/primitives
    tests/install/several tests/install/ranks
    DESTINATION "${CMAKE_INSTALL_DOCDIR}/tests/install" OPTIONAL)
install(DIRECTORY tests/examples DESTINATION "${CMAKE_INSTALL_DOCDIR}/tests" OPTIONAL)
install(FILES tests/install/deb.sh DESTINATION "${CMAKE_INSTALL_DOCDIR}/tests/install" OPTIONAL)
