#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Wrong code must not compile, and the first error must say what to do. Uses CC, CXX and
# HEDDLE_SOURCE_DIR.
set -u
root=$HEDDLE_SOURCE_DIR
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
flags="-fsyntax-only -I$root/include -I$root/backends/cpu/include"

# refuse LANGUAGE PATTERN: compiles standard input, whose first error must match the pattern.
refuse()
{
    if [ "$1" = c ]; then
        compile="${CC:-cc} -x c -std=gnu11 -Werror=implicit-function-declaration"
    else
        compile="${CXX:-c++} -x c++ -std=c++17"
    fi
    cat >"$work/source"
    # shellcheck disable=SC2086
    if $compile $flags "$work/source" 2>"$work/errors"; then
        echo "compiles, but should not ($2):"
        cat "$work/source"
        failed=1
        return
    fi
    line=$(grep -m 1 'error: ' "$work/errors")
    if ! echo "$line" | grep -q "$2"; then
        echo "the first error should match: $2"
        echo "it is: $line"
        failed=1
    fi
}

# accept LANGUAGE: compiles standard input, so that the errors above are not those of the frame.
accept()
{
    cat >"$work/source"
    if [ "$1" = c ]; then
        compile="${CC:-cc} -x c -std=gnu11 -Werror=implicit-function-declaration"
    else
        compile="${CXX:-c++} -x c++ -std=c++17"
    fi
    # shellcheck disable=SC2086
    $compile $flags "$work/source" || failed=1
}

# launch ARGUMENTS: a C++ file that launches `scale` with these arguments.
launch()
{
    cat <<EOF
#include <heddle/kernel.h>
#include <heddle/heddle.h>
struct text { text(const text &); ~text(); };
HD_KERNEL void scale(float *x, int n, float by) { if ((int)hd_global_x() < n) x[hd_global_x()] *= by; }
HD_KERNEL void heavy(text) {}
hd_status launch(hd_launch_config c, float *x, double *d, const text &t);
hd_status launch(hd_launch_config c, float *x, double *d, const text &t)
{
    void (*pointer)(float *, int, float) = scale;
    const auto closure = [=](int i) { x[i] = 0; };
    (void)pointer, (void)d, (void)t, (void)closure, (void)heavy;
    return hd_launch($1);
}
EOF
}

launch "scale, c, x, 3, 2.0" | accept cxx
launch "closure, c, 3" | accept cxx
launch "scale, c, x, 3" | refuse cxx 'hd_launch: the number of arguments'
launch "scale, c, x, 3, 2.0f, 1" | refuse cxx 'hd_launch: the number of arguments'
launch "scale, c, d, 3, 2.0f" | refuse cxx 'hd_launch: an argument does not convert'
launch "heavy, c, t" | refuse cxx 'hd_launch: the kernel.s parameters must be values'
launch "pointer, c, x, 3, 2.0f" | refuse cxx 'hd_launch: write the name of the kernel'
launch "closure, c, d" | refuse cxx 'hd_launch: the closure cannot be called'
launch "closure, c" | refuse cxx 'hd_launch: the closure cannot be called'

for language in c cxx; do
    refuse $language 'a shuffle moves a value, not a pointer' <<'EOF'
#include <heddle/kernel.h>
HD_DEVICE float *from_left(float *p) { return hd_shfl_up(p, 1, 8); }
HD_KERNEL void use(float *p) { *p = *from_left(p); }
EOF
    refuse $language 'scale_is_declared_by_HD_DECLARE' <<'EOF'
#include <heddle/kernel.h>
HD_KERNEL void scale(float *x) { x[hd_global_x()] *= 2.0f; }
HD_DEFINE(scale)
EOF
done
refuse c 'scale_launch_from_HD_DECLARE' <<'EOF'
#include <heddle/heddle.h>
hd_status launch(hd_launch_config c, float *x);
hd_status launch(hd_launch_config c, float *x) { return hd_launch(scale, c, x); }
EOF
[ "$failed" -eq 0 ]
