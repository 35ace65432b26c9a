# SPDX-License-Identifier: Apache-2.0
# nvcc.cmake - finds the CUDA toolkit and compiles with nvcc; for CUDA and for HIP on NVIDIA.
# The project needs no CUDA language: objects are made by custom commands.

# Sets HEDDLE_CUDA_COMPILER, HEDDLE_CUDA_VERSION, HEDDLE_CUDA_INCLUDE_DIR, HEDDLE_CUDART_LIBRARY,
# in the cache so that functions called from any folder see them; `problem` says what is missing.
function(heddle__find_cuda problem)
    set(${problem} "" PARENT_SCOPE)
    find_program(HEDDLE_CUDA_COMPILER nvcc
        HINTS "$ENV{CUDACXX}" "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin"
        PATHS /usr/local/cuda/bin DOC "nvcc")
    if(NOT HEDDLE_CUDA_COMPILER)
        set(${problem} "no nvcc (PATH, CUDA_HOME, HEDDLE_CUDA_COMPILER)" PARENT_SCOPE)
        return()
    endif()
    execute_process(COMMAND "${HEDDLE_CUDA_COMPILER}" --version
        OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE failed)
    if(failed OR NOT text MATCHES "release ([0-9]+\\.[0-9]+)")
        set(${problem} "${HEDDLE_CUDA_COMPILER} --version fails" PARENT_SCOPE)
        return()
    endif()
    set(HEDDLE_CUDA_VERSION "${CMAKE_MATCH_1}" CACHE INTERNAL "")
    if(HEDDLE_CUDA_VERSION VERSION_LESS 12.0)
        set(${problem} "CUDA ${HEDDLE_CUDA_VERSION} is older than 12.0" PARENT_SCOPE)
        return()
    endif()
    get_filename_component(nvcc "${HEDDLE_CUDA_COMPILER}" REALPATH)
    get_filename_component(root "${nvcc}" DIRECTORY)
    get_filename_component(root "${root}" DIRECTORY)
    set(target "targets/${CMAKE_SYSTEM_PROCESSOR}-linux")
    find_path(HEDDLE_CUDA_INCLUDE_DIR cuda_runtime_api.h
        HINTS "${root}/include" "${root}/${target}/include" DOC "CUDA headers")
    find_library(HEDDLE_CUDART_LIBRARY cudart
        HINTS "${root}/lib64" "${root}/${target}/lib" "${root}/lib" DOC "CUDA runtime")
    if(NOT HEDDLE_CUDA_INCLUDE_DIR OR NOT HEDDLE_CUDART_LIBRARY)
        set(${problem} "${root} has no cuda_runtime_api.h or no libcudart" PARENT_SCOPE)
    endif()
endfunction()

# Whether there is an NVIDIA device, if the toolkit or the driver has a tool that reports it.
function(heddle__find_nvidia_device found)
    set(${found} FALSE PARENT_SCOPE)
    find_program(HEDDLE_NVIDIA_SMI nvidia-smi)
    mark_as_advanced(HEDDLE_NVIDIA_SMI)
    if(HEDDLE_NVIDIA_SMI)
        execute_process(COMMAND "${HEDDLE_NVIDIA_SMI}" -L
            OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE failed)
        if(NOT failed AND text MATCHES "GPU [0-9]+:")
            set(${found} TRUE PARENT_SCOPE)
        endif()
    else()
        file(GLOB nodes "/dev/nvidia[0-9]*")
        if(nodes)
            set(${found} TRUE PARENT_SCOPE)
        endif()
    endif()
endfunction()

