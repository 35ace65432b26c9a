#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh - installs the build tree HEDDLE_BUILD_DIR into a fresh prefix and uses it as a stranger
# would: the tour's project by find_package (prefix and build tree, static and shared), by
# pkg-config; a wrong kernel argument that must not compile; host files without vendor headers.
# Without a device the programs are built and linked, not run.
# Environment: HEDDLE_SOURCE_DIR, HEDDLE_BUILD_DIR, HEDDLE_BACKEND, HEDDLE_TEST_CMAKE, CC.
set -u
cmake=${HEDDLE_TEST_CMAKE:-cmake}
cc=${CC:-cc}
tour=$HEDDLE_SOURCE_DIR/tests/install/tour
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-install.XXXXXX")
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
failures=0

# step NAME COMMAND...: one line; the log's end where it fails.
step()
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

# Runs the tour; on a GPU backend a machine without a device is no failure of the build.
run_tour()
{
    "$1" >"$work/out" 2>"$work/err"
    code=$?
    cat "$work/out" "$work/err"
    [ "$code" -eq 0 ] && grep -q '2 \* 999 + 1 = 1999' "$work/out" && return 0
    [ "$HEDDLE_BACKEND" != cpu ] && grep -qE "HD_ERR_(NO_DEVICE|DEVICE_INDEX)" "$work/err"
}

# use_cmake FOLDER ARGUMENTS...: configures, builds and runs the tour.
use_cmake()
{
    build=$work/$1
    shift
    "$cmake" -S "$tour" -B "$build" -DCMAKE_C_COMPILER="$cc" "$@" &&
        "$cmake" --build "$build" && run_tour "$build/tour"
}

# The program of docs/cxx-kernels.md, a single C++ file, prints what the page says.
use_single()
{
    "$cmake" -S "$HEDDLE_SOURCE_DIR/tests/install/single" -B "$work/single" \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" &&
        "$cmake" --build "$work/single" || return 1
    "$work/single/norms" >"$work/out" 2>"$work/err"
    code=$?
    cat "$work/out" "$work/err"
    [ "$HEDDLE_BACKEND" != cpu ] && grep -qE "HD_ERR_(NO_DEVICE|DEVICE_INDEX)" "$work/err" && return 0
    [ "$code" -eq 0 ] && grep -qx '64 320 1088 2368' "$work/out"
}

# The program of docs/primitives.md prints what the page says.
use_primitives()
{
    "$cmake" -S "$HEDDLE_SOURCE_DIR/tests/install/primitives" -B "$work/primitives" \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" &&
        "$cmake" --build "$work/primitives" || return 1
    "$work/primitives/primitives" >"$work/out" 2>"$work/err"
    code=$?
    cat "$work/out" "$work/err"
    [ "$HEDDLE_BACKEND" != cpu ] && grep -qE "HD_ERR_(NO_DEVICE|DEVICE_INDEX)" "$work/err" && return 0
    [ "$code" -eq 0 ] && [ -s "$work/out" ] || return 1
    while IFS= read -r line; do
        grep -qxF -e "$line" "$HEDDLE_SOURCE_DIR/docs/primitives.md" || return 1
    done <"$work/out"
}

# Several devices from one process: virtual ones on the CPU engine.
use_several()
{
    "$cmake" -S "$HEDDLE_SOURCE_DIR/tests/install/several" -B "$work/several" \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" &&
        "$cmake" --build "$work/several" || return 1
    HEDDLE_CPU_DEVICES=4 "$work/several/several" >"$work/out" 2>"$work/err"
    code=$?
    cat "$work/out" "$work/err"
    [ "$HEDDLE_BACKEND" != cpu ] && grep -qE "HD_ERR_(NO_DEVICE|DEVICE_INDEX)" "$work/err" && return 0
    [ "$code" -eq 0 ] || return 1
    [ "$HEDDLE_BACKEND" != cpu ] ||
        grep -q '^4 devices: sum 10, halo of part 0 from part 3, ' "$work/out"
}

# heddle::core has what the tour launches, and no primitives.
use_core()
{
    "$cmake" -S "$HEDDLE_SOURCE_DIR/tests/install/core" -B "$work/core" \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" &&
        "$cmake" --build "$work/core" && run_tour "$work/core/tour" || return 1
    nm "$(find "$prefix" -name 'libheddle_core.*' | head -n 1)" >"$work/symbols" 2>/dev/null
    grep -q ' T hd_launch_kernel$' "$work/symbols" && ! grep -E ' T hd_(reduce|scan|sort)' "$work/symbols"
}

