# SPDX-License-Identifier: Apache-2.0
# clang.cmake - finds a clang that compiles HIP for AMD hardware, with its device libraries, in
# ROCm's layout and in Debian's. hipcc is a wrapper around such a clang and is not needed.

# Folders with ROCm's device libraries, best first.
function(heddle__hip_device_libraries out)
    file(GLOB found
        "${HEDDLE_ROCM_PATH}/amdgcn/bitcode/ockl.bc"
        "${HEDDLE_ROCM_PATH}/lib/llvm/lib/clang/*/lib/amdgcn/bitcode/ockl.bc"
        "/usr/lib/*/amdgcn/bitcode/ockl.bc" "/usr/lib/amdgcn/bitcode/ockl.bc"
        "/usr/lib/llvm-*/lib/clang/*/amdgcn/bitcode/ockl.bc"
        "/usr/lib/llvm-*/lib/clang/*/lib/amdgcn/bitcode/ockl.bc")
    list(TRANSFORM found REPLACE "/ockl.bc$" "")
    set(${out} ${found} PARENT_SCOPE)
endfunction()

# gfx90a -> 90a 9010: the file name and the number that the device libraries expect.
function(heddle__hip_isa architecture suffix number)
    string(REGEX REPLACE "^gfx([0-9a-f]+).*$" "\\1" isa "${architecture}")
    string(REGEX MATCH "^(.+)(.)(.)$" whole "${isa}")
    math(EXPR value "${CMAKE_MATCH_1} * 1000 + 0x${CMAKE_MATCH_2} * 100 + 0x${CMAKE_MATCH_3}")
    set(${suffix} ${isa} PARENT_SCOPE)
    set(${number} ${value} PARENT_SCOPE)
endfunction()

# Device libraries older than the compiler lack one constant per newer architecture. Writes these
# constants, and links to the other libraries, to a folder in the build tree.
function(heddle__hip_complete_libraries compiler folder out)
    set(missing "")
    foreach(architecture ${ARGN})
        heddle__hip_isa(${architecture} suffix number)
        if(NOT EXISTS "${folder}/oclc_isa_version_${suffix}.bc")
            list(APPEND missing ${suffix}=${number})
        endif()
    endforeach()
    if(NOT missing)
        set(${out} "${folder}" PARENT_SCOPE)
        return()
    endif()
    set(own "${CMAKE_BINARY_DIR}/heddle-device-libraries")
    file(MAKE_DIRECTORY "${own}")
    file(GLOB files "${folder}/*.bc")
    foreach(file ${files})
        get_filename_component(name "${file}" NAME)
        if(NOT EXISTS "${own}/${name}")
            file(CREATE_LINK "${file}" "${own}/${name}" SYMBOLIC)
        endif()
    endforeach()
    foreach(pair ${missing})
        string(REGEX MATCH "^(.*)=(.*)$" whole "${pair}")
        set(name "${own}/oclc_isa_version_${CMAKE_MATCH_1}")
        if(EXISTS "${name}.bc")
            continue()
        endif()
        file(WRITE "${name}.ll" "target triple = \"amdgcn-amd-amdhsa\"\n"
            "@__oclc_ISA_version = linkonce_odr protected local_unnamed_addr addrspace(4) "
            "constant i32 ${CMAKE_MATCH_2}, align 4\n")
        execute_process(COMMAND "${compiler}" -x ir --target=amdgcn-amd-amdhsa -nogpulib
            -emit-llvm -c "${name}.ll" -o "${name}.bc" OUTPUT_QUIET ERROR_QUIET)
    endforeach()
    set(${out} "${own}" PARENT_SCOPE)
endfunction()

function(heddle__hip_paths out folder)
    set(flags "--rocm-path=${HEDDLE_ROCM_PATH}" "--rocm-device-lib-path=${folder}")
    if(HEDDLE_HIP_INCLUDE_DIR AND NOT HEDDLE_HIP_INCLUDE_DIR STREQUAL "/usr/include")
        list(APPEND flags -isystem "${HEDDLE_HIP_INCLUDE_DIR}")
    endif()
    set(${out} ${flags} PARENT_SCOPE)
endfunction()

