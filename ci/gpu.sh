#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gpu.sh LOGS [PART...] - checks that need a machine with an NVIDIA GPU. Logs go to the folder LOGS;
# a summary table is printed at the end. Parts, by default all:
#   cuda, hip-nvidia   build and test the preset
#   memcheck, racecheck, synccheck   compute-sanitizer over the tests labelled `sanitizer` (cuda)
#   bench              the benchmarks, compared with the vendor's library; HEDDLE_BENCH_ROUNDS batches
#                      per number, at most HEDDLE_BENCH_LIMIT seconds per benchmark
#   several            on machines with several GPUs: links, collectives, Jacobi, conjugate gradients
#                      and, if heddle-mpi was built, ranks; compared with NCCL without NVLink multicast
# HEDDLE_HIP_INCLUDE_DIR: HIP headers, if they are not installed. HEDDLE_CUDA_ARCHITECTURES: by
# default the GPU's own.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || { echo "usage: sh ci/gpu.sh LOGS [PART...]" >&2; exit 2; }
mkdir -p "$1" || exit 1
HEDDLE_CI_LOGS=$(cd "$1" && pwd)
shift
cd "$root" || exit 1
. ci/steps.sh
parts=${*:-cuda hip-nvidia memcheck racecheck synccheck bench several}
table=$HEDDLE_CI_LOGS/table.txt
: >"$table"
bad=0

row()
{
    printf '%-12s %-6s %s\n' "$1" "$2" "$3" >>"$table"
    [ "$2" = ok ] || bad=1
}

nvcc=$(find_nvcc) || { echo "gpu.sh: no nvcc" >&2; exit 1; }
has_nvidia_device || { echo "gpu.sh: no NVIDIA device" >&2; exit 1; }
PATH=$(dirname "$nvcc"):$PATH
architectures=${HEDDLE_CUDA_ARCHITECTURES:-$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader |
    tr -d '. ' | sort -u | tr '\n' ';' | sed 's/;$//')}
{
    date -u '+%Y-%m-%d %H:%M UTC'
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
    "$nvcc" --version | tail -n 2
    git log -1 --format='commit %h' 2>/dev/null
} >"$HEDDLE_CI_LOGS/machine.txt" 2>&1
cat "$HEDDLE_CI_LOGS/machine.txt"

built=""

# build_preset PRESET: once per run.
build_preset()
{
    case " $built " in *" $1 "*) return 0 ;; esac
    step "configure $1" cmake --preset "$1" -DHEDDLE_CUDA_ARCHITECTURES="$architectures" \
        ${HEDDLE_HIP_INCLUDE_DIR:+-DHEDDLE_HIP_INCLUDE_DIR="$HEDDLE_HIP_INCLUDE_DIR"} &&
        step "build $1" cmake --build "build/$1" -j "$jobs" && built="$built $1"
}

test_preset()
{
    if ! build_preset "$1"; then
        row "$1" FAIL "does not build"
    elif run_ctest "$1" "build/$1"; then
        row "$1" ok "$passed passed, $failed failed, $skipped skipped"
    else
        row "$1" FAIL "$passed passed, $failed failed, $skipped skipped"
    fi
}

# sanitize TOOL: runs each labelled test program separately. CTest's command is that of
# tests/limit.sh: a shell, the script, seconds, the program; limits do not fit what a sanitizer takes.
sanitize()
{
    tool=$1
    sanitizer=$(command -v compute-sanitizer) || { row "$tool" "not run" "no compute-sanitizer"; return; }
    build_preset cuda || { row "$tool" FAIL "preset cuda does not build"; return; }
    ctest --test-dir build/cuda -N -V -L '^sanitizer$' | sed -n 's/^[0-9]*: Test command: //p' \
        >"$HEDDLE_CI_LOGS/programs.txt"
    clean=0 dirty=0
    while IFS= read -r command; do
        eval "set -- $command"
        shift 3
        name="$tool $(basename "$1")"
        step "$name" env HEDDLE_SANITIZER=1 "$sanitizer" --tool "$tool" --error-exitcode 9 \
            --print-limit 20 "$@"
        case $? in
        0 | 77) clean=$((clean + 1)) ;;
        *) dirty=$((dirty + 1)) ;;
        esac
    done <"$HEDDLE_CI_LOGS/programs.txt"
    if [ "$dirty" -eq 0 ] && [ "$clean" -gt 0 ]; then
        row "$tool" ok "$clean programs clean"
    else
        row "$tool" FAIL "$clean programs clean, $dirty with errors"
    fi
}

