#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deb.sh - makes the Debian package of the build tree HEDDLE_BUILD_DIR, unpacks it into a scratch root,
# and builds and runs the tour with what is there. Installs nothing.
# Environment: HEDDLE_SOURCE_DIR, HEDDLE_BUILD_DIR, HEDDLE_TEST_CMAKE, HEDDLE_TEST_CPACK, CC.
set -u
for program in dpkg-deb dpkg-shlibdeps; do
    command -v $program >/dev/null || { echo "skipped: no $program (Debian: dpkg-dev)"; exit 77; }
done
cmake=${HEDDLE_TEST_CMAKE:-cmake}
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-deb.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

# expect NAME COMMAND...: one line; what it printed where it fails.
expect()
{
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok $name"
    else
        echo "FAIL $name"
        tail -n 30 "$work/log" | sed 's/^/    /'
        failures=$((failures + 1))
        return 1
    fi
}

has_fields()
{
    dpkg-deb -I "$deb" | tee "$work/fields"
    grep -q '^ Package: heddle$' "$work/fields" && grep -q '^ Version: [0-9]' "$work/fields" &&
        grep -q '^ Depends: .*libc6' "$work/fields"
}

has_files()
{
    dpkg-deb -c "$deb" >"$work/files" || return 1
    for file in bin/heddle lib/libheddle.a lib/libheddle.so.0 lib/libheddle_core.a \
        lib/cmake/heddle/heddleConfig.cmake lib/pkgconfig/heddle.pc include/heddle/heddle.h \
        share/man/man1/heddle.1 share/bash-completion/completions/heddle \
        share/zsh/site-functions/_heddle share/fish/vendor_completions.d/heddle.fish share/doc/heddle/LICENSE; do
        grep -q " \./usr/$file" "$work/files" || { echo "no $file"; return 1; }
    done
    ! grep -v ' \./\($\|usr/\)' "$work/files"
}

runs_tour()
{
    "$cmake" -S "$HEDDLE_SOURCE_DIR/tests/install/tour" -B "$work/tour" -DCMAKE_C_COMPILER="${CC:-cc}" \
        -DCMAKE_PREFIX_PATH="$work/root/usr" &&
        grep "heddle_DIR:PATH=$work/root" "$work/tour/CMakeCache.txt" &&
        "$cmake" --build "$work/tour" && "$work/tour/tour" | grep '2 \* 999 + 1 = 1999'
}

# A program that the installed tool translates builds with the installed headers, in C++ and in C.
runs_translated()
{
    for options in "" --c; do
        [ -n "$options" ] || command -v c++ >/dev/null || continue
        ported=$work/ported$options
        "$work/root/usr/bin/heddle" port "$HEDDLE_SOURCE_DIR/tests/port/vecadd.cu" $options -o "$ported" &&
            "$cmake" -S "$ported" -B "$ported/build" -DCMAKE_C_COMPILER="${CC:-cc}" \
                -DCMAKE_PREFIX_PATH="$work/root/usr" &&
            "$cmake" --build "$ported/build" && "$ported/build/vecadd" | grep PASS || return 1
    done
}

# The page begins as roff wants it and has every command; what the shell offers for a word.
has_pages()
{
    page=$work/root/usr/share/man/man1/heddle.1
    grep -q '^\.TH HEDDLE 1' "$page" && grep -q '^\.SH "HEDDLE bench reduce"$' "$page" || return 1
    command -v bash >/dev/null || return 0
    bash -c '. "$1"
        offers() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heddle; echo "${COMPREPLY[*]}"; }
        [ "$(offers heddle redu)" = reduce ] && [ "$(offers heddle bench redu)" = reduce ] &&
            [ "$(offers heddle reduce --colu)" = --column ]' \
        bash "$work/root/usr/share/bash-completion/completions/heddle"
}

# gzip, because xz, the default, takes longer than all the rest.
expect "package" "${HEDDLE_TEST_CPACK:-cpack}" -G DEB --config "$HEDDLE_BUILD_DIR/CPackConfig.cmake" \
    -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip -B "$work/package" || exit 1
deb=$(find "$work/package" -maxdepth 1 -name 'heddle_*.deb')
expect "fields" has_fields
expect "files" has_files
expect "unpack" dpkg -x "$deb" "$work/root" || exit 1
expect "tool" "$work/root/usr/bin/heddle" --version
expect "course" "$work/root/usr/bin/heddle" exercise show 1
expect "tour" runs_tour
expect "translated program" runs_translated
expect "manual page and completion" has_pages
[ "$failures" -eq 0 ]
