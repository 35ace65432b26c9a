# SPDX-License-Identifier: Apache-2.0
# steps.sh - sourced by the other scripts, which have set `root`: steps that print one line each,
# and the end of their log if they fail.

HEDDLE_CI_LOGS=${HEDDLE_CI_LOGS:-$root/build/ci/logs}
mkdir -p "$HEDDLE_CI_LOGS"
jobs=${HEDDLE_CI_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}

# log_of NAME: the log file of a step.
log_of()
{
    echo "$HEDDLE_CI_LOGS/$(echo "$1" | tr -c 'A-Za-z0-9._\n-' '_').log"
}

# step NAME COMMAND...: runs the command; its output goes to a log.
step()
{
    step_name=$1
    step_log=$(log_of "$1")
    shift
    step_start=$(date +%s)
    "$@" >"$step_log" 2>&1 </dev/null
    step_code=$?
    step_seconds=$(($(date +%s) - step_start))
    if [ "$step_code" -eq 0 ]; then
        echo "ok    $step_name (${step_seconds} s)"
    elif [ "$step_code" -ne 77 ]; then
        echo "FAIL  $step_name (${step_seconds} s), end of $step_log:"
        tail -n "${HEDDLE_CI_TAIL:-40}" "$step_log" | sed 's/^/      /'
    fi
    return "$step_code"
}

# cached TREE VARIABLE: its value in the CMake cache of a tree.
cached()
{
    sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt"
}

# compile_all COMMANDFILE: runs its lines, one per core at a time. Fails if any fails.
compile_all()
{
    xargs -P "$jobs" -I '{}' sh -c '{}' <"$1"
}

# from_pypi FOLDER PACKAGE==VERSION [PREFIX]: unpacks a wheel for Linux on x86-64, or its files that
# begin with PREFIX, and writes FOLDER/log.
from_pypi()
{
    mkdir -p "$1" || return
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --platform manylinux2014_x86_64 --platform manylinux1_x86_64 \
        --platform manylinux_2_28_x86_64 --python-version 3.12 -d "$1" "$2" >"$1/log" 2>&1 || return
    for from_pypi_wheel in "$1"/*.whl; do
        python3 -c 'import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
wheel.extractall(sys.argv[2], [n for n in wheel.namelist() if n.startswith(sys.argv[3])])' \
            "$from_pypi_wheel" "$1" "${3:-}" >>"$1/log" 2>&1 && rm "$from_pypi_wheel" || return
    done
}

has_nvidia_device()
{
    if command -v nvidia-smi >/dev/null 2>&1; then
        nvidia-smi -L 2>/dev/null | grep -q '^GPU [0-9]'
    else
        ls /dev/nvidia[0-9]* >/dev/null 2>&1
    fi
}

has_amd_device()
{
    cat /sys/class/kfd/kfd/topology/nodes/*/gpu_id 2>/dev/null | grep -q '[1-9]'
}

# The toolkit's compiler, if there is one.
find_nvcc()
{
    for candidate in "${CUDACXX:-nvcc}" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc"; do
        if command -v "$candidate" >/dev/null 2>&1; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

# The preset for this machine: a GPU preset if there is a GPU with its toolkit, otherwise cpu.
choose_preset()
{
    if has_nvidia_device && find_nvcc >/dev/null; then
        echo cuda
    elif has_amd_device && command -v "${ROCM_PATH:-/opt/rocm}/llvm/bin/clang++" >/dev/null; then
        echo hip
    else
        echo cpu
    fi
}

# count_tests LOG: "passed failed skipped" of a ctest log.
count_tests()
{
    awk '/^ *[0-9]+\/[0-9]+ Test +#/ {
             if (/\*\*\*Skipped/) skipped++
             else if (/   Passed /) passed++
             else failed++
         }
         END { print passed + 0, failed + 0, skipped + 0 }' "$1"
}

# failed_tests LOG: their names and output.
failed_tests()
{
    awk '/^ *[0-9]+\/[0-9]+ Test +#/ { show = !/   Passed / && !/\*\*\*Skipped/ }
         /^ *Start +[0-9]+:/ { next }
         /^[0-9]+% tests passed/ { show = 0 }
         show && lines++ < 120' "$1"
}

# skipped_cases BUILD: test cases that were skipped, "COUNT REASON" per line. A test program passes
# if one of its tests passes; others may have been skipped.
skipped_cases()
{
    sed -n 's/^skip [^:]*: //p' "$1/Testing/Temporary/LastTest.log" 2>/dev/null | sort | uniq -c | sort -rn
}

# tests_at_once BUILD: on the CPU 1.5 times the number of cores, because many tests mostly wait: for
# other ranks, for streams, for timeouts.
tests_at_once()
{
    if grep -q '^HEDDLE_BACKEND:[A-Z]*=cpu$' "$1/CMakeCache.txt"; then
        echo $((jobs + jobs / 2))
    else
        echo "$jobs"
    fi
}

# run_ctest NAME BUILD ARGUMENTS...: prints one line; sets passed, failed, skipped, and none_match
# if the arguments select no test, which is a failure.
run_ctest()
{
    ctest_name=$1
    ctest_build=$2
    shift 2
    ctest_log=$(log_of "ctest $ctest_name")
    ctest_start=$(date +%s)
    ctest --test-dir "$ctest_build" --output-on-failure -j "$(tests_at_once "$ctest_build")" "$@" \
        >"$ctest_log" 2>&1 </dev/null
    ctest_code=$?
    read -r passed failed skipped <<END
$(count_tests "$ctest_log")
END
    seconds=$(($(date +%s) - ctest_start))
    if grep -q '^No tests were found' "$ctest_log"; then
        echo "FAIL  tests of $ctest_name: none match $*"
        failed=1 none_match=yes
        return 1
    fi
    # Zero tests do not count as passed.
    if [ "$ctest_code" -eq 0 ] && [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]; then
        echo "ok    tests of $ctest_name: $passed passed, $skipped skipped ($seconds s)"
        skipped_cases "$ctest_build" | awk '{ count = $1; $1 = ""; cases += count; line[NR] = count " of" $0 }
            END { if (cases) print "      inside of tests that ran, " cases " cases were skipped:"
                  for (i = 1; i <= NR; i++) print "        " line[i] }'
        return 0
    fi
    echo "FAIL  tests of $ctest_name: $passed passed, $failed failed, $skipped skipped ($seconds s)"
    failed_tests "$ctest_log" | sed 's/^/      /'
    [ "$passed" -eq 0 ] && [ "$failed" -eq 0 ] && tail -n 20 "$ctest_log" | sed 's/^/      /'
    [ "$failed" -eq 0 ] && failed=1
    return 1
}
