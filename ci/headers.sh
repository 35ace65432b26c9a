#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# headers.sh [VERSION...] - compiles the GPU runtime against the headers of CUDA versions that are
# not installed (by default 12.0 and 12.4), from PyPI, kept in build/ci/headers: this finds API
# differences without running anything. Exit status: 0, 1, 77 if the headers are not available.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. ci/steps.sh
[ $# -gt 0 ] || set -- 12.0 12.4
kept=build/ci/headers

# headers VERSION: unpacks the headers unless that was done before.
headers()
{
    [ -f "$kept/$1/done" ] && return
    for package in runtime nvcc; do
        from_pypi "$kept/$1" "nvidia-cuda-$package-cu12==$1.*" || return
    done
    touch "$kept/$1/done"
}

failed=0 files=0
for version in "$@"; do
    if ! headers "$version"; then
        echo "      no headers of CUDA $version: $(tail -n 1 "$kept/$version/log" 2>/dev/null)"
        exit 77
    fi
    for file in backends/gpu/*.c; do
        files=$((files + 1))
        ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wconversion -Wshadow \
            -Wstrict-prototypes -Werror -fsyntax-only -Ibackends/cuda -Ibackends/gpu -I. -Isrc \
            -Iinclude -Ibackends/cuda/include -Ibackends/gpu/include \
            -isystem "$kept/$version/nvidia/cuda_runtime/include" \
            -isystem "$kept/$version/nvidia/cuda_nvcc/include" "$file" ||
            { echo "FAIL  $file with CUDA $version"; failed=1; }
    done
done
echo "$files compiled against CUDA $*"
exit $failed
