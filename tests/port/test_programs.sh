#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The programs of this folder are translated, built as one project with the CMakeLists.txt that
# heddle port writes, and run with lazy streams: each compares its results with plain loops. The
# arguments are the warp sizes of the CPU engine, or "device" for another backend; without any, the
# programs are built and not run. Uses HEDDLE_TOOL, HEDDLE_BUILD_DIR, HEDDLE_SOURCE_DIR,
# HEDDLE_CHECKING (0 or 1), HEDDLE_PORT_OPTIONS, options of the translation, and
# HEDDLE_PORT_PROGRAMS, if not all programs are meant.
set -u
here=$HEDDLE_SOURCE_DIR/tests/port
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-port.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
programs=${HEDDLE_PORT_PROGRAMS:-"vecadd reduce tiles groups axpy vectors collectives values shadows scopes graphs defaults halves intrinsics
    dialect arguments scans plain shared/aligned shared/arrays shared/lengths host/asserts
    host/constants"}
printf 'cmake_minimum_required(VERSION 3.25)\nproject(ported LANGUAGES C CXX)\n' >"$work/CMakeLists.txt"
for name in $programs; do
    source=$here/$name.cu
    [ -f "$source" ] || source=$here/$name.hip.cpp
    name=${name##*/}
    # shellcheck disable=SC2086
    "$HEDDLE_TOOL" port "$source" ${HEDDLE_PORT_OPTIONS:-} -o "$work/$name" >"$work/said" 2>&1 || {
        echo "FAIL: $name is not translated"
        cat "$work/said"
        exit 1
    }
    echo "add_subdirectory($name)" >>"$work/CMakeLists.txt"
done
if ! { cmake -S "$work" -B "$work/build" -Dheddle_DIR="$HEDDLE_BUILD_DIR" \
    -DCMAKE_BUILD_TYPE=Release && cmake --build "$work/build" -j2; } >"$work/said" 2>&1; then
    echo "FAIL: the programs do not build"
    grep -E 'rror|undefined|multiple' "$work/said" | head -n 20
    exit 1
fi
for name in $programs; do
    name=${name##*/}
    for warp in "$@"; do
        out=$(HEDDLE_CPU_WARP=$warp HEDDLE_CPU_STREAMS=lazy:$warp "$work/build/$name/$name" 2>"$work/said")
        if [ "$out" != "$name PASS" ]; then
            echo "FAIL: $name at warp $warp: $out"
            cat "$work/said"
            failed=1
        fi
    done
    [ "${HEDDLE_CHECKING:-0}" = 0 ] && continue
    "$HEDDLE_TOOL" check --seeds 1 "$work/build/$name/$name" >"$work/said" 2>&1
    sed -n '/^error /p' "$work/said" >"$work/found"
    if [ -s "$work/found" ] || ! grep -q "^[0-9]* runs*:" "$work/said"; then
        echo "FAIL: heddle check finds errors in $name"
        cat "$work/said"
        failed=1
    fi
done
exit $failed