# heddle::mpi, where it was built.
use_mpi()
{
    "$cmake" -S "$HEDDLE_SOURCE_DIR/tests/install/ranks" -B "$work/ranks" \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" &&
        "$cmake" --build "$work/ranks" || return 1
    [ "$HEDDLE_BACKEND" = cpu ] || return 0
    env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=sh \
        ASAN_OPTIONS=detect_leaks=0 OMPI_MCA_rmaps_base_oversubscribe=1 \
        OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none \
        mpirun -n 2 "$work/ranks/ranks" | grep 'rank 0 of 2 has device 0, and numbers of rank 1'
}

# A target of the user's that is called as a library of the system's.
use_beside_target_m()
{
    mkdir -p "$work/m" && cp "$tour"/* "$work/m/" &&
        echo 'int own_of_m;' >"$work/m/m.c" &&
        echo 'add_library(m STATIC m.c)' >>"$work/m/CMakeLists.txt" || return 1
    "$cmake" -S "$work/m" -B "$work/m/build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" &&
        "$cmake" --build "$work/m/build" && run_tour "$work/m/build/tour"
}

# lacks COMPONENT REASON: what find_package says of a component that is not there.
lacks()
{
    mkdir -p "$work/lacks-$1" && cp "$tour"/* "$work/lacks-$1/" || return 1
    sed "s/find_package(heddle REQUIRED)/find_package(heddle REQUIRED COMPONENTS $1)/" \
        "$tour/CMakeLists.txt" >"$work/lacks-$1/CMakeLists.txt"
    if "$cmake" -S "$work/lacks-$1" -B "$work/lacks-$1/build" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_PREFIX_PATH="$prefix" >"$work/errors" 2>&1; then
        echo "component $1 was found"
        return 1
    fi
    cat "$work/errors"
    tr -s ' \n' ' ' <"$work/errors" | grep -q "$2"
}

# The same of an installed heddle without MPI: the last that uses the prefix's package.
lacks_mpi()
{
    find "$prefix" -name 'heddleMpiTargets*.cmake' -exec rm {} + &&
        lacks mpi 'built without MPI: configure heddle with -DHEDDLE_MPI=ON'
}

# The lines that docs/guide.md has for pkg-config, as they stand there, with a prefix whose name has
# a blank. With `static` the archive in place of the shared library.
use_pkg_config()
{
    mkdir -p "$work/pc$1" && cp "$tour"/* "$work/pc$1" && cd "$work/pc$1" || return 1
    sed -n '/^eval ".*pkg-config/p' "$HEDDLE_SOURCE_DIR/docs/guide.md" >lines
    [ "$(wc -l <lines)" -eq 3 ] || { echo "docs/guide.md: not three lines with pkg-config"; return 1; }
    sed -i "s#^eval \"cc #eval \"$cc #; s#-o tour\"#${HEDDLE_TEST_LINK:-} -o tour\"#" lines
    [ "$1" = static ] && sed -i 's#(pkg-config --libs heddle)#(pkg-config --libs heddle | sed "s,-lheddle ,-l:libheddle.a ,")#' lines
    cat lines
    sh -eu lines && run_tour ./tour
}

# A kernel unlike its declaration is an error, as in a project of CMake's.
refuses_kernel()
{
    compile=$(pkg-config --variable=kernel_compile heddle) || return 1
    mkdir -p "$work/unlike" && cp "$tour/axpy.h" "$work/unlike/" || return 1
    sed 's/const float \*HD_RESTRICT x/const int *HD_RESTRICT x/' "$tour/axpy.c" >"$work/unlike/axpy.c"
    if $compile -I"$work/unlike" -c "$work/unlike/axpy.c" -o "$work/unlike/axpy.o"; then
        echo "a kernel unlike its declaration compiled"
        return 1
    fi
}

# A kernel compiled for the fast engine, with the checking one, is told so.
refuses_the_other_engine()
{
    pkg-config --variable=kernel_compile heddle | grep -q HD_CPU_CHECK || return 0
    cd "$work" &&
        "$cc" -O2 -I"$prefix/include" -I"$tour" -c "$tour/axpy.c" -o fast.o &&
        "$cc" -std=c11 $(pkg-config --cflags heddle) -c "$tour/main.c" -o main.o &&
        "$cc" main.o fast.o $(pkg-config --libs heddle) \
            -Wl,-rpath,"$(pkg-config --variable=libdir heddle)" -o other || return 1
    ./other >out 2>errors && { cat out; return 1; }
    cat errors
    grep -q 'was not compiled for the checking engine' errors
}

# An empty entry of a search path is the current directory, and a relative one depends on it.
search_paths_are_absolute()
{
    for file in "$HEDDLE_BUILD_DIR"/heddle* "$HEDDLE_BUILD_DIR"/libheddle*.so* "$prefix"/bin/* \
        "$prefix"/lib*/libheddle*.so*; do
        [ -f "$file" ] && [ ! -L "$file" ] && readelf -d "$file" 2>/dev/null |
            sed -nE 's/.*\((RPATH|RUNPATH)\).*\[(.*)\]$/\2/p' | tr ':' '\n' |
            grep -vE '^(/|\$ORIGIN)' | sed "s#^#$file: '#; s#\$#'#"
    done >"$work/relative"
    cat "$work/relative"
    [ ! -s "$work/relative" ]
}

