# SPDX-License-Identifier: Apache-2.0
# HeddleKernels.cmake - heddle_add_kernels, in this tree and in projects that find heddle.
#
#   heddle_add_kernels(target file... [CORE] [FAST_MATH] [MAX_REGISTERS n])
#
# Compiles kernel files for heddle's backend: .c as C11, and .cpp, .cc, .cxx, .cu and .hip as C++17,
# for which the project enables CXX besides C. `target` is created as a static library unless it
# exists; the kernels become part of it, and host code in the same files too. The target's include
# directories and definitions apply, including those added later.
#   CORE             links heddle::core, without heddle's primitives, instead of heddle::heddle
#   FAST_MATH        allows the compiler to violate IEEE rules in these files (defines HD_FAST_MATH)
#   MAX_REGISTERS n  limit of registers per thread (defines HD_MAX_REGISTERS)

cmake_policy(PUSH)
cmake_policy(VERSION 3.25)

function(heddle_add_kernels target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "CORE;FAST_MATH" "MAX_REGISTERS" "")
    set(files ${arg_UNPARSED_ARGUMENTS})
    set(library heddle::heddle)
    if(arg_CORE OR NOT TARGET heddle::heddle)
        set(library heddle::core)
    endif()
    if(NOT HEDDLE_BACKEND OR NOT TARGET ${library})
        message(FATAL_ERROR "heddle_add_kernels(${target}): call find_package(heddle) in this "
            "directory or above it first")
    endif()
    if(NOT files)
        message(FATAL_ERROR "heddle_add_kernels(${target}): no kernel files")
    endif()
    set(options "")
    if(arg_FAST_MATH OR HEDDLE_FAST_MATH)
        list(APPEND options FAST_MATH)
    endif()
    if(arg_MAX_REGISTERS)
        list(APPEND options MAX_REGISTERS ${arg_MAX_REGISTERS})
    elseif(HEDDLE_MAX_REGISTERS)
        list(APPEND options MAX_REGISTERS ${HEDDLE_MAX_REGISTERS})
    endif()
    if(NOT TARGET ${target})
        add_library(${target} STATIC)
        set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C POSITION_INDEPENDENT_CODE ON)
    endif()
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
        target_link_libraries(${target} PRIVATE ${library})
    else()
        target_link_libraries(${target} PUBLIC ${library})
    endif()
    heddle__cxx_files(cxx_files ${files})
    if(cxx_files)
        if(NOT CMAKE_CXX_COMPILER_LOADED)
            list(GET cxx_files 0 file)
            message(FATAL_ERROR "heddle_add_kernels(${target}): ${file} is C++: enable it by "
                "project(... LANGUAGES C CXX)")
        endif()
        set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
        target_compile_features(${target} PRIVATE cxx_std_17)
    endif()
    heddle_backend_compile(${target} ${files} ${options})
endfunction()

# The files that are C++. C files can be compiled as C++ too: LANGUAGE CXX as a property of the file.
function(heddle__cxx_files out)
    set(found "")
    foreach(file ${ARGN})
        get_source_file_property(language "${file}" LANGUAGE)
        if(file MATCHES "\\.(cpp|cc|cxx|cu|hip)$" OR language STREQUAL "CXX")
            list(APPEND found "${file}")
        endif()
    endforeach()
    set(${out} ${found} PARENT_SCOPE)
endfunction()

# heddle::backend_runtime, which every user of the library links. -lm, not m, because a user's
# project may have a target of that name.
function(heddle__runtime_target)
    if(NOT TARGET heddle::backend_runtime)
        add_library(heddle::backend_runtime INTERFACE IMPORTED GLOBAL)
        set_property(TARGET heddle::backend_runtime PROPERTY INTERFACE_LINK_LIBRARIES ${ARGN})
    endif()
endfunction()

# The definitions that the options set, on every backend.
function(heddle__kernel_definitions out)
    cmake_parse_arguments(PARSE_ARGV 1 arg "FAST_MATH" "MAX_REGISTERS" "")
    set(definitions "")
    if(arg_FAST_MATH)
        list(APPEND definitions HD_FAST_MATH=1)
    endif()
    if(arg_MAX_REGISTERS)
        list(APPEND definitions HD_MAX_REGISTERS=${arg_MAX_REGISTERS})
    endif()
    set(${out} ${definitions} PARENT_SCOPE)
endfunction()

# heddle__custom_object(target file object-out-var command...): compiles one source file with a
# compiler that CMake does not drive. The command is extended by the arguments of a gcc-like driver:
# include directories and definitions of the target, -c, -o and a dependency file.
function(heddle__custom_object target file out)
    get_filename_component(path "${file}" ABSOLUTE)
    file(RELATIVE_PATH name "${CMAKE_CURRENT_SOURCE_DIR}" "${path}")
    string(REPLACE "../" "_/" name "${name}")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir")
    get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(multi_config)
        string(APPEND folder "/$<CONFIG>")
    endif()
    set(object "${folder}/${name}.o")
    if(NOT multi_config)
        get_filename_component(object_folder "${object}" DIRECTORY)
        file(MAKE_DIRECTORY "${object_folder}")
    else()
        set(make_folder COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}")
    endif()
    # /usr/include on the command line would hide the C++ library's wrappers of C headers.
    set(include "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
    set(include "$<FILTER:$<REMOVE_DUPLICATES:${include}>,EXCLUDE,^/usr/include/?$>")
    set(define "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>>")
    add_custom_command(OUTPUT "${object}"
        ${make_folder}
        COMMAND ${ARGN}
            "$<$<BOOL:${include}>:-I$<JOIN:${include},;-I>>"
            "$<$<BOOL:${define}>:-D$<JOIN:${define},;-D>>"
            -MD -MF "${object}.d" -MT "${object}" -c "${path}" -o "${object}"
        DEPENDS "${path}"
        DEPFILE "${object}.d"
        COMMENT "Compiling ${name} for ${HEDDLE_BACKEND}"
        COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    set(${out} "${object}" PARENT_SCOPE)
endfunction()

# Makes an object part of a target. Targets that link an object library get the object too.
function(heddle__add_object target object)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "OBJECT_LIBRARY")
        set_property(TARGET ${target} APPEND PROPERTY HEDDLE_EXTERNAL_OBJECTS "${object}")
        target_sources(${target} INTERFACE "${object}")
    else()
        target_sources(${target} PRIVATE "${object}")
    endif()
endfunction()

cmake_policy(POP)
