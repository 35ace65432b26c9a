#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cell.sh KIND [key=value...] - one cell of the CI matrix. Exit status: 0 passed, 1 failed, 77 not run
# (the reason is printed), 2 wrong usage.
#   cpu          compiler=gcc|clang|NAME  warp=32|64|both  arch=x86_64|aarch64
#                sanitizer=address,undefined  switch=ucontext  check=1
#                label=REGEX  skip=REGEX   only tests with, or without, such a label
#   check        compiler=  arch=aarch64  label=REGEX  skip=REGEX  seeds=1,2,3  once=REGEX
#                the checking engine: tests and planted bugs with each seed; tests with a label of
#                `once` only with the first seed. except=REGEX  no tests with such a name.
#                target=NAME  builds only this target
#   cuda         arch=80;90  builds; runs if there is an NVIDIA device. arch=oldest: sm_70, or the
#                oldest later one that nvcc supports. Kernels leave the files that ci/codegen.sh reads
#                (ci/nvcc-report.sh). target=NAME: builds only this target
#   hip          arch=gfx90a;gfx942  builds and links; runs if there is an AMD device. target=NAME
#   hip-nvidia   arch=80;90  the HIP API on NVIDIA: builds; runs if there is an NVIDIA device
#   codegen      assembly of every kernel, checked (ci/codegen.sh)
#   lint         format and project rules (ci/lint.sh)
#   dieharder    random numbers through dieharder (ci/dieharder.sh)
#   headers      the GPU runtime against the headers of older CUDA versions (ci/headers.sh)
#   hip-headers  the GPU runtime and all kernels against the headers of a newer HIP
#                (ci/hip-headers.sh)
#   hidden       accesses that gcc hides from the checker (ci/hidden.sh)
#   mutate       synchronization removed from kernels and drivers, one call at a time (ci/mutate.sh)
#   fuzz         seconds=600  the file readers under libFuzzer
#   site         docs/ and the API reference as a site, every link checked (ci/site.sh)
# With HEDDLE_CI_COUNTS=FILE, "passed failed skipped" is written to FILE.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. ci/steps.sh

kind=${1:-}
[ $# -gt 0 ] && shift
compiler=gcc warp=both arch="" sanitizer="" switch=auto check="" label="" skip="" seconds=600
seeds=1,2,3 once="" except="" target=""
for setting in "$@"; do
    case $setting in
    compiler=* | warp=* | arch=* | sanitizer=* | switch=* | check=* | label=* | skip=* | \
        seconds=* | seeds=* | once=* | except=* | target=*)
        eval "${setting%%=*}=\${setting#*=}"
        ;;
    *)
        echo "cell.sh: what is $setting?" >&2
        exit 2
        ;;
    esac
done
name=$(echo "$kind $*" | sed 's/target=[^ ]*//; s/except=[^ ]*//; s/[a-z]*=//g; s/ *$//; s/[^A-Za-z0-9_.-]/-/g')
build=build/ci/$name
passed=0 failed=0 skipped=0

finish()
{
    [ -n "${HEDDLE_CI_COUNTS:-}" ] && echo "$passed $failed $skipped" >"$HEDDLE_CI_COUNTS"
    exit "$1"
}

not_run()
{
    echo "      $name not run: $1"
    finish 77
}

# build_tree CMAKE ARGUMENTS...
build_tree()
{
    if ! step "configure $name" cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release \
        -DHEDDLE_WERROR=ON "$@" ||
        ! step "build $name${target:+ $target}" cmake --build "$build" -j "$jobs" \
            ${target:+--target "$target"}; then
        failed=1
        finish 1
    fi
}

run_tests()
{
    if [ -n "$label" ]; then set -- "$@" -L "$label"; fi
    run_ctest "$name" "$build" "$@"
    finish $?
}

# Only a target was asked for.
built()
{
    passed=1
    finish 0
}

# Build and link, all that is possible without the device; this includes the install test and the
# programs of `heddle port`.
build_is_all()
{
    echo "      $name: $1, so it is built and linked, and its tests are not run"
    run_ctest "$name" "$build" -L '^(install|build)$'
    code=$?
    passed=$((passed + 1))
    finish $code
}

