# SPDX-License-Identifier: Apache-2.0
# HeddleExports.cmake - the version script of the shared library: it exports only the names in the
# public headers. Kernels and internal functions (hd__*, hdb_*) stay local, so that programs can
# neither depend on them nor replace them by functions of the same name.

# heddle::mpi is a separate library that uses these internals. They are exported under a version
# whose name says so; they change with every release.
set(HEDDLE_MPI_SYMBOLS
    hd__device_at hd__fail hd__halo_width hd__jacobi2d_sweep hd__jacobi_fold_f32_kernel
    hd__jacobi_fold_f64_kernel hd__jacobi_lanes hd__peer_policy_read hd__puts_await_kernel
    hd__puts_exchange_kernel hd__puts_send_kernel hd__settle_wait hdb_native_supported
    hdb_ccl_* hdb_share_* hdb_shmem_*)

# heddle__public_names(out): every hd_ name in the headers of heddle and of the backend.
function(heddle__public_names out)
    set(names "")
    foreach(folder "${PROJECT_SOURCE_DIR}/include" ${HEDDLE_BACKEND_INCLUDE_DIRS})
        file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${folder}/heddle/*.h" "${folder}/heddle/*.inc")
        foreach(header ${headers})
            set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                "${header}")
            file(STRINGS "${header}" lines REGEX "hd_[A-Za-z0-9]")
            string(REGEX MATCHALL "hd_[A-Za-z0-9][A-Za-z0-9_]*" found "${lines}")
            list(APPEND names ${found})
        endforeach()
    endforeach()
    list(SORT names)
    list(REMOVE_DUPLICATES names)
    set(${out} ${names} PARENT_SCOPE)
endfunction()

# Makes a shared library export the public names.
function(heddle__export_public_names target)
    heddle__public_names(names)
    if(HEDDLE_CHECK) # hooks that the compiler calls in instrumented code of the user
        list(APPEND names __tsan_* __sanitizer_* __ubsan_*)
    endif()
    list(JOIN names ";\n        " public)
    list(JOIN HEDDLE_MPI_SYMBOLS ";\n        " private)
    set(script "${PROJECT_BINARY_DIR}/heddle.map")
    file(CONFIGURE OUTPUT "${script}" @ONLY CONTENT
"HEDDLE_@PROJECT_VERSION_MAJOR@ {
    global:
        @public@;
    local:
        *;
};
HEDDLE_PRIVATE {
    global:
        @private@;
};
")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}")
    target_link_options(${target} PRIVATE "LINKER:--version-script=${script}")
    # Most of the names are types and macros; some linkers reject undefined names.
    include(CheckLinkerFlag)
    check_linker_flag(C "LINKER:--undefined-version" HEDDLE_HAVE_UNDEFINED_VERSION)
    if(HEDDLE_HAVE_UNDEFINED_VERSION)
        target_link_options(${target} PRIVATE LINKER:--undefined-version)
    endif()
endfunction()
