# SPDX-License-Identifier: Apache-2.0
# HeddleMpi.cmake - heddle::mpi (include/heddle/mpi.h) and the program heddle-mpi, which `heddle
# mpi` starts: only these link MPI, so that heddle itself can be installed without it.

if(HEDDLE_MPI STREQUAL "AUTO" AND CMAKE_CROSSCOMPILING)
    return()
elseif(HEDDLE_MPI STREQUAL "AUTO")
    find_package(MPI QUIET COMPONENTS C)
elseif(HEDDLE_MPI)
    find_package(MPI REQUIRED COMPONENTS C)
else()
    return()
endif()
if(NOT MPI_C_FOUND)
    message(STATUS "heddle: no MPI, so no heddle::mpi (Debian: libopenmpi-dev openmpi-bin)")
    return()
endif()

file(GLOB_RECURSE heddle_mpi_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/mpi/*.c")
foreach(folder ${HEDDLE_BACKEND_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/backends/${folder}/mpi/*.c")
    list(APPEND heddle_mpi_sources ${found})
endforeach()
add_library(heddle_mpi_objects OBJECT ${heddle_mpi_sources})
set_target_properties(heddle_mpi_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(heddle_mpi_objects PRIVATE heddle_internal heddle_paths heddle::heddle MPI::MPI_C)
if(HEDDLE_BACKEND STREQUAL "hip" AND HEDDLE_HIP_PLATFORM STREQUAL "amd")
    target_compile_definitions(heddle_mpi_objects PRIVATE MPI_AMD=1)
endif()
add_library(heddle_mpi $<TARGET_OBJECTS:heddle_mpi_objects>)
add_library(heddle::mpi ALIAS heddle_mpi)
set_target_properties(heddle_mpi PROPERTIES EXPORT_NAME mpi LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
if(BUILD_SHARED_LIBS) # both in one folder, in a build tree and in a prefix
    set_target_properties(heddle_mpi PROPERTIES INSTALL_RPATH "$ORIGIN")
    target_link_libraries(heddle_mpi PUBLIC heddle_shared MPI::MPI_C)
    add_library(heddle_mpi_static STATIC $<TARGET_OBJECTS:heddle_mpi_objects>)
    set_target_properties(heddle_mpi_static PROPERTIES LINKER_LANGUAGE C)
    target_link_libraries(heddle_mpi_static PUBLIC heddle_static MPI::MPI_C)
else()
    target_link_libraries(heddle_mpi PUBLIC heddle_static MPI::MPI_C)
    add_library(heddle_mpi_static ALIAS heddle_mpi)
endif()

if(TARGET heddle_cli)
    file(GLOB heddle_mpi_tool_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cli/mpi/*.c")
    add_executable(heddle_mpi_tool ${heddle_mpi_tool_sources})
    set_target_properties(heddle_mpi_tool PROPERTIES OUTPUT_NAME heddle-mpi
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    heddle__compress_debug(heddle_mpi_tool)
    target_link_libraries(heddle_mpi_tool PRIVATE heddle_cli heddle_internal heddle_paths
        heddle_mpi_static)
endif()
