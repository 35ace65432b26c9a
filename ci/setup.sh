#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# setup.sh [GROUP...] - installs missing packages on Debian 12 or Ubuntu 24.04, through apt.
#   build    CMake, a C compiler, make (default)
#   test     also pkg-config, Open MPI, compilers for C++ and Fortran
#   clang    clang as C compiler
#   hip      clang with HIP, its device libraries and the HIP runtime
#   lint     clang-format, git
#   dieharder  statistical tests of random numbers
#   site     Doxygen, and what ci/site.sh needs to install MkDocs from PyPI
#   aarch64  a cross compiler and an emulator
# If nothing is missing, it does nothing and needs no network. Without root or sudo it prints the
# command to run and exits with 1.
set -u
missing=""

need()
{
    case " $missing " in *" $1 "*) ;; *) missing="$missing $1" ;; esac
}

# command COMMAND PACKAGE...: the packages are needed if the command is missing.
command_from()
{
    command -v "$1" >/dev/null 2>&1 && return
    shift
    for package in "$@"; do
        need "$package"
    done
}

available()
{
    apt-cache show "$1" >/dev/null 2>&1
}

cmake_is_old()
{
    command -v cmake >/dev/null 2>&1 || return 0
    cmake --version | awk 'NR == 1 { split($3, v, "."); exit !(v[1] * 100 + v[2] < 325) }'
}

# Compilers do not come with the C library's headers.
c_library_is_missing()
{
    echo '#include <stdio.h>' | cc -E - >/dev/null 2>&1 && return 1
    return 0
}

need_build()
{
    cmake_is_old && need cmake
    command_from make make
    command_from cc gcc
    c_library_is_missing && need libc6-dev
    echo '#include <png.h>' | cc -E - >/dev/null 2>&1 || need libpng-dev # pictures
    echo '#include <jansson.h>' | cc -E - >/dev/null 2>&1 || need libjansson-dev # reading JSON
}

# The newest clang for which the distribution also has lld and the bundler.
newest_clang()
{
    for version in 19 18 17 15; do
        if available "clang-$version" && available "clang-tools-$version"; then
            echo "$version"
            return
        fi
    done
    echo 15
}

has_hip_clang()
{
    [ -x "${ROCM_PATH:-/opt/rocm}/llvm/bin/clang++" ] && return 0
    for version in 21 20 19 18 17 16 15; do
        if command -v "clang++-$version" >/dev/null 2>&1 &&
            [ -x "/usr/lib/llvm-$version/bin/clang-offload-bundler" ] &&
            [ -x "/usr/lib/llvm-$version/bin/lld" ]; then
            return 0
        fi
    done
    return 1
}

need_hip()
{
    if ! has_hip_clang; then
        version=$(newest_clang)
        need "clang-$version"
        need "clang-tools-$version"
        need "lld-$version"
    fi
    [ -f /usr/include/hip/hip_runtime.h ] ||
        [ -f "${ROCM_PATH:-/opt/rocm}/include/hip/hip_runtime.h" ] || need libamdhip64-dev
    if [ -z "$(find /usr/lib "${ROCM_PATH:-/opt/rocm}" -name ockl.bc 2>/dev/null | head -n 1)" ]; then
        if available rocm-device-libs; then need rocm-device-libs; else need rocm-device-libs-17; fi
    fi
}

# Any MPI is accepted: an installed one is used.
need_mpi()
{
    command -v mpicc >/dev/null 2>&1 && command -v mpirun >/dev/null 2>&1 && return
    need libopenmpi-dev
    need openmpi-bin
}

for group in "${@:-build}"; do
    case $group in
    build) need_build ;;
    test)
        need_build
        command_from pkg-config pkgconf
        command_from c++ g++ # examples in C++
        command_from gfortran gfortran
        need_mpi
        ;;
    clang)
        command -v clang >/dev/null 2>&1 || command -v clang-19 >/dev/null 2>&1 ||
            need "clang-$(newest_clang)"
        ;;
    hip) need_hip ;;
    lint)
        command_from clang-format clang-format
        command_from git git
        ;;
    dieharder) command_from dieharder dieharder ;;
    site)
        command_from doxygen doxygen
        command_from python3 python3
        python3 -c 'import ensurepip' 2>/dev/null || need python3-venv
        ;;
    aarch64)
        command_from aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross
        command_from qemu-aarch64 qemu-user
        ;;
    *)
        echo "setup.sh: no group $group: build, test, clang, hip, lint, dieharder, site, aarch64" >&2
        exit 2
        ;;
    esac
done

[ -z "$missing" ] && exit 0
line="apt-get install -y --no-install-recommends$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "heddle needs what Debian calls:$missing. This system has no apt; install them by hand." >&2
    exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo"
elif command -v sudo >/dev/null 2>&1 && [ -t 0 ]; then
    as_root="sudo"
else
    echo "heddle needs packages. As root, run:" >&2
    echo "  apt-get update && $line" >&2
    exit 1
fi
echo "installing:$missing"
log=$(mktemp)
if ! { $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive $line; } \
    >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    echo "setup.sh: this failed: apt-get update && $line" >&2
    exit 1
fi
rm -f "$log"
