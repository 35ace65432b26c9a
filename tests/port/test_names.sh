#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every name that the translator counts as translated is defined by the header that the table
# (src/cli/port/names.inc) says, in C too unless names_cxx.inc lists it. Uses HEDDLE_SOURCE_DIR, CXX and CC,
# or HEDDLE_KERNEL_COMMAND, the command that compiles kernels of a backend for hardware, with
# HEDDLE_BACKEND_FOLDERS.
set -u
root=$HEDDLE_SOURCE_DIR
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-names.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
includes="-I$root/include"
for folder in ${HEDDLE_BACKEND_FOLDERS:-cpu port}; do
    includes="$includes -I$root/backends/$folder/include"
done
compile=${HEDDLE_KERNEL_COMMAND:-${CXX:-c++} -std=c++17 -x c++}
[ -n "${HEDDLE_KERNEL_COMMAND:-}" ] && compile="$compile --cuda-device-only -DHD_CXX=1"
compile="$compile $includes"

names() # KIND: the names of one kind
{
    sed -n "s/^PORT_$1(\(.*\))\$/\1/p" "$root"/src/cli/port/names_*.inc
}

{
    echo '#include <heddle/cuda_groups.hpp>'
    echo '#include <heddle/cuda_half.hpp>'
    echo '#include <heddle/cuda_complex.hpp>'
    echo '#include <heddle/cuda_algorithms.hpp>'
    echo 'namespace test {'
    for kind in TYPE FUNCTION HALF COMPLEX; do
        names $kind | sed 's/.*/using ::&;/'
    done
    echo '} namespace values { const long long all[] = {'
    names VALUE | sed 's/.*/(long long)&,/'
    echo '};'
    echo '} namespace groups {'
    names GROUPS | sed 's/.*/using cooperative_groups::&;/'
    echo '} namespace blocks {'
    names CUB | sed 's/.*/using cub::&;/'
    echo '} namespace calls {'
    names THRUST | sed 's/.*/using thrust::&;/'
    echo '}'
} >"$work/names.cpp"
# shellcheck disable=SC2086
if ! $compile -fsyntax-only "$work/names.cpp" 2>"$work/errors"; then
    grep error "$work/errors" | head -n 20
    exit 1
fi
# shellcheck disable=SC2086
$compile -dM -E "$work/names.cpp" | sed -n 's/^#define \([A-Za-z_0-9]*\).*/\1/p' | sort >"$work/macros"
names MACRO | sort | comm -23 - "$work/macros" >"$work/missing"
# A macro of CUDA's may be a function here.
{
    echo '#include <heddle/cuda_names.hpp>'
    echo 'namespace test {'
    sed 's/^__builtin_.*/#if !__has_builtin(&)\n#error &\n#endif/; t; s/.*/using ::&;/' "$work/missing"
    echo '}'
} >"$work/functions.cpp"
# shellcheck disable=SC2086
$compile -fsyntax-only "$work/functions.cpp" 2>/dev/null && : >"$work/missing"
count=$(cat "$root"/src/cli/port/names_*.inc | grep -c '^PORT_')
[ "$count" -gt 400 ] || { echo "only $count names in the table"; exit 1; }
if [ -s "$work/missing" ]; then
    echo "macros that are not defined:"
    cat "$work/missing"
    exit 1
fi
[ -n "${HEDDLE_KERNEL_COMMAND:-}" ] && exit 0

# ---- the same names in C -----------------------------------------------------------------------
compile="${CC:-cc} -std=c11 -Wall -Wextra -Werror $includes"
printf '#define PORT_NEEDS_CXX(name) @name\n#include "%s"\n' "$root/src/cli/port/names_cxx.inc" |
    ${CC:-cc} -E -P - | tr -d ' ' | tr '@' '\n' | sed '/^$/d' | sort >"$work/cxx"
[ "$(wc -l <"$work/cxx")" -gt 200 ] || { echo "names_cxx.inc lists too little"; exit 1; }
in_c() # KIND: the names of one kind that C has
{
    names "$1" | sort | comm -23 - "$work/cxx"
}
{
    echo '#include <heddle/cuda_names.h>'
    in_c TYPE | sed 's/.*/typedef & test_&;/'
    in_c COMPLEX | grep -i 'complex$' | grep -v make | sed 's/.*/typedef & test_&;/'
    echo 'const long long all[] = {'
    in_c VALUE | sed 's/.*/(long long)&,/'
    echo '}; void use(void); void use(void) {'
    { in_c FUNCTION; in_c COMPLEX | grep -vx 'cu[A-Za-z]*Complex'; in_c MACRO; } | grep -v '^__builtin_' |
        sed 's/.*/#ifndef &\n(void)&;\n#endif/'
    echo '}'
} >"$work/names.c"
# shellcheck disable=SC2086
if ! $compile -fsyntax-only "$work/names.c" 2>"$work/errors"; then
    echo "in C:"
    grep error "$work/errors" | head -n 20
    exit 1
fi
# What the list says to be missing is missing: neither declared nor a macro. Local variables of heddle's
# headers are named half.
echo '#include <heddle/cuda_names.h>' >"$work/names.c"
# shellcheck disable=SC2086
{ $compile -E -P "$work/names.c" && $compile -E -dM "$work/names.c"; } | tr -cs 'A-Za-z_0-9' '\n' |
    sort -u >"$work/words"
names HALF | grep -vx half | sort | comm -12 - "$work/words" >"$work/there"
if [ -s "$work/there" ]; then
    echo "names_cxx.inc lists what C has:"
    cat "$work/there"
    exit 1
fi
