# SPDX-License-Identifier: Apache-2.0
# HeddleTool.cmake - the heddle command: build/<preset>/heddle. Everything except its main is a
# library that other programs use in part.

file(GLOB_RECURSE heddle_tool_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cli/*.c")
file(GLOB heddle_tool_plain CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cli/bench/plain/*.c")
file(GLOB heddle_tool_kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cli/*/kernels/*.c"
    "${PROJECT_SOURCE_DIR}/src/cli/*/kernels/*/*.c")
list(APPEND heddle_tool_kernels ${heddle_tool_plain})
list(FILTER heddle_tool_sources EXCLUDE REGEX "/src/cli/(mpi|[a-z]+/kernels|bench/plain)/")
if(heddle_tool_sources)
    list(REMOVE_ITEM heddle_tool_sources "${PROJECT_SOURCE_DIR}/src/cli/main.c")
    add_library(heddle_cli STATIC ${heddle_tool_sources})
    add_executable(heddle_tool src/cli/main.c)
    set_target_properties(heddle_tool PROPERTIES OUTPUT_NAME heddle
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    heddle__compress_debug(heddle_tool)
    if(heddle_tool_kernels)
        heddle_add_kernels(heddle_tool_kernels ${heddle_tool_kernels})
        target_link_libraries(heddle_tool_kernels PRIVATE heddle_internal)
        target_link_libraries(heddle_cli PRIVATE heddle_tool_kernels)
    endif()
    if(HEDDLE_CHECK) # peers on the CPU use its device memory as their own, on purpose
        set_property(SOURCE ${heddle_tool_plain} APPEND PROPERTY COMPILE_OPTIONS
            -fno-sanitize=all -Umemcpy -Umemmove -Umemset)
    endif()
    # OpenMP threads for `heddle streams default`; without OpenMP it uses POSIX threads only.
    if(NOT CMAKE_CROSSCOMPILING AND NOT HEDDLE_CHECK AND NOT HEDDLE_SANITIZE)
        find_package(OpenMP QUIET COMPONENTS C)
    endif()
    if(OpenMP_C_FOUND)
        set_property(SOURCE "${PROJECT_SOURCE_DIR}/src/cli/lab/streams/default_threads.c" APPEND PROPERTY
            COMPILE_OPTIONS ${OpenMP_C_FLAGS})
        target_link_libraries(heddle_cli PRIVATE ${OpenMP_C_LIBRARIES})
    endif()
    if(TARGET heddle_io)
        target_link_libraries(heddle_cli PRIVATE heddle_io)
    endif()
    # `heddle exercise` finds the course beside the tool: in the build tree by a link, in a prefix where
    # HeddleInstall.cmake puts the docs.
    file(CREATE_LINK "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_BINARY_DIR}/docs" SYMBOLIC)
    file(RELATIVE_PATH heddle_docs_from_bin "${CMAKE_INSTALL_FULL_BINDIR}"
        "${CMAKE_INSTALL_FULL_DOCDIR}/docs")
    set_property(SOURCE "${PROJECT_SOURCE_DIR}/src/cli/exercise/course.c" APPEND PROPERTY
        COMPILE_DEFINITIONS HEDDLE_DOCS_FROM_BIN="${heddle_docs_from_bin}")
    target_link_libraries(heddle_cli PRIVATE heddle_internal heddle_paths heddle::heddle m
        ${CMAKE_DL_LIBS})
    target_link_libraries(heddle_tool PRIVATE heddle_cli heddle_internal)
endif()
