# SPDX-License-Identifier: Apache-2.0
# CUDA: nvcc compiles kernels, the project's C compiler the runtime.
include("${CMAKE_CURRENT_LIST_DIR}/nvcc.cmake")

function(heddle_backend_probe ok why)
    set(${ok} FALSE PARENT_SCOPE)
    heddle__find_cuda(problem)
    heddle__find_nvidia_device(device)
    if(problem)
        set(${why} "${problem}" PARENT_SCOPE)
    elseif(NOT device)
        set(${why} "toolkit ${HEDDLE_CUDA_VERSION} but no NVIDIA device" PARENT_SCOPE)
    else()
        set(${ok} TRUE PARENT_SCOPE)
        set(${why} "toolkit ${HEDDLE_CUDA_VERSION} and a device" PARENT_SCOPE)
    endif()
endfunction()

macro(heddle_backend_configure)
    set(HEDDLE_BACKEND_FOLDERS cuda gpu)
    set(HEDDLE_BACKEND_FILES cuda/backend.cmake cuda/nvcc.cmake)
    set(HEDDLE_BACKEND_RECORD HEDDLE_CUDA_COMPILER HEDDLE_CUDA_ARCHITECTURES
        HEDDLE_CUDA_HOST_COMPILER)
    heddle__find_cuda(heddle_problem)
    if(heddle_problem)
        message(FATAL_ERROR "heddle: the CUDA backend cannot be built: ${heddle_problem}")
    endif()
    # Tests of groups run ranks that wait for each other on one device: every stream needs its own
    # hardware queue, and no kernel may be loaded while others run.
    set(HEDDLE_BACKEND_GROUP_ENVIRONMENT CUDA_DEVICE_MAX_CONNECTIONS=32 CUDA_MODULE_LOADING=EAGER)
    set(HEDDLE_BACKEND_SUMMARY "CUDA ${HEDDLE_CUDA_VERSION} for ${HEDDLE_CUDA_ARCHITECTURES}")
endmacro()

# The shared runtime: kernels of all libraries and of the program register with a single runtime.
function(heddle_backend_runtime)
    heddle__runtime_target("${HEDDLE_CUDART_LIBRARY}" -pthread -lm ${CMAKE_DL_LIBS})
endfunction()

function(heddle_backend_compile target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "FAST_MATH;CONTRACT" "MAX_REGISTERS" "")
    set(files ${arg_UNPARSED_ARGUMENTS})
    list(REMOVE_ITEM ARGN ${files})
    heddle__nvcc_objects(${target} FILES ${files} ${ARGN})
endfunction()

function(heddle_backend_host target)
    target_sources(${target} PRIVATE ${ARGN})
    set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} APPEND PROPERTY
        COMPILE_OPTIONS -isystem "${HEDDLE_CUDA_INCLUDE_DIR}")
endfunction()

function(heddle_backend_kernel_command out)
    heddle__nvcc_command(command)
    list(JOIN command " " text)
    set(${out} "${text} -O3" PARENT_SCOPE)
endfunction()
