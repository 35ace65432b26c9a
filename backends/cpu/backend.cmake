# SPDX-License-Identifier: Apache-2.0
# CPU: kernels are C files like any other, with more optimisation.

function(heddle_backend_probe ok why)
    set(${ok} TRUE PARENT_SCOPE)
    set(${why} "always there" PARENT_SCOPE)
endfunction()

macro(heddle_backend_configure)
    set(HEDDLE_BACKEND_FOLDERS cpu port)
    if(HEDDLE_CHECK)
        if(HEDDLE_SANITIZE)
            message(FATAL_ERROR "HEDDLE_CHECK and HEDDLE_SANITIZE exclude each other: kernels are "
                "instrumented for the checker")
        endif()
        list(APPEND HEDDLE_BACKEND_FOLDERS cpu/check)
    endif()
    set(HEDDLE_BACKEND_FILES cpu/backend.cmake)
    set(HEDDLE_BACKEND_RECORD HEDDLE_NATIVE HEDDLE_CHECK)
    set(HEDDLE_BACKEND_SUMMARY
        "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}, ${CMAKE_SYSTEM_PROCESSOR}")
    if(HEDDLE_CPU_SWITCH STREQUAL "ucontext")
        string(APPEND HEDDLE_BACKEND_SUMMARY ", ucontext")
    endif()
    if(HEDDLE_CHECK)
        string(APPEND HEDDLE_BACKEND_SUMMARY ", checking")
    endif()
endmacro()

function(heddle_backend_runtime)
    heddle__runtime_target(-pthread -lm)
endfunction()

# Flags of kernel files in C and in C++. Typed bodies compare with 0 whatever the type, hence no
# -Wtype-limits. Code that C++, and therefore the GPU compilers, would reject is an error here too;
# gcc detects more of it. clang must not warn about loops that are too long to unroll on a CPU.
set(HEDDLE_CPU_CXX_FLAGS -ffp-contract=off -fno-math-errno -Wno-type-limits -Werror=vla
    -Wwrite-strings)
set(HEDDLE_CPU_KERNEL_FLAGS ${HEDDLE_CPU_CXX_FLAGS} -Werror=c++-compat)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND HEDDLE_CPU_CXX_FLAGS -Wno-pass-failed)
endif()
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    list(APPEND HEDDLE_CPU_KERNEL_FLAGS -Werror=incompatible-pointer-types-discards-qualifiers
        -Wno-pass-failed)
else()
    list(APPEND HEDDLE_CPU_KERNEL_FLAGS -Werror=discarded-qualifiers -Werror=jump-misses-init
        -Werror=enum-compare -Werror=implicit-int -Werror=strict-prototypes)
endif()

# A frame larger than a page must not step over the guard page below the stack of a thread.
include(CheckCCompilerFlag)
if(CMAKE_C_COMPILER_LOADED)
    check_c_compiler_flag(-fstack-clash-protection HEDDLE_HAVE_STACK_CLASH)
endif()
if(HEDDLE_HAVE_STACK_CLASH)
    list(APPEND HEDDLE_CPU_KERNEL_FLAGS -fstack-clash-protection)
    list(APPEND HEDDLE_CPU_CXX_FLAGS -fstack-clash-protection)
endif()

# Instrumented for the checker: accesses, branches, indices of local arrays, alignment, shifts; with
# line numbers. -O2 keeps local arrays of unrolled loops in registers; with -O1 every access to them
# would be instrumented. Hooks need their return addresses, and branches must be those of the source.
# In DWARF 5, addr2line (2.40) gives the main source file for lines of the first file that it includes.
set(HEDDLE_CPU_CHECK_FLAGS -O2 -g -gdwarf-4 -fno-tree-vectorize -fno-optimize-sibling-calls
    -fsanitize=thread -fsanitize=bounds,alignment,shift-exponent
    -fsanitize-recover=bounds,alignment,shift-exponent -fsanitize-coverage=trace-pc
    -fno-omit-frame-pointer)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    # Every basic block: the profile counts loop iterations by them. Every read, also before a write
    # of the same location: it may read uninitialised memory.
    list(APPEND HEDDLE_CPU_CHECK_FLAGS -fno-slp-vectorize
        -mllvm -tsan-instrument-func-entry-exit=0
        -mllvm -tsan-instrument-read-before-write=1 -fsanitize-coverage=no-prune)
