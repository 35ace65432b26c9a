#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The public headers, those of translated programs too, and the macros that kernels use have no warnings,
# as C11 and as C++17, with each compiler that is there. Casts are those of C, in C++ too: no
# -Wold-style-cast. Uses CC, CXX and HEDDLE_SOURCE_DIR.
set -u
cd "$HEDDLE_SOURCE_DIR/include" || exit 1
root=$HEDDLE_SOURCE_DIR
here=$root/tests/cxx
failed=0
flags="-fsyntax-only -Werror -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wundef
    -I$root/include -I$root/backends/cpu/include -I$root/backends/port/include"

includes() # FILES: but for MPI's header
{
    ls "$@" | sed '/[/]mpi[.]h$/d; s/.*/#include <&>/'
}
c() # COMPILER: compiles standard input as C
{
    # shellcheck disable=SC2086
    "$1" -x c -std=c11 -Wstrict-prototypes $flags - || failed=1
}
cxx()
{
    # shellcheck disable=SC2086
    "$1" -x c++ -std=c++17 $flags ${2:-} - || failed=1
}

seen=""
for pair in "${CC:-cc} ${CXX:-c++}" "gcc g++" "clang clang++" "clang-19 clang++-19" "clang-14 clang++-14"; do
    cc=${pair% *} cxx=${pair#* }
    # gcc may also be cc, and clang a link to one of the others.
    path=$(readlink -f "$(command -v "$cc")")
    case " $seen " in *" $path "*) continue ;; esac
    seen="$seen $path"
    if command -v "$cc" >/dev/null; then
        includes heddle/[!c]*.h heddle/c[!u]*.h | c "$cc"
        includes heddle/cu*.h | c "$cc"
        c "$cc" <"$here/warnings.c"
    fi
    if command -v "$cxx" >/dev/null; then
        includes heddle/[!c]*.h heddle/c[!u]*.h heddle/device/*.hpp | cxx "$cxx"
        # The bounds of CUB's arrays, T (&)[N], are of type int.
        includes heddle/cu*.h heddle/cu*.hpp | cxx "$cxx" -Wno-sign-conversion
        cxx "$cxx" <"$here/warnings.c"
    fi
done
exit $failed