# What the shared library exports: words of the installed headers, hooks of the checking engine, and
# under a version of its own what heddle::mpi takes.
exports_public_names()
{
    find "$prefix/include/heddle" -type f -exec cat {} + |
        grep -oE 'hd_[A-Za-z0-9_]+' | grep -v '^hd__' | sort -u >"$work/public"
    nm -D --defined-only "$(find "$prefix" -name libheddle.so)" | awk '$2 != "A" { print $3 }' >"$work/exported"
    grep -q '^hd_launch_kernel@' "$work/exported" || { echo "no hd_launch_kernel"; return 1; }
    grep -vE '@HEDDLE_PRIVATE$|^__(tsan|sanitizer|ubsan)_' "$work/exported" | sed 's/@.*//' | sort -u |
        comm -13 "$work/public" - >"$work/more"
    cat "$work/more"
    [ ! -s "$work/more" ]
}

# refuses_cxx NAME LINE ERROR: a line that C takes and C++ does not, in a kernel.
refuses_cxx()
{
    mkdir -p "$work/cxx-$1" && cp "$tour"/* "$work/cxx-$1/" || return 1
    sed "s/^    size_t i = hd_global_x();/&\n    $2/" "$tour/axpy.c" >"$work/cxx-$1/axpy.c"
    "$cmake" -S "$work/cxx-$1" -B "$work/cxx-$1/build" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_PREFIX_PATH="$prefix" || return 1
    if "$cmake" --build "$work/cxx-$1/build" --target tour_kernels >"$work/errors" 2>&1; then
        echo "compiled: $2"
        return 1
    fi
    cat "$work/errors"
    grep -q "$3" "$work/errors"
}

# A wrong argument must be an error that names the argument's type.
refuses()
{
    sed "s/$1/$2/" "$tour/main.c" >"$work/wrong.c"
    cmp -s "$work/wrong.c" "$tour/main.c" && { echo "nothing was changed: $1"; return 1; }
    if "$cc" -I"$prefix/include" -I"$tour" -Werror=incompatible-pointer-types \
        -Werror=int-conversion -c "$work/wrong.c" -o "$work/wrong.o" 2>"$work/errors"; then
        echo "a wrong argument compiled"
        return 1
    fi
    cat "$work/errors"
    grep -q "$3" "$work/errors"
}

# The same through heddle's own targets: the user sets no flag.
refuses_by_cmake()
{
    mkdir -p "$work/wrong" && cp "$tour"/* "$work/wrong/" || return 1
    sed 's/device_x, device_y));/host, device_y));/; s/hd_stream \*stream;/&\n    int *host = NULL;/' \
        "$tour/main.c" >"$work/wrong/main.c"
    "$cmake" -S "$work/wrong" -B "$work/wrong/build" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_PREFIX_PATH="$prefix" || return 1
    if "$cmake" --build "$work/wrong/build" >"$work/errors" 2>&1; then
        echo "a wrong argument compiled"
        return 1
    fi
    cat "$work/errors"
    grep -q 'host, device_y' "$work/errors"
}

no_vendor_header()
{
    "$cc" -I"$prefix/include" -I"$tour" -M "$tour/main.c" >"$work/headers" || return 1
    ! grep -i -E '(cuda|hip)[^ ]*\.h' "$work/headers"
}

# Every line of the tour's code stands in the README.
readme_shows_tour()
{
    for file in CMakeLists.txt axpy.h axpy.c main.c; do
        sed '/SPDX/d; /^ *#[^a-z]/d; /^\/\*/d; /^ *$/d' "$tour/$file" >"$work/lines"
        while IFS= read -r line; do
            grep -qxF -e "$line" "$HEDDLE_SOURCE_DIR/README.md" ||
                { echo "README.md lacks from $file: $line"; return 1; }
        done <"$work/lines"
    done
}