# "80;sm_90" -> machine code for each, PTX for the newest.
function(heddle__nvcc_architectures out)
    set(numbers "")
    set(flags "")
    foreach(architecture ${HEDDLE_CUDA_ARCHITECTURES})
        if(architecture STREQUAL "native")
            set(${out} -arch=native PARENT_SCOPE)
            return()
        endif()
        string(REGEX REPLACE "^(sm_|compute_)" "" number "${architecture}")
        list(APPEND numbers ${number})
        list(APPEND flags -gencode=arch=compute_${number},code=sm_${number})
    endforeach()
    list(SORT numbers COMPARE NATURAL)
    list(GET numbers -1 newest)
    list(APPEND flags -gencode=arch=compute_${newest},code=compute_${newest})
    set(${out} ${flags} PARENT_SCOPE)
endfunction()

# The command line without files. Floating point follows IEEE 754: nvcc's defaults keep denormals and
# round division and square root correctly; contraction is disabled. The host code of files that are
# not CXX must link into C programs without the C++ library. Machine code and line tables are compressed, which reduces
# objects to a third of the size.
function(heddle__nvcc_command out)
    cmake_parse_arguments(PARSE_ARGV 1 arg "FAST_MATH;CXX" "MAX_REGISTERS" "")
    heddle__nvcc_architectures(architectures)
    set(library -Xcompiler=-fno-exceptions,-fno-threadsafe-statics)
    if(arg_CXX)
        set(library --extended-lambda -DHD_CXX=1)
    endif()
    set(command "${HEDDLE_CUDA_COMPILER}" -x cu -std=c++17 ${architectures}
        -Xcompiler=-fPIC,-Wall,-Wextra,-ffp-contract=off
        ${library} --expt-relaxed-constexpr
        -Xcudafe=--diag_suppress=177 -Xcudafe=--diag_suppress=186
        -Xcompiler=-Wno-type-limits -Xfatbin=-compress-all)
    if(HEDDLE_CUDA_HOST_COMPILER)
        list(APPEND command -ccbin "${HEDDLE_CUDA_HOST_COMPILER}")
    endif()
    if(arg_FAST_MATH)
        list(APPEND command --use_fast_math)
    else()
        list(APPEND command --fmad=false)
    endif()
    if(arg_MAX_REGISTERS)
        list(APPEND command -maxrregcount=${arg_MAX_REGISTERS})
    endif()
    set(${out} ${command} PARENT_SCOPE)
endfunction()

set(HEDDLE_NVCC_CONFIG_FLAGS
    "$<IF:$<CONFIG:Debug>,-g$<SEMICOLON>-G$<SEMICOLON>-O0,-O3$<SEMICOLON>-lineinfo>"
    "$<$<BOOL:${HEDDLE_WERROR}>:-Werror=all-warnings$<SEMICOLON>-Xcompiler=-Werror>")

# heddle__nvcc_objects(target FLAGS flag... FILES file... [FAST_MATH] [MAX_REGISTERS n])
# CMAKE_CUDA_COMPILER_LAUNCHER precedes nvcc, as in CMake's own rules.
function(heddle__nvcc_objects target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "FAST_MATH" "MAX_REGISTERS" "FLAGS;FILES")
    set(options "")
    if(arg_FAST_MATH)
        list(APPEND options FAST_MATH)
    endif()
    if(arg_MAX_REGISTERS)
        list(APPEND options MAX_REGISTERS ${arg_MAX_REGISTERS})
    endif()
    heddle__nvcc_command(c_command ${options})
    heddle__nvcc_command(cxx_command ${options} CXX)
    heddle__cxx_files(cxx_files ${arg_FILES})
    heddle__kernel_definitions(definitions ${options})
    list(TRANSFORM definitions PREPEND -D)
    foreach(file ${arg_FILES})
        set(command ${c_command})
        if(file IN_LIST cxx_files)
            set(command ${cxx_command})
        endif()
        heddle__custom_object(${target} "${file}" object
            ${CMAKE_CUDA_COMPILER_LAUNCHER} ${command} ${HEDDLE_NVCC_CONFIG_FLAGS} ${definitions}
            ${arg_FLAGS})
        heddle__add_object(${target} "${object}")
    endforeach()
endfunction()