find_compiler()
{
    case $compiler in
    clang)
        for candidate in clang clang-19 clang-18 clang-17 clang-15; do
            command -v $candidate >/dev/null 2>&1 && compiler=$candidate && return
        done
        ;;
    esac
    command -v "$compiler" >/dev/null 2>&1 || not_run "no $compiler"
}

cross="-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64
    -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc"
emulator="-DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64;-L;/usr/aarch64-linux-gnu"

cross_or_not_run()
{
    command -v aarch64-linux-gnu-gcc >/dev/null 2>&1 || not_run "no aarch64-linux-gnu-gcc"
    command -v qemu-aarch64 >/dev/null 2>&1 || not_run "no qemu-aarch64"
}

cell_cpu()
{
    set -- -DHEDDLE_BACKEND=cpu -DHEDDLE_CPU_SWITCH="$switch" -DHEDDLE_TEST_LONG=ON
    exclude="^($skip)\$"
    if [ "$arch" = aarch64 ] && [ "$(uname -m)" != aarch64 ]; then
        cross_or_not_run
        set -- "$@" $cross -DHEDDLE_TEST_TIMEOUT=900 "$emulator"
        exclude="$exclude|^install\$|^script\$"
    else
        find_compiler
        set -- "$@" -DCMAKE_C_COMPILER="$compiler"
    fi
    if [ -n "$sanitizer" ]; then
        exclude="$exclude|^faults\$"
        set -- "$@" -DHEDDLE_SANITIZE="$sanitizer" -DHEDDLE_TEST_TIMEOUT=600 \
            -DCMAKE_C_FLAGS_RELEASE="-O1 -g"
    fi
    [ "$sanitizer" = thread ] && [ "$label" = threads ] && target=heddle_thread_tests
    [ -n "$check" ] && set -- "$@" -DHEDDLE_SELF_CHECK=ON
    build_tree "$@"
    case $warp in
    32) exclude="$exclude|^w64\$" ;;
    64) exclude="$exclude|^w32\$" ;;
    esac
    run_tests -LE "$exclude"
}

# Counts are summed over the runs.
cell_check()
{
    set -- -DHEDDLE_BACKEND=cpu -DHEDDLE_CHECK=ON -DHEDDLE_TEST_LONG=ON
    exclude="^($skip)\$"
    if [ "$arch" = aarch64 ] && [ "$(uname -m)" != aarch64 ]; then
        cross_or_not_run
        HEDDLE_CPU_MEMORY=${HEDDLE_CPU_MEMORY:-128M} # qemu keeps something for every page of cells
        export HEDDLE_CPU_MEMORY
        set -- "$@" $cross -DHEDDLE_TEST_TIMEOUT=900 "$emulator"
        exclude="$exclude|^install\$|^script\$"
    else
        find_compiler
        set -- "$@" -DCMAKE_C_COMPILER="$compiler"
    fi
    build_tree "$@"
    code=0 all_passed=0 all_failed=0 all_skipped=0
    for seed in $(echo "$seeds" | tr ',' ' '); do
        HEDDLE_CHECK_SEED=$seed
        export HEDDLE_CHECK_SEED
        run_ctest "$name seed $seed" "$build" ${label:+-L "$label"} -LE "$exclude" \
            ${except:+-E "$except"} || code=1
        all_passed=$((all_passed + passed)) all_failed=$((all_failed + failed))
        all_skipped=$((all_skipped + skipped))
        [ -z "$once" ] || exclude="$exclude|^($once)\$"
    done
    passed=$all_passed failed=$all_failed skipped=$all_skipped
    finish $code
}

# Architectures that both nvcc and heddle support: 70 75 80 ...
nvcc_architectures()
{
    "$nvcc" --list-gpu-arch | sed -n 's/^compute_\([0-9]*\)$/\1/p' | awk '$1 >= 70' | sort -n
}