# Links between pages, without those that leave for the net or to what ci/site.sh makes.
links_lead_somewhere()
{
    docs=$(dirname "$(find "$prefix" -name README.md ! -path "*/docs/*")")
    find "$docs" -name '*.md' >"$work/pages"
    [ "$(wc -l <"$work/pages")" -gt 5 ] || { echo "pages: $(cat "$work/pages")"; return 1; }
    while IFS= read -r page; do
        grep -oE '\]\([^)]*\)' "$page" | sed 's/^](//; s/)$//; s/#.*//; /^http/d; /^api\//d; /^$/d' |
            while IFS= read -r link; do
                [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
            done
    done <"$work/pages" >"$work/broken"
    cat "$work/broken"
    [ ! -s "$work/broken" ]
}

step "install into a prefix" "$cmake" --install "$HEDDLE_BUILD_DIR" --prefix "$prefix" || exit 1
step "find_package, prefix, static" use_cmake a -DCMAKE_PREFIX_PATH="$prefix"
step "find_package, prefix, shared" use_cmake b -DCMAKE_PREFIX_PATH="$prefix" -DHEDDLE_SHARED=ON
step "find_package, build tree, static" use_cmake c -Dheddle_DIR="$HEDDLE_BUILD_DIR"
step "find_package, build tree, shared, Debug" use_cmake d -Dheddle_DIR="$HEDDLE_BUILD_DIR" \
    -DHEDDLE_SHARED=ON -DCMAKE_BUILD_TYPE=Debug
step "find_package, a program of primitives" use_primitives
if ${CXX:-c++} --version >/dev/null 2>&1; then
    step "find_package, a C++ file with kernels and main" use_single
fi
step "find_package, a program of several devices" use_several
step "find_package, the core alone" use_core
step "find_package, beside a target m" use_beside_target_m
step "find_package, a component that there is not" lacks nope 'heddle has no component "nope"; use core or mpi'
if [ -f "$HEDDLE_BUILD_DIR/heddleMpiTargets.cmake" ]; then
    step "find_package, a program of ranks" use_mpi
fi
if command -v pkg-config >/dev/null; then
    "$cmake" --install "$HEDDLE_BUILD_DIR" --prefix "$work/a prefix" >"$work/log" 2>&1
    PKG_CONFIG_PATH=$(dirname "$(find "$work/a prefix" -name heddle.pc)")
    export PKG_CONFIG_PATH
    step "pkg-config, shared, a prefix with a blank" use_pkg_config shared
    step "pkg-config, static, a prefix with a blank" use_pkg_config static
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name heddle.pc)")
    step "kernels of the other engine refused" refuses_the_other_engine
    step "pkg-config, a kernel unlike its declaration refused" refuses_kernel
else
    echo "not run: pkg-config, which is not installed"
fi
step "search paths of libraries are absolute" search_paths_are_absolute
step "the shared library exports public names alone" exports_public_names
if [ "$HEDDLE_BACKEND" != hip ]; then # whose compiler takes them for host code
    step "a kernel with an array of variable length refused" refuses_cxx vla \
        'float own[n]; own[0] = a; (void)own;' 'own'
fi
if [ "$HEDDLE_BACKEND" != cpu ] || ! "$cc" --version | grep -q clang; then # which lacks these warnings
    step "a kernel with a C++ keyword refused" refuses_cxx keyword 'int class = 0; (void)class;' class
    step "a kernel that converts from void * refused" refuses_cxx void \
        'void *any = y; float *own = any; (void)own;' 'any'
    step "a kernel that jumps over an initialiser refused" refuses_cxx goto \
        'if (n > 9) goto end; int own = 1; (void)own; end:;' 'own'
fi
if [ "$HEDDLE_BACKEND" = cpu ]; then # of which some of the GPUs' compilers only warn
    step "a kernel that writes to a literal refused" refuses_cxx literal \
        'char *text = "axpy"; (void)text;' 'discards\|const'
fi
step "links of the installed pages" links_lead_somewhere
step "wrong pointer argument refused" refuses 'device_x, device_y));' '(int *)device_x, device_y));' \
    '(int \*)device_x'
step "pointer for a number refused" refuses 'N, 2.0f, device_x' 'device_x, 2.0f, device_x' 'device_x'
step "wrong argument refused in a project" refuses_by_cmake
step "host files see no vendor header" no_vendor_header
step "find_package, no MPI" lacks_mpi
if [ -f "$HEDDLE_SOURCE_DIR/README.md" ]; then
    step "README shows the tour" readme_shows_tour
fi
[ "$failures" -eq 0 ]
