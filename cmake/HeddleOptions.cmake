# SPDX-License-Identifier: Apache-2.0
# HeddleOptions.cmake - every build option, and the flags that depend only on them.

set(HEDDLE_BACKEND auto CACHE STRING "auto, or a folder of backends/: cpu, cuda, hip")
set_property(CACHE HEDDLE_BACKEND PROPERTY STRINGS auto cpu cuda hip)

set(HEDDLE_HIP_PLATFORM amd CACHE STRING "hardware under the HIP API: amd or nvidia")
set_property(CACHE HEDDLE_HIP_PLATFORM PROPERTY STRINGS amd nvidia)
set(HEDDLE_HIP_COMPILER "" CACHE STRING "clang++ that compiles HIP; empty: the first that works")
set(HEDDLE_HIP_ARCHITECTURES "" CACHE STRING "e.g. gfx90a;gfx942; empty: what the compiler can do")
set(HEDDLE_HIP_INCLUDE_DIR "" CACHE PATH "folder that holds hip/hip_runtime.h; empty: searched")
set(HEDDLE_CUDA_ARCHITECTURES "80;90" CACHE STRING "machine code for these; PTX for the newest")
set(HEDDLE_CUDA_HOST_COMPILER "" CACHE FILEPATH "C++ compiler behind nvcc; empty: its own choice")

set(HEDDLE_CPU_SWITCH auto CACHE STRING "how lanes are switched on the CPU: auto or ucontext")
set_property(CACHE HEDDLE_CPU_SWITCH PROPERTY STRINGS auto ucontext)

option(HEDDLE_CHECK "the checking engine instead of the fast one (HEDDLE_BACKEND=cpu)" OFF)
option(HEDDLE_SELF_CHECK "assertions in kernels and drivers, handles used after their end" OFF)
option(HEDDLE_FAST_MATH "heddle_add_kernels compiles as if FAST_MATH were given" OFF)
set(HEDDLE_MAX_REGISTERS "" CACHE STRING "default of MAX_REGISTERS in heddle_add_kernels")
option(HEDDLE_NATIVE "CPU code for the machine that builds it (-march=native)" OFF)
set(HEDDLE_SANITIZE "" CACHE STRING "host sanitizers, e.g. address,undefined")
option(HEDDLE_FUZZ "build tests/fuzz with libFuzzer (clang)" OFF)

set(HEDDLE_MPI AUTO CACHE STRING "heddle::mpi and heddle-mpi: ON, OFF, AUTO: where MPI is found")
set_property(CACHE HEDDLE_MPI PROPERTY STRINGS AUTO ON OFF)

set(HEDDLE_OPTIMIZED "" CACHE STRING
    "families of kernels that are optimised for the CPU, e.g. reduce;scan; empty: all")
option(HEDDLE_CORE_ONLY "heddle::core alone: no primitives, no tool, no tests" OFF)
option(HEDDLE_BUILD_TOOL "build the heddle command" ${PROJECT_IS_TOP_LEVEL})
option(HEDDLE_BUILD_TESTS "build the tests" ${PROJECT_IS_TOP_LEVEL})
option(HEDDLE_BUILD_PEERS "build tests/peers: what heddle is compared with" ON)
option(HEDDLE_WERROR "warnings are errors; for CI, whose compilers are known" OFF)
option(HEDDLE_INSTALL "install rules" ${PROJECT_IS_TOP_LEVEL})
option(BUILD_SHARED_LIBS "heddle::heddle is the shared library; both are built and installed" OFF)

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(PROJECT_IS_TOP_LEVEL AND NOT multi_config AND NOT CMAKE_BUILD_TYPE)
    set_property(CACHE CMAKE_BUILD_TYPE PROPERTY VALUE Release)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Flags for the project's own C files; not exported.
add_library(heddle_build_flags INTERFACE)
target_compile_options(heddle_build_flags INTERFACE
    -Wall -Wextra -Wconversion -Wshadow $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    -ffp-contract=off
    $<$<BOOL:${HEDDLE_WERROR}>:-Werror>)
include(CheckCCompilerFlag)
check_c_compiler_flag(-Wenum-float-conversion HEDDLE_WARNS_OF_ENUMS) # constants here are enums
if(HEDDLE_WARNS_OF_ENUMS)
    target_compile_options(heddle_build_flags INTERFACE -Wno-enum-float-conversion)
endif()
if(HEDDLE_SANITIZE)
    target_compile_options(heddle_build_flags INTERFACE
        -fsanitize=${HEDDLE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(heddle_build_flags INTERFACE -fsanitize=${HEDDLE_SANITIZE})
endif()
target_compile_definitions(heddle_build_flags INTERFACE _GNU_SOURCE)
