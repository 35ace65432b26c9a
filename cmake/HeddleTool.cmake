# SPDX-License-Identifier: Apache-2.0
# HeddleTool.cmake - the heddle command: build/<preset>/heddle.

file(GLOB heddle_tool_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cli/*.c")
file(GLOB heddle_tool_kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cli/kernels/*.c")
if(heddle_tool_sources)
    add_executable(heddle_tool ${heddle_tool_sources})
    set_target_properties(heddle_tool PROPERTIES OUTPUT_NAME heddle
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    if(heddle_tool_kernels)
        heddle_add_kernels(heddle_tool_kernels ${heddle_tool_kernels})
        target_link_libraries(heddle_tool_kernels PRIVATE heddle_internal)
        target_link_libraries(heddle_tool PRIVATE heddle_tool_kernels)
    endif()
    if(TARGET heddle_io)
        target_link_libraries(heddle_tool PRIVATE heddle_io)
    endif()
    target_link_libraries(heddle_tool PRIVATE heddle_internal heddle::heddle m ${CMAKE_DL_LIBS})
endif()
