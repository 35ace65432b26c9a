#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heddle_add_kernels(... CONTRACT): the flag reaches the compile command of every backend, and only of
# the targets that ask for it. Configures a project per backend; the compilers of GPUs are only named,
# not run. labels: once
scratch=$(mktemp -d "${TMPDIR:-/tmp}/heddle-contract.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
failures=0

for name in plain contracted both; do
    echo 'int unused;' >"$scratch/$name.c"
done
cat >"$scratch/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(contract C)
add_library(heddle::heddle INTERFACE IMPORTED)
set(HEDDLE_CUDA_COMPILER nvcc)
set(HEDDLE_CUDA_ARCHITECTURES 90)
set(HEDDLE_HIP_CLANG clang++)
set(HEDDLE_HIP_TARGETS gfx90a)
include("${HEDDLE}/backends/${HEDDLE_BACKEND}/backend.cmake")
include("${HEDDLE}/cmake/HeddleKernels.cmake")
heddle_add_kernels(plain plain.c)
heddle_add_kernels(contracted contracted.c CONTRACT)
heddle_add_kernels(both both.c CONTRACT MAX_REGISTERS 40)
END

# The commands and flags of a target.
commands()
{
    cat "$scratch/$1/CMakeFiles/$2.dir/build.make" "$scratch/$1/CMakeFiles/$2.dir/flags.make"
}

# The value of the last option that begins with $3.
last()
{
    commands "$1" "$2" | tr ' ;' '\n\n' | grep -e "^$3" | tail -n 1
}

# expect BACKEND TARGET OPTION VALUE
expect()
{
    got=$(last "$1" "$2" "$3")
    [ "$got" = "$3$4" ] && return
    echo "$1, target $2: $got instead of $3$4"
    failures=$((failures + 1))
}

expect_definition()
{
    commands "$1" "$2" | grep -q HD_CONTRACT=1 && got=1 || got=0
    [ "$got" = "$3" ] && return
    echo "$1, target $2: HD_CONTRACT defined: $got instead of $3"
    failures=$((failures + 1))
}

for backend in cpu cuda hip; do
    option=-ffp-contract= on=fast off=off
    [ $backend = cuda ] && option=--fmad= on=true off=false
    if ! cmake -S "$scratch" -B "$scratch/$backend" -G "Unix Makefiles" -DCMAKE_C_COMPILER="${CC:-cc}" \
        -DHEDDLE="$HEDDLE_SOURCE_DIR" -DHEDDLE_BACKEND=$backend -DHEDDLE_HIP_PLATFORM=amd \
        >"$scratch/log" 2>&1; then
        tail -n 20 "$scratch/log"
        exit 1
    fi
    expect $backend plain $option $off
    expect $backend contracted $option $on
    expect $backend both $option $on
    expect_definition $backend plain 0
    expect_definition $backend contracted 1
    expect_definition $backend both 1
done
[ $failures -eq 0 ]
