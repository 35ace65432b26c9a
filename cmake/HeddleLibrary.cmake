# SPDX-License-Identifier: Apache-2.0
# HeddleLibrary.cmake - heddle::headers; heddle::core, only runtime and backend, for programs that
# use only their own kernels; heddle::static, heddle::shared and heddle::heddle.

set(HEDDLE_BACKEND_INCLUDE_DIRS "")
foreach(folder ${HEDDLE_BACKEND_FOLDERS})
    if(EXISTS "${PROJECT_SOURCE_DIR}/backends/${folder}/include")
        list(APPEND HEDDLE_BACKEND_INCLUDE_DIRS "${PROJECT_SOURCE_DIR}/backends/${folder}/include")
    endif()
endforeach()

# Compile options for users. The two errors turn a wrong kernel argument into a compile error in C.
add_library(heddle_headers INTERFACE)
add_library(heddle::headers ALIAS heddle_headers)
set_target_properties(heddle_headers PROPERTIES EXPORT_NAME headers)
target_include_directories(heddle_headers INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<BUILD_INTERFACE:${HEDDLE_BACKEND_INCLUDE_DIRS}>"
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_options(heddle_headers INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Werror=incompatible-pointer-types>
    $<$<COMPILE_LANGUAGE:C>:-Werror=int-conversion>
    $<$<COMPILE_LANGUAGE:C>:-Werror=implicit-function-declaration>)
if(HEDDLE_SELF_CHECK)
    target_compile_definitions(heddle_headers INTERFACE HEDDLE_SELF_CHECK=1)
endif()
if(HEDDLE_CHECK)
    target_compile_definitions(heddle_headers INTERFACE HD_CPU_CHECK=1)
endif()

# Include directories of the project's own files: "runtime/backend.h", "kernels/reduce/reduce.h",
# "names.h" of the selected backend.
add_library(heddle_internal INTERFACE)
target_include_directories(heddle_internal INTERFACE
    "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(heddle_internal INTERFACE heddle_headers heddle_build_flags)

file(GLOB_RECURSE heddle_core_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/base/*.c"
    "${PROJECT_SOURCE_DIR}/src/runtime/*.c")
file(GLOB_RECURSE heddle_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/drivers/*.c")
file(GLOB_RECURSE heddle_kernel_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/kernels/*.c")
# The slowest compilations first, so that no core is left with one at the end.
foreach(name scan/scan scan/segments select/select)
    list(REMOVE_ITEM heddle_kernel_sources "${PROJECT_SOURCE_DIR}/kernels/${name}.c")
    list(PREPEND heddle_kernel_sources "${PROJECT_SOURCE_DIR}/kernels/${name}.c")
endforeach()
set(heddle_backend_sources "")
foreach(folder ${HEDDLE_BACKEND_FOLDERS})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/backends/${folder}/*.c")
    list(FILTER found EXCLUDE REGEX "/backends/${folder}/(mpi|check)/") # parts of their own
    list(APPEND heddle_backend_sources ${found})
endforeach()
# Errors name the source line of the call that failed, relative to this tree wherever it was built.
# The checking engine needs the location of the tree.
include(CheckCCompilerFlag)
check_c_compiler_flag(-fmacro-prefix-map=a=b HEDDLE_HAVE_PREFIX_MAP)
add_library(heddle_paths INTERFACE)
if(HEDDLE_HAVE_PREFIX_MAP AND NOT HEDDLE_CHECK)
    target_compile_options(heddle_paths INTERFACE
        $<$<COMPILE_LANGUAGE:C>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)
endif()

# heddle__objects(target file...): compiled once, position-independent, for both kinds of libraries.
function(heddle__objects target)
    add_library(${target} OBJECT ${ARGN})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${target} PRIVATE heddle_paths)
    target_link_libraries(${target} PRIVATE heddle_internal heddle::backend_runtime)
    foreach(folder ${HEDDLE_BACKEND_FOLDERS})
        target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/backends/${folder}")
    endforeach()
    if(HEDDLE_CHECK) # it follows calls from kernels into the engine
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:-fno-omit-frame-pointer>)
    endif()
endfunction()

# heddle__compress_debug(target): compresses the debug sections of installed files, to a quarter.
# Not for the checker, which reads them for every finding.
include(CheckLinkerFlag)
check_linker_flag(C LINKER:--compress-debug-sections=zlib HEDDLE_HAVE_COMPRESSED_DEBUG)
function(heddle__compress_debug target)
    if(HEDDLE_HAVE_COMPRESSED_DEBUG AND NOT HEDDLE_CHECK)
        target_link_options(${target} PRIVATE LINKER:--compress-debug-sections=zlib)
    endif()
endfunction()

# heddle__library(target type name file...): library lib<name>; the target heddle_<x> is exported as
# heddle::<x>.
function(heddle__library target type name)
    string(REGEX REPLACE "^heddle_" "" package_name ${target})
    add_library(${target} ${type} ${ARGN})
    add_library(heddle::${package_name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${package_name} OUTPUT_NAME ${name}
        LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    target_link_libraries(${target} PUBLIC heddle_headers heddle::backend_runtime)
    if(HEDDLE_CHECK) # the hooks of host code that uses device memory are the checker's own
        target_compile_options(${target} INTERFACE
            $<$<COMPILE_LANGUAGE:C,CXX>:-g> $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=thread>)
        foreach(function memcpy memmove memset) # C library code is not instrumented
            target_compile_definitions(${target} INTERFACE
                $<$<COMPILE_LANGUAGE:C>:${function}=__tsan_${function}>)
        endforeach()
        if(type STREQUAL "SHARED") # it has work to do at exit
            target_link_options(${target} PRIVATE LINKER:-z,nodelete)
        endif()
    endif()
    if(HEDDLE_SANITIZE)
        target_link_options(${target} PUBLIC -fsanitize=${HEDDLE_SANITIZE})
    elseif(type STREQUAL "SHARED")
        target_link_options(${target} PRIVATE LINKER:-z,defs)
    endif()
    if(type STREQUAL "SHARED")
        heddle__compress_debug(${target})
        heddle__export_public_names(${target})
    endif()
endfunction()

# heddle__optimize_only(families file...): optimizes only the kernel files that belong to one of the
# families; all of them if there are none.
function(heddle__optimize_only families)
    if(families)
        foreach(family ${families})
            if(NOT IS_DIRECTORY "${PROJECT_SOURCE_DIR}/kernels/${family}")
                message(FATAL_ERROR "HEDDLE_OPTIMIZED=${families}: there is no folder kernels/${family}")
            endif()
        endforeach()
        list(JOIN families "|" names)
        set(files ${ARGN})
        list(FILTER files EXCLUDE REGEX "/kernels/(${names})/")
        set_property(SOURCE ${files} APPEND PROPERTY COMPILE_OPTIONS -O0)
    endif()
endfunction()

# heddle__source_hash(target): source_hash.h, with a hash over the kernels and their drivers, and the
# name of their compiler, by which stored tuned choices are found (src/drivers/tune).
function(heddle__source_hash target)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
        "${PROJECT_SOURCE_DIR}/kernels/*" "${PROJECT_SOURCE_DIR}/src/drivers/*"
        "${PROJECT_SOURCE_DIR}/include/heddle/device/*" "${PROJECT_SOURCE_DIR}/include/heddle/detail/*")
    list(SORT files)
    set(folder "${PROJECT_BINARY_DIR}/generated")
    set(list "${folder}/hashed_sources.txt")
    list(JOIN files "\n" text)
    file(CONFIGURE OUTPUT "${list}" CONTENT "${text}\n" @ONLY)
    list(TRANSFORM files PREPEND "${PROJECT_SOURCE_DIR}/")
    add_custom_command(OUTPUT "${folder}/source_hash.h"
        COMMAND "${CMAKE_COMMAND}" "-DLIST=${list}" "-DROOT=${PROJECT_SOURCE_DIR}"
            "-DHEADER=${folder}/source_hash.h" -P "${PROJECT_SOURCE_DIR}/cmake/SourceHash.cmake"
        DEPENDS ${files} "${list}" "${PROJECT_SOURCE_DIR}/cmake/SourceHash.cmake" VERBATIM)
    target_sources(${target} PRIVATE "${folder}/source_hash.h")
    target_include_directories(${target} PRIVATE "${folder}")
    # A ";" between architectures would make two definitions of it.
    string(REPLACE ";" " " compiler "${HEDDLE_BACKEND_SUMMARY}")
    set_property(SOURCE "${PROJECT_SOURCE_DIR}/src/drivers/tune/place.c" APPEND PROPERTY
        COMPILE_DEFINITIONS "HEDDLE_KERNEL_COMPILER=\"${compiler}\"")
endfunction()

include(cmake/HeddleExports.cmake)
heddle__objects(heddle_core_objects ${heddle_core_sources})
if(heddle_backend_sources)
    heddle_backend_host(heddle_core_objects ${heddle_backend_sources})
endif()
# heddle__external_objects(objects out): objects of an object library that custom commands make. They
# are listed per target; one target runs the commands.
function(heddle__external_objects objects out)
    get_target_property(found ${objects} HEDDLE_EXTERNAL_OBJECTS)
    if(found)
        add_custom_target(${objects}_external DEPENDS ${found})
    else()
        set(found "")
    endif()
    set(${out} ${found} PARENT_SCOPE)
endfunction()

heddle__external_objects(heddle_core_objects heddle_core_external)
if(BUILD_SHARED_LIBS)
    set(heddle_core_type SHARED)
else()
    set(heddle_core_type STATIC)
endif()
heddle__library(heddle_core ${heddle_core_type} heddle_core $<TARGET_OBJECTS:heddle_core_objects>
    ${heddle_core_external})
if(heddle_core_external)
    add_dependencies(heddle_core heddle_core_objects_external)
endif()
if(HEDDLE_CORE_ONLY)
    return()
endif()

heddle__objects(heddle_objects ${heddle_sources})
heddle__source_hash(heddle_objects)
if(heddle_kernel_sources)
    heddle_backend_compile(heddle_objects ${heddle_kernel_sources})
    heddle__optimize_only("${HEDDLE_OPTIMIZED}" ${heddle_kernel_sources})
endif()

heddle__external_objects(heddle_objects heddle_external)
foreach(kind static shared)
    string(TOUPPER ${kind} type)
    heddle__library(heddle_${kind} ${type} heddle $<TARGET_OBJECTS:heddle_core_objects>
        $<TARGET_OBJECTS:heddle_objects> ${heddle_core_external} ${heddle_external})
    foreach(objects heddle_core_objects heddle_objects)
        if(TARGET ${objects}_external)
            add_dependencies(heddle_${kind} ${objects}_external)
        endif()
    endforeach()
endforeach()
# The tool and the tests use internals, which the shared library does not export.
if(BUILD_SHARED_LIBS AND (HEDDLE_BUILD_TOOL OR HEDDLE_BUILD_TESTS))
    message(STATUS "heddle: BUILD_SHARED_LIBS is for programs that use heddle: its own tool and tests "
        "link the static library")
    add_library(heddle::heddle ALIAS heddle_static)
elseif(BUILD_SHARED_LIBS)
    add_library(heddle::heddle ALIAS heddle_shared)
else()
    add_library(heddle::heddle ALIAS heddle_static)
endif()

# src/io is used only by the tool and its tests.
file(GLOB_RECURSE heddle_io_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/io/*.c")
if(heddle_io_sources)
    add_library(heddle_io STATIC ${heddle_io_sources})
    target_link_libraries(heddle_io PRIVATE heddle_internal PUBLIC heddle::heddle)
    # Pictures as input and output. Without libpng their readers report that.
    if(NOT CMAKE_CROSSCOMPILING AND NOT HEDDLE_CHECK)
        find_package(PNG QUIET)
    endif()
    if(PNG_FOUND)
        target_link_libraries(heddle_io PRIVATE PNG::PNG)
        target_compile_definitions(heddle_io PRIVATE HEDDLE_HAVE_PNG=1)
    endif()
    # JSON as input: reports of checked programs, traces, measured links. Without jansson its reader
    # reports that.
    if(NOT CMAKE_CROSSCOMPILING)
        find_path(HEDDLE_JANSSON_INCLUDE_DIR jansson.h)
        find_library(HEDDLE_JANSSON_LIBRARY jansson)
        mark_as_advanced(HEDDLE_JANSSON_INCLUDE_DIR HEDDLE_JANSSON_LIBRARY)
    endif()
    if(HEDDLE_JANSSON_INCLUDE_DIR AND HEDDLE_JANSSON_LIBRARY)
        target_include_directories(heddle_io SYSTEM PRIVATE "${HEDDLE_JANSSON_INCLUDE_DIR}")
        target_link_libraries(heddle_io PRIVATE "${HEDDLE_JANSSON_LIBRARY}")
        target_compile_definitions(heddle_io PRIVATE HEDDLE_HAVE_JANSSON=1)
    endif()
endif()
