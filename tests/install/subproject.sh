#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# subproject.sh - builds heddle as a part of another project, by add_subdirectory (static) and by
# FetchContent (shared, and the kernel in a shared library with hidden symbols), and runs the tour;
# builds and installs heddle's core alone, and runs the tour with it.
# Environment: HEDDLE_SOURCE_DIR, HEDDLE_TEST_CMAKE, CC.
set -u
cmake=${HEDDLE_TEST_CMAKE:-cmake}
cc=${CC:-cc}
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-subproject.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

# step NAME COMMAND...: one line; the log's end where it fails.
step()
{
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok $name"
    else
        echo "FAIL $name"
        tail -n 30 "$work/log" | sed 's/^/    /'
        failures=$((failures + 1))
    fi
}

run_tour()
{
    "$1" >"$work/out" 2>&1
    cat "$work/out"
    grep -q '2 \* 999 + 1 = 1999' "$work/out"
}

# use CMAKE ARGUMENTS...: Debug, which compiles fastest. heddle's objects are the same for static and
# shared libraries and whichever way it is made a part, so both ways share a build tree.
use()
{
    rm -f "$work/build/tour"
    "$cmake" -S "$HEDDLE_SOURCE_DIR/tests/install/subproject" -B "$work/build" \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug -DHEDDLE_BACKEND=cpu \
        -DHEDDLE_SOURCE="$HEDDLE_SOURCE_DIR" -DHEDDLE_MPI=OFF "$@" &&
        "$cmake" --build "$work/build" -j 2 --target tour && run_tour "$work/build/tour"
}

# The core compiles neither drivers nor kernels; installed, it is a package.
build_core()
{
    "$cmake" -S "$HEDDLE_SOURCE_DIR" -B "$work/core" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug \
        -DHEDDLE_BACKEND=cpu -DHEDDLE_CORE_ONLY=ON && "$cmake" --build "$work/core" -j 2 || return 1
    ! grep -E '/(drivers|kernels)/' "$work/core/compile_commands.json" &&
        "$cmake" --install "$work/core" --prefix "$work/prefix"
}

use_core()
{
    "$cmake" -S "$HEDDLE_SOURCE_DIR/tests/install/core" -B "$work/user" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_PREFIX_PATH="$work/prefix" && "$cmake" --build "$work/user" && run_tour "$work/user/tour"
}

# Who wants primitives is told why there are none.
refuses_more_than_core()
{
    "$cmake" -S "$HEDDLE_SOURCE_DIR/tests/install/tour" -B "$work/more" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/errors" 2>&1 && return 1
    cat "$work/errors"
    tr -s ' \n' ' ' <"$work/errors" | grep -q 'configured with -DHEDDLE_CORE_ONLY=ON: ask for its core'
}

step "add_subdirectory, static" use -DHEDDLE_BY=add_subdirectory -DBUILD_SHARED_LIBS=OFF
step "FetchContent, shared, hidden kernels" use -DHEDDLE_BY=FetchContent -DBUILD_SHARED_LIBS=ON
step "the core alone, built and installed" build_core
step "the core alone, used" use_core
step "the core alone, asked for primitives" refuses_more_than_core
[ "$failures" -eq 0 ]
