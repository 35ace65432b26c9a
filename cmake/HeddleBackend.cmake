# SPDX-License-Identifier: Apache-2.0
# HeddleBackend.cmake - chooses the backend and asks it for its compilers.
#
# A backend is a folder backends/<name> with a backend.cmake that defines
#   heddle_backend_probe(ok why)     whether toolkit and device are present; for HEDDLE_BACKEND=auto
#   heddle_backend_configure()       finds the compilers or stops with what is missing; sets
#                                    HEDDLE_BACKEND_SUMMARY, HEDDLE_BACKEND_RECORD (variables that
#                                    an installed package must know), HEDDLE_BACKEND_FOLDERS (the
#                                    folders under backends/ that belong to it),
#                                    HEDDLE_BACKEND_FILES (what an installed package needs of them)
#   heddle_backend_runtime()         imported target heddle::backend_runtime: what to link
#   heddle_backend_compile(target file... [FAST_MATH] [CONTRACT] [MAX_REGISTERS n])   kernels of a
#                                    target
#   heddle_backend_host(target file...)   the backend's own host sources
#   heddle_backend_kernel_command(out)    the kernel compiler's command line, for pkg-config

set(HEDDLE_BACKENDS_DIR "${CMAKE_CURRENT_LIST_DIR}/../backends")
get_filename_component(HEDDLE_BACKENDS_DIR "${HEDDLE_BACKENDS_DIR}" ABSOLUTE)

function(heddle__choose_backend out)
    foreach(candidate cuda hip)
        include("${HEDDLE_BACKENDS_DIR}/${candidate}/backend.cmake")
        heddle_backend_probe(ok why)
        list(APPEND reasons "${candidate}: ${why}")
        if(ok)
            list(JOIN reasons "; " text)
            message(STATUS "heddle: HEDDLE_BACKEND=auto takes ${candidate} (${text})")
            set(${out} ${candidate} PARENT_SCOPE)
            return()
        endif()
    endforeach()
    list(JOIN reasons "; " text)
    message(STATUS "heddle: HEDDLE_BACKEND=auto takes cpu (${text})")
    set(${out} cpu PARENT_SCOPE)
endfunction()

if(HEDDLE_BACKEND STREQUAL "auto")
    # Below this line HEDDLE_BACKEND is the choice; the cache keeps "auto".
    heddle__choose_backend(HEDDLE_BACKEND)
endif()
if(NOT EXISTS "${HEDDLE_BACKENDS_DIR}/${HEDDLE_BACKEND}/backend.cmake")
    message(FATAL_ERROR "HEDDLE_BACKEND=${HEDDLE_BACKEND}: there is no backends/${HEDDLE_BACKEND}")
endif()
include("${HEDDLE_BACKENDS_DIR}/${HEDDLE_BACKEND}/backend.cmake")
heddle_backend_configure()
heddle_backend_runtime()
message(STATUS "heddle: backend ${HEDDLE_BACKEND}: ${HEDDLE_BACKEND_SUMMARY}")