else()
    # With hooks in between, gcc warns about initialised variables.
    list(APPEND HEDDLE_CPU_CHECK_FLAGS -fno-thread-jumps -Wno-maybe-uninitialized
        --param=tsan-instrument-func-entry-exit=0)
endif()

function(heddle_backend_compile target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "FAST_MATH;CONTRACT" "MAX_REGISTERS" "")
    heddle__kernel_definitions(definitions ${ARGN})
    set(flags "")
    if(HEDDLE_CHECK)
        list(APPEND flags ${HEDDLE_CPU_CHECK_FLAGS})
    elseif(NOT HEDDLE_SANITIZE)
        list(APPEND flags $<$<NOT:$<CONFIG:Debug>>:-O3>)
    endif()
    if(HEDDLE_SANITIZE MATCHES "thread") # no support for fences; the checker finds races of kernels
        list(APPEND flags -fno-sanitize=thread)
    endif()
    if(HEDDLE_NATIVE)
        list(APPEND flags -march=native)
    endif()
    if(arg_FAST_MATH)
        list(APPEND flags -ffast-math)
    endif()
    if(arg_FAST_MATH OR arg_CONTRACT)
        list(APPEND flags -ffp-contract=fast)
    endif()
    target_sources(${target} PRIVATE ${arg_UNPARSED_ARGUMENTS})
    heddle__cxx_files(cxx_files ${arg_UNPARSED_ARGUMENTS})
    foreach(file ${arg_UNPARSED_ARGUMENTS})
        set(own ${HEDDLE_CPU_KERNEL_FLAGS})
        if(file IN_LIST cxx_files)
            set(own ${HEDDLE_CPU_CXX_FLAGS})
            set_source_files_properties("${file}" TARGET_DIRECTORY ${target} PROPERTIES LANGUAGE CXX)
            if(NOT file MATCHES "\\.(cpp|cc|cxx)$")
                list(APPEND own -x c++)
            endif()
        endif()
        set_source_files_properties("${file}" TARGET_DIRECTORY ${target} PROPERTIES
            COMPILE_OPTIONS "${own};${flags}" COMPILE_DEFINITIONS "${definitions}")
    endforeach()
endfunction()

function(heddle_backend_host target)
    target_sources(${target} PRIVATE ${ARGN})
    if(HEDDLE_CPU_SWITCH STREQUAL "ucontext")
        target_compile_definitions(${target} PRIVATE HD_CPU_SWITCH_UCONTEXT=1)
    endif()
    if(HEDDLE_NATIVE)
        target_compile_options(${target} PRIVATE -march=native)
    endif()
    if(HEDDLE_CHECK AND CMAKE_ADDR2LINE)
        target_compile_definitions(${target} PRIVATE "HD_CHECK_ADDR2LINE=\"${CMAKE_ADDR2LINE}\"")
    endif()
endfunction()

# The command that compiles one kernel; with the flags of heddle::headers by which a kernel that
# differs from its declaration is an error.
function(heddle_backend_kernel_command out)
    set(flags -O3 ${HEDDLE_CPU_KERNEL_FLAGS})
    if(HEDDLE_CHECK)
        set(flags ${HEDDLE_CPU_KERNEL_FLAGS} ${HEDDLE_CPU_CHECK_FLAGS} -DHD_CPU_CHECK=1)
    endif()
    list(APPEND flags -Werror=incompatible-pointer-types -Werror=int-conversion
        -Werror=implicit-function-declaration)
    list(JOIN flags " " flags)
    set(${out} "cc -fPIC ${flags}" PARENT_SCOPE)
endfunction()