# Replaces arch=oldest; a cell for an architecture that nvcc no longer supports is not run.
choose_architectures()
{
    known=$(nvcc_architectures)
    if [ "$arch" = oldest ]; then
        arch=$(echo "$known" | head -n 1)
        echo "      $name: sm_$arch is the oldest that $nvcc compiles for"
    fi
    for one in $(echo "$arch" | tr ';' ' '); do
        number=$(echo "$one" | tr -cd 0-9)
        [ -z "$number" ] || echo "$known" | grep -qx "$number" ||
            not_run "$nvcc compiles for $(echo $known), not for $one"
    done
}

cell_cuda()
{
    nvcc=$(find_nvcc) || not_run "no nvcc (CUDA 12.0 or newer)"
    choose_architectures
    build_tree -DHEDDLE_BACKEND=cuda ${arch:+-DHEDDLE_CUDA_ARCHITECTURES="$arch"} \
        -DCMAKE_CUDA_COMPILER_LAUNCHER="sh;$root/ci/nvcc-report.sh"
    [ -z "$target" ] || built
    has_nvidia_device || build_is_all "no NVIDIA device here"
    run_tests
}

cell_hip()
{
    sh ci/setup.sh hip >"$(log_of "setup hip")" 2>&1 || not_run "$(tail -n 1 "$(log_of "setup hip")")"
    build_tree -DHEDDLE_BACKEND=hip -DHEDDLE_HIP_PLATFORM=amd \
        ${arch:+-DHEDDLE_HIP_ARCHITECTURES="$arch"}
    [ -z "$target" ] || built
    has_amd_device || build_is_all "no AMD device here"
    run_tests
}

cell_hip_nvidia()
{
    find_nvcc >/dev/null || not_run "no nvcc (CUDA 12.0 or newer)"
    for folder in "${HEDDLE_HIP_INCLUDE_DIR:-}" "${ROCM_PATH:-/opt/rocm}/include" /usr/include; do
        [ -f "$folder/hip/hip_runtime.h" ] && break
    done
    [ -f "$folder/hip/hip_runtime.h" ] || not_run "no HIP headers (libamdhip64-dev)"
    build_tree -DHEDDLE_BACKEND=hip -DHEDDLE_HIP_PLATFORM=nvidia \
        ${arch:+-DHEDDLE_CUDA_ARCHITECTURES="$arch"} \
        ${HEDDLE_HIP_INCLUDE_DIR:+-DHEDDLE_HIP_INCLUDE_DIR="$HEDDLE_HIP_INCLUDE_DIR"}
    has_nvidia_device || build_is_all "no NVIDIA device here"
    run_tests
}

# script NAME SCRIPT: a check that prints its own table.
script()
{
    sh "ci/$1.sh"
    code=$?
    if [ "$code" -eq 0 ]; then passed=1; elif [ "$code" -ne 77 ]; then failed=1; fi
    finish $code
}

cell_fuzz()
{
    compiler=clang
    find_compiler
    build_tree -DHEDDLE_BACKEND=cpu -DHEDDLE_FUZZ=ON -DCMAKE_C_COMPILER="$compiler" \
        -DHEDDLE_SANITIZE=fuzzer-no-link,address,undefined
    found=0
    for target in "$build"/tests/fuzz/fuzz_*; do
        [ -x "$target" ] && [ -f "$target" ] || continue
        found=1
        base=$(basename "$target" | sed 's/^fuzz_//')
        mkdir -p "$build/corpus/$base"
        if step "fuzz $base ($seconds s)" "$target" "$build/corpus/$base" \
            "tests/fuzz/corpus-$base" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
        fi
    done
    [ "$found" -eq 1 ] || not_run "no fuzz targets were built"
    [ "$failed" -eq 0 ]
    finish $?
}

case $kind in
cpu) cell_cpu ;;
check) cell_check ;;
cuda) cell_cuda ;;
hip) cell_hip ;;
hip-nvidia) cell_hip_nvidia ;;
codegen | dieharder | headers | hidden | hip-headers | lint | mutate | site) script "$kind" ;;
fuzz) cell_fuzz ;;
*)
    sed -n '3,26p' "$0" | sed 's/^# //'
    exit 2
    ;;
esac
