#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# hip-headers.sh - compiles the GPU runtime and every kernel, for gfx942 and gfx1201, against the
# headers of a newer HIP than the one installed: those in the Triton wheel on PyPI, kept in
# build/ci/headers. The compiler and the device libraries are those of the HIP backend. Nothing is
# linked; this finds API differences. Exit status: 0, 1, 77 if headers or a compiler are not
# available.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. ci/steps.sh
wheel=triton==3.9.0
kept=$root/build/ci/headers/$wheel
include=$kept/triton/backends/amd/include
work=build/ci/hip-headers
architectures="gfx942 gfx1201"
mkdir -p "$work"

not_run()
{
    echo "      hip-headers not run: $1"
    exit 77
}

# Results of CMake's checks with these headers: a compiler for both architectures, device libraries.
configure()
{
    cmake -S . -B "$work/tree" -DHEDDLE_BACKEND=hip -DHEDDLE_HIP_PLATFORM=amd \
        -DHEDDLE_BUILD_TESTS=OFF -DHEDDLE_HIP_INCLUDE_DIR="$include" \
        -DHEDDLE_HIP_ARCHITECTURES="$(echo $architectures | tr ' ' ';')"
}

includes="-I. -Isrc -Iinclude -Ibackends/hip/include -Ibackends/gpu/include"

host_commands()
{
    for file in backends/gpu/*.c; do
        echo "${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wconversion -Wshadow" \
            "-Wstrict-prototypes -Werror -fsyntax-only -D__HIP_PLATFORM_AMD__ -Ibackends/hip" \
            "-Ibackends/gpu $includes -isystem $include $file"
    done
}

device_commands()
{
    compiler=$(cached "$work/tree" HEDDLE_HIP_CLANG)
    paths="--rocm-path=$(cached "$work/tree" HEDDLE_ROCM_PATH) -isystem $include"
    paths="$paths --rocm-device-lib-path=$(cached "$work/tree" HEDDLE_HIP_DEVICE_LIBRARIES)"
    for arch in $architectures; do
        for file in kernels/*/*.c src/cli/*/kernels/*.c src/cli/*/kernels/*/*.c src/cli/bench/plain/*.c; do
            echo "$compiler -x hip -std=c++17 -O1 -ffp-contract=off -munsafe-fp-atomics -Wall" \
                "-Wextra -Wno-unused-function -Wno-pass-failed -Werror -D__HIP_PLATFORM_AMD__" \
                "$paths --offload-arch=$arch --cuda-device-only -S $includes $file -o /dev/null"
        done
    done
}

if [ ! -f "$include/hip/hip_version.h" ]; then
    from_pypi "$kept" "$wheel" triton/backends/amd/include/ ||
        not_run "no $wheel: $(tail -n 1 "$kept/log" 2>/dev/null)"
fi
sh ci/setup.sh hip >"$work/setup.log" 2>&1 || not_run "$(tail -n 1 "$work/setup.log")"
configure >"$work/configure.log" 2>&1 ||
    not_run "$(grep -m 1 'heddle:' "$work/configure.log" || tail -n 1 "$work/configure.log")"
version=$(cached "$work/tree" HEDDLE_HIP_VERSION)
for arch in $architectures; do
    case ";$(cached "$work/tree" HEDDLE_HIP_TARGETS);" in
    *";$arch;"*) ;;
    *) not_run "no compiler here builds $arch with the headers of HIP $version" ;;
    esac
done
{ host_commands; device_commands; } >"$work/commands"
if step "hip-headers: HIP $version, $architectures" compile_all "$work/commands"; then
    echo "$(wc -l <"$work/commands") compiled against HIP $version"
else
    exit 1
fi
