#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# subproject.sh - builds heddle as a part of another project, by add_subdirectory (static) and by
# FetchContent (shared, and the kernel in a shared library with hidden symbols), and runs the tour.
# Environment: HEDDLE_SOURCE_DIR, HEDDLE_TEST_CMAKE, CC.
set -u
cmake=${HEDDLE_TEST_CMAKE:-cmake}
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-subproject.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

# use NAME CMAKE ARGUMENTS...: Debug, which compiles fastest.
use()
{
    name=$1
    shift
    if "$cmake" -S "$HEDDLE_SOURCE_DIR/tests/install/subproject" -B "$work/build" \
        -DCMAKE_C_COMPILER="${CC:-cc}" -DCMAKE_BUILD_TYPE=Debug -DHEDDLE_BACKEND=cpu \
        -DHEDDLE_SOURCE="$HEDDLE_SOURCE_DIR" -DHEDDLE_MPI=OFF "$@" >"$work/log" 2>&1 &&
        "$cmake" --build "$work/build" -j 2 --target tour >>"$work/log" 2>&1 &&
        "$work/build/tour" >"$work/out" 2>&1 && grep -q '2 \* 999 + 1 = 1999' "$work/out"; then
        echo "ok $name"
    else
        echo "FAIL $name"
        tail -n 30 "$work/log" | sed 's/^/    /'
        [ -f "$work/out" ] && sed 's/^/    /' "$work/out"
        failures=$((failures + 1))
    fi
    rm -rf "$work/build" "$work/out"
}

use "add_subdirectory, static" -DHEDDLE_BY=add_subdirectory
use "FetchContent, shared, hidden kernels" -DHEDDLE_BY=FetchContent -DBUILD_SHARED_LIBS=ON
[ "$failures" -eq 0 ]