# Whether this compiler builds a complete object for this architecture; `text` is its output.
function(heddle__hip_try compiler folder architecture ok text)
    set(source "${CMAKE_BINARY_DIR}/heddle-hip-try.c")
    file(WRITE "${source}" "#include <hip/hip_runtime.h>\n"
        "extern \"C\" __global__ void twice(float *x) { x[threadIdx.x] = sqrtf(x[threadIdx.x]); }\n")
    heddle__hip_paths(paths "${folder}")
    execute_process(COMMAND "${compiler}" -x hip -std=c++17 -O1 --offload-arch=${architecture}
        ${paths} -c "${source}" -o "${source}.o"
        OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
    if(failed)
        set(${ok} FALSE PARENT_SCOPE)
    else()
        set(${ok} TRUE PARENT_SCOPE)
    endif()
    string(REGEX MATCH "error: [^\n]*" said "${said}")
    set(${text} "${said}" PARENT_SCOPE)
endfunction()

# The architectures that this compiler builds, and the device libraries for it.
function(heddle__hip_architectures compiler wanted out folder why)
    set(works "")
    set(reason "no device libraries (rocm-device-libs)")
    heddle__hip_device_libraries(folders)
    foreach(candidate ${folders})
        heddle__hip_complete_libraries("${compiler}" "${candidate}" complete ${wanted})
        foreach(architecture ${wanted})
            heddle__hip_try("${compiler}" "${complete}" ${architecture} ok text)
            if(ok)
                list(APPEND works ${architecture})
            else()
                set(reason "${architecture}: ${text}")
            endif()
        endforeach()
        if(works)
            set(${folder} "${candidate}" PARENT_SCOPE)
            break()
        endif()
    endforeach()
    set(${out} ${works} PARENT_SCOPE)
    set(${why} "${reason}" PARENT_SCOPE)
endfunction()

# Selects the first compiler that builds at least one of the architectures.
function(heddle__search_hip_clang wanted problem)
    set(candidates ${HEDDLE_HIP_COMPILER})
    if(NOT candidates)
        set(candidates "${HEDDLE_ROCM_PATH}/llvm/bin/clang++" "${HEDDLE_ROCM_PATH}/bin/amdclang++"
            clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++-15)
    endif()
    set(reasons "")
    foreach(candidate ${candidates})
        find_program(compiler "${candidate}" NO_CACHE)
        if(compiler)
            heddle__hip_architectures("${compiler}" "${wanted}" works folder why)
            if(works)
                break()
            endif()
            string(APPEND reasons "\n  ${compiler}: ${why}")
        endif()
        unset(compiler)
    endforeach()
    if(NOT compiler)
        set(${problem} "no clang that compiles HIP${reasons}" PARENT_SCOPE)
    elseif(HEDDLE_HIP_ARCHITECTURES AND NOT "${works}" STREQUAL "${wanted}")
        set(${problem} "${compiler} builds only '${works}' of '${wanted}': ${why}" PARENT_SCOPE)
    else()
        set(${problem} "" PARENT_SCOPE)
    endif()
    set(HEDDLE_HIP_CLANG "${compiler}" PARENT_SCOPE)
    set(HEDDLE_HIP_TARGETS "${works}" PARENT_SCOPE)
    set(HEDDLE_HIP_BITCODE "${folder}" PARENT_SCOPE)
endfunction()

# Sets HEDDLE_HIP_CLANG (the compiler), HEDDLE_HIP_TARGETS (architectures) and HEDDLE_HIP_BITCODE
# (device libraries); searches again only if the inputs have changed.
function(heddle__find_hip_clang problem)
    set(wanted ${HEDDLE_HIP_ARCHITECTURES})
    if(NOT wanted)
        set(wanted gfx90a gfx942 gfx1100)
    endif()
    set(key "${HEDDLE_HIP_COMPILER}|${wanted}|${HEDDLE_ROCM_PATH}|${HEDDLE_HIP_INCLUDE_DIR}")
    string(REPLACE ";" "," key "${key}")
    set(found "")
    if(NOT HEDDLE_HIP_CLANG OR NOT HEDDLE_HIP_KEY STREQUAL key)
        heddle__search_hip_clang("${wanted}" found)
    endif()
    set(${problem} "${found}" PARENT_SCOPE)
    if(found)
        return()
    endif()
    heddle__hip_complete_libraries("${HEDDLE_HIP_CLANG}" "${HEDDLE_HIP_BITCODE}"
        HEDDLE_HIP_DEVICE_LIBRARIES ${HEDDLE_HIP_TARGETS})
    set(HEDDLE_HIP_KEY "${key}")
    foreach(name CLANG TARGETS BITCODE DEVICE_LIBRARIES KEY)
        set(HEDDLE_HIP_${name} "${HEDDLE_HIP_${name}}" CACHE INTERNAL "")
        set(HEDDLE_HIP_${name} "${HEDDLE_HIP_${name}}" PARENT_SCOPE)
    endforeach()
endfunction()

# The command line without files. Hardware float atomics are valid for the calls without a scope
# suffix, which are for coarse-grained device memory only.
function(heddle__hip_clang_command out)
    cmake_parse_arguments(PARSE_ARGV 1 arg "FAST_MATH;CONTRACT" "MAX_REGISTERS" "")
    heddle__hip_paths(paths "${HEDDLE_HIP_DEVICE_LIBRARIES}")
    set(command "${HEDDLE_HIP_CLANG}" -x hip -std=c++17 -fPIC -ffp-contract=off
        -munsafe-fp-atomics -D__HIP_PLATFORM_AMD__ -Wall -Wextra -Wno-unused-function
        -Wno-pass-failed
        ${HEDDLE_HIP_CODE_OBJECT} ${paths})
    foreach(architecture ${HEDDLE_HIP_TARGETS})
        list(APPEND command --offload-arch=${architecture})
    endforeach()
    if(arg_FAST_MATH)
        list(APPEND command -ffast-math)
    endif()
    if(arg_FAST_MATH OR arg_CONTRACT)
        list(APPEND command -ffp-contract=fast)
    endif()
    set(${out} ${command} PARENT_SCOPE)
endfunction()
