#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NAME - copies docs/examples/NAME, builds and runs it by the commands of its README, with the
# build tree HEDDLE_BUILD_DIR and with a prefix into which that is installed, at warp 32 and 64, and
# compares what it prints with the README. In a tree of the checking engine: with the build tree
# alone, where findings are failures, and what the README shows of the checker is compared too.
# Environment: HEDDLE_SOURCE_DIR, HEDDLE_BUILD_DIR, HEDDLE_BACKEND, HEDDLE_TEST_CMAKE, CC;
# HEDDLE_TEST_CHECK, HEDDLE_TEST_SANITIZE, HEDDLE_TEST_MPI: the options of the build tree.
set -u
name=$1
example=$HEDDLE_SOURCE_DIR/docs/examples/$name
cmake=${HEDDLE_TEST_CMAKE:-cmake}
check=${HEDDLE_TEST_CHECK:-OFF}
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-example.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

skip()
{
    echo "skipped: $1"
    exit 77
}

# The compilers of other languages belong to CC: runtimes of sanitizers do not mix.
choose_compilers()
{
    [ -n "${CXX:-}" ] || case $(basename "${CC:-cc}") in
    clang*) CXX=$(echo "${CC:-cc}" | sed 's/clang\([^/]*\)$/clang++\1/') ;;
    *gcc*) CXX=$(echo "${CC:-cc}" | sed 's/gcc\([^/]*\)$/g++\1/') ;;
    *) CXX=c++ ;;
    esac
    FC=${FC:-gfortran}
    export CXX FC
}

needs()
{
    case $name in
    cxx) command -v "$CXX" >/dev/null || skip "no C++ compiler ($CXX)" ;;
    fortran)
        command -v "$FC" >/dev/null || skip "no Fortran compiler (Debian: gfortran)"
        [ -z "${HEDDLE_TEST_SANITIZE:-}" ] || skip "a sanitizer, whose runtime gfortran may not have"
        ;;
    mpi)
        [ "${HEDDLE_TEST_MPI:-OFF}" = ON ] ||
            skip "built without MPI (Debian: libopenmpi-dev openmpi-bin)"
        ;;
    python)
        command -v python3 >/dev/null || skip "no python3"
        [ "$check" != ON ] || skip "the checking engine's library cannot be loaded by dlopen"
        [ -z "${HEDDLE_TEST_SANITIZE:-}" ] || skip "a sanitizer, which the program has to begin with"
        ;;
    esac
}

# block KIND N: the Nth block of the README that begins with ```KIND.
block()
{
    awk -v begin="\`\`\`$1" -v wanted="$2" '
        inside && $0 == "```" { inside = 0; next }
        inside { if (shown) print; next }
        /^```/ { inside = 1; shown = $0 == begin && ++count == wanted }' "$example/README.md"
}

# run_commands N PACKAGE LIBRARY WARP [again]: the Nth block of commands, in the folder of the copy;
# again: without those that build. What they print is in $work/out, what CMake prints in $work/log.
run_commands()
{
    block sh "$1" | sed "s# *\# .*##
        s#/path/to/heddle/build/cpu/libheddle.so#$3#
        s#/path/to/heddle/build/[a-z]*/heddle #$HEDDLE_BUILD_DIR/heddle #
        s#/path/to/heddle/build/[a-z]*#$2#
        ${5:+/^cmake /d}
        /^cmake /s#\$# >>'$work/log' 2>\&1#
        s#^cmake #'$cmake' #" >"$work/commands"
    [ -s "$work/commands" ] || { echo "no commands in the README"; return 1; }
    (cd "$work/$name" && HEDDLE_CPU_WARP=$4 PYTHONDONTWRITEBYTECODE=1 sh -eu "$work/commands") \
        >"$work/out" 2>"$work/err"
}

# The number of a device is not the same where there are fewer.
same_output()
{
    block "" 1 >"$work/expected"
    [ -s "$work/expected" ] || { echo "no output in the README"; return 1; }
    if [ "$HEDDLE_BACKEND" != cpu ]; then
        sed -i 's/device [0-9]*/device N/' "$work/expected" "$work/out"
    fi
    diff "$work/expected" "$work/out"
}

# try PACKAGE LIBRARY WARP [again]: on a GPU backend a machine without a device is no failure of the
# build.
try()
{
    run_commands 1 "$@"
    code=$?
    if [ "$HEDDLE_BACKEND" != cpu ] && grep -qE "HD_ERR_(NO_DEVICE|DEVICE_INDEX)" "$work/err"; then
        return 0
    fi
    [ "$code" -eq 0 ] && same_output && return 0
    cat "$work/log" "$work/err"
    return 1
}

# Every line that the README shows of the checker is in what it prints, but for how often and where
# the folder is. With a seed in the environment, the commands to reproduce would name another one.
same_findings()
{
    : >"$work/log"
    unset HEDDLE_CHECK_SEED
    run_commands 2 "$HEDDLE_BUILD_DIR" "" 32
    [ $? -eq 1 ] || { cat "$work/log" "$work/err" "$work/out"; return 1; }
    block "" 2 | grep -v '^  seen in' >"$work/expected"
    [ -s "$work/expected" ] || { echo "no findings in the README"; return 1; }
    sed -i "s#$work/$name/##" "$work/out"
    while IFS= read -r line; do
        grep -qxF -e "$line" "$work/out" && continue
        echo "not printed: $line"
        cat "$work/out"
        return 1
    done <"$work/expected"
}

step()
{
    title=$1
    shift
    if "$@" >"$work/step" 2>&1; then
        echo "ok $name, $title"
    else
        echo "FAIL $name, $title"
        tail -n 40 "$work/step" | sed 's/^/    /'
        failures=$((failures + 1))
    fi
}

# with WHAT PACKAGE LIBRARY: in a fresh copy, at both warp sizes where there are two.
with()
{
    : >"$work/log"
    rm -rf "${work:?}/$name" && cp -R "$example" "$work/$name" || exit 1
    step "$1, warp 32" try "$2" "$3" 32
    [ "$HEDDLE_BACKEND" != cpu ] || step "$1, warp 64" try "$2" "$3" 64 again
}

choose_compilers
needs
# As root, in a container or with fewer cores than ranks Open MPI asks for these.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=sh \
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader \
    OMPI_MCA_btl_vader_single_copy_mechanism=none
[ "$name" = mpi ] && export ASAN_OPTIONS=detect_leaks=0 # MPI has some

with "build tree" "$HEDDLE_BUILD_DIR" "$HEDDLE_BUILD_DIR/libheddle.so"
if [ "$check" = ON ]; then
    [ "$name" != streams ] || step "findings" same_findings
else
    "$cmake" --install "$HEDDLE_BUILD_DIR" --prefix "$work/prefix" >"$work/log" 2>&1 ||
        { cat "$work/log"; exit 1; }
    with "prefix" "$(dirname "$(find "$work/prefix" -name heddleConfig.cmake)")" \
        "$(find "$work/prefix" -name libheddle.so)"
fi
[ "$failures" -eq 0 ]