bench()
{
    build_preset cuda || { row bench FAIL "preset cuda does not build"; return; }
    for name in $(build/cuda/heddle --help | sed -n 's/^ *bench \([a-z0-9]*\) .*/\1/p'); do
        case $name in
        engine | checker) continue ;; # of the CPU
        launch) what=launch ;;
        *) what="$name --vendor ${HEDDLE_BENCH_ROUNDS:+--rounds $HEDDLE_BENCH_ROUNDS}" ;;
        esac
        # shellcheck disable=SC2086
        if step "bench $name" timeout "${HEDDLE_BENCH_LIMIT:-600}" build/cuda/heddle bench $what; then
            row "bench $name" ok "$(log_of "bench $name")"
        else
            row "bench $name" FAIL "see $(log_of "bench $name")"
        fi
        cat "$(log_of "bench $name")"
    done
}

# measure WORDS...: runs one command of the tool and prints its log.
measure()
{
    if step "$*" timeout "${HEDDLE_BENCH_LIMIT:-600}" build/cuda/heddle "$@"; then
        row several ok "$*"
    else
        row several FAIL "$*: see $(log_of "$*")"
    fi
    cat "$(log_of "$*")"
}

several()
{
    build_preset cuda || { row several FAIL "preset cuda does not build"; return; }
    devices=$(nvidia-smi --query-gpu=name --format=csv,noheader | wc -l)
    [ "$devices" -gt 1 ] || { row several "not run" "one device"; return; }
    export NCCL_NVLS_ENABLE=0
    sizes=8,8K,64K,256K,1M,4M,16M,64M,256M,1G
    measure topology
    measure p2p --runs 9
    measure remote
    measure collectives --sizes "$sizes" --vendor
    measure collectives --sizes 8,8K,64K,256K,1M,4M --graph 32 --vendor
    measure collectives --op all-gather,reduce-scatter,broadcast,all-to-all --sizes 8K,1M,64M --vendor
    for depth in 1 4 8; do
        measure jacobi --variant all --nccheck 1 --runs 3 --depth $depth
    done
    measure jacobi --nx 32768 --ny 32768 --niter 500 --nccheck 1 \
        --variant persistent,peer-store,copy-overlap
    measure scaling --norm-every 1
    measure cg --poisson 8192,8192 --iterations 160 --csv
    if [ -x build/cuda/heddle-mpi ]; then
        for what in pingpong alltoall jacobi; do
            ranks=$devices
            [ "$what" = pingpong ] && ranks=2
            step "mpi $what" timeout "${HEDDLE_BENCH_LIMIT:-600}" mpirun -n "$ranks" \
                build/cuda/heddle mpi "$what"
            row several "$([ $? -eq 0 ] && echo ok || echo FAIL)" "mpi $what, $ranks ranks"
            cat "$(log_of "mpi $what")"
        done
    fi
}

for part in $parts; do
    case $part in
    cuda | hip-nvidia) test_preset "$part" ;;
    memcheck | racecheck | synccheck) sanitize "$part" ;;
    bench) bench ;;
    several) several ;;
    *)
        echo "gpu.sh: no part $part" >&2
        exit 2
        ;;
    esac
done
echo
cat "$table"
[ "$bad" -eq 0 ]
