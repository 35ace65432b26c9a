#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lint.sh [fix] - format and project rules, for the files that git tracks. `fix` reformats them.
# Prints one line per rule, followed by the offending lines.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
git ls-files --error-unmatch ci/lint.sh >/dev/null 2>&1 ||
    { echo "      lint not run: git does not know the files of $root" >&2; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-lint.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

# Every file of the project, including those not committed yet.
files()
{
    git ls-files -co --exclude-standard -- "$@" | while IFS= read -r file; do
        [ -f "$file" ] && echo "$file"
    done
}

c_files()
{
    files '*.c' '*.h' '*.inc' '*.cpp' '*.hpp'
}

# Exactly this version: others format differently.
clang_format=""
for candidate in clang-format-14 clang-format; do
    if command -v $candidate >/dev/null 2>&1 && $candidate --version | grep -q 'version 14\.'; then
        clang_format=$candidate
        break
    fi
done

if [ "${1:-}" = fix ]; then
    [ -n "$clang_format" ] || { echo "lint.sh: no clang-format 14" >&2; exit 1; }
    c_files | xargs "$clang_format" -i
    exit 0
fi

# rule NAME FUNCTION: the function prints offenders; none is a pass.
rule()
{
    "$2" >"$work/found" 2>&1
    if [ -s "$work/found" ]; then
        echo "FAIL  lint: $1"
        head -n 25 "$work/found" | sed 's/^/      /'
        failures=$((failures + 1))
    else
        echo "ok    lint: $1"
    fi
}

# code FILE: the file without comments and without the contents of strings; lines are kept.
code()
{
    awk '{
        out = ""; line = $0; n = length(line)
        for (i = 1; i <= n; i++) {
            c = substr(line, i, 1); two = substr(line, i, 2)
            if (inside == "comment") { if (two == "*/") { inside = ""; i++ } }
            else if (inside == "string") {
                if (c == "\\") i++
                else if (c == quote) { inside = ""; out = out c }
            }
            else if (two == "/*") { inside = "comment"; i++ }
            else if (two == "//") break
            else if (c == "\"" || c == "\047") { inside = "string"; quote = c; out = out c }
            else out = out c
        }
        if (inside == "string") inside = ""
        print out
    }' "$1"
}

# search PATTERN FILE...: matches in code, as file:line:text. Only files with a match anywhere are
# taken apart.
search()
{
    pattern=$1
    shift
    for file in $(grep -lE "$pattern" "$@" /dev/null); do
        code "$file" | grep -nE "$pattern" | sed "s#^#$file:#"
    done
}

format()
{
    c_files | xargs -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" -n 50 \
        "$clang_format" --dry-run 2>&1 |
        sed -n 's/^\([^:]*\):[0-9]*:.*/\1 (sh ci\/lint.sh fix)/p' | sort -u
}

not_backends()
{
    files 'include/*' 'src/*' 'kernels/*' 'tests/*' 'docs/examples/*' | grep -E '\.(c|h|inc|cpp|hpp)$' |
        grep -v '^tests/vendor/'
}

# `heddle port`, its tests and the headers of translated programs are about those words.
vendor_words()
{
    search '(^|[^A-Za-z])(cuda|cu[A-Z]|hip[A-Z_]|nv[A-Z]|nvtx|nccl|rccl|cub::|roc[A-Z]|rocm|__CUDA|__HIP|__nv|__amd|CUDART|__shfl|__ballot|threadIdx|blockIdx|blockDim)' \
        $(not_backends | grep -v -e '^src/cli/port/' -e '^tests/port/' -e '^include/heddle/cuda_')
}

# Without the planted bugs, some of which violate the rules on purpose.
kernel_files()
{
    files 'kernels/*' 'src/cli/*/kernels/*' 'src/cli/bench/plain/*' 'tests/*/kern_*.c' 'tests/install/tour/*' \
        'docs/examples/*' |
        grep -E '\.(c|h|inc)$' | grep -v '^tests/bugs/'
}

literal_warp_size()
{
    search '(lane|warp|hd_thread|hd_global|tid)[A-Za-z_().]* *(%|/|&|>>|<|>=|==|\+|-|\*) *(32|31|5|0x1f|0x20)u?[^0-9A-Za-z.]' \
        $(kernel_files)
    search '(mask|ballot|shuffle|shfl|lane|warp).*0x[fF]{8}[^fF0-9]' $(kernel_files)
}

arrow()
{
    from=$1
    forbidden=$2
    for file in $(files "$from/*" | grep -E '\.(c|h|inc)$'); do
        grep -nE "^ *# *include *\"([^\"]*/)?($forbidden)/" "$file" | sed "s#^#$file:#"
    done
}

include_arrows()
{
    arrow src/drivers 'cli|io|backends|cuda|hip|gpu|cpu'
    arrow src/mpi 'cli|io|backends|cuda|hip|gpu|cpu'
    arrow src/base 'cli|io|mpi|drivers|runtime|kernels|backends|cuda|hip|gpu|cpu'
    arrow src/runtime 'cli|io|mpi|drivers|kernels|backends|cuda|hip|gpu|cpu'
    arrow src/io 'cli|drivers|runtime|kernels|backends'
    arrow kernels 'src|cli|io|drivers|runtime|backends'
    arrow backends 'cli|io|drivers|kernels'
    arrow include 'src|cli|io|drivers|runtime|kernels|backends'
}

# Layers, circles, sizes of folders and files.
layers()
{
    python3 ci/layers.py
}

# Public headers for host code: all except those of kernel files.
host_headers()
{
    files 'include/heddle/*.h' | sed -n 's#^include/heddle/\([^/]*\)$#\1#p' | grep -vx -e kernel.h -e cuda_names.h
}

headers_compile()
{
    mpi=$(mpicc -showme:compile 2>/dev/null || mpicc -compile_info 2>/dev/null | grep -oE -- '-I[^ ]+')
    for name in $(host_headers); do
        [ "$name" = mpi.h ] && [ -z "$mpi" ] && continue
        for dialect in "c -std=c11" "c++ -std=c++17"; do
            echo "#include <heddle/$name>" |
                cc -x $dialect -fsyntax-only -Wall -Wextra -Wshadow -Werror -Iinclude \
                    -Ibackends/cpu/include -Ibackends/gpu/include $mpi - 2>&1 |
                sed -n "/error/s#^#$name as $dialect: #p"
        done
    done
}

# Every function of the public headers has a comment that documents each parameter.
api_docs()
{
    python3 ci/api-docs.py
}

left_behind()
{
    { c_files; files 'CMakeLists.txt' '*/CMakeLists.txt' '*.cmake' '*.sh' '*.md'; } |
        grep -vx ci/lint.sh | xargs grep -nHE '(TODO|FIXME|HACK)([^A-Za-z]|$)|^ *#if 0'
}

names()
{
    files | grep -iE '(^|/)[a-z_]*(util|utils|common|misc|helper|helpers)(_|\.|/|$)'
}

first_lines()
{
    c_files | xargs awk 'FNR == 1 && !/SPDX-License-Identifier: Apache-2.0/ {
        print FILENAME ": no SPDX line first" }'
    c_files | xargs wc -c | awk '$1 == 0 { print $2 ": empty" }'
}

layout()
{
    c_files | xargs awk '
        /[ \t\r\f\v]$/ { print FILENAME ":" FNR ":" $0 " (blank at the end)" }
        /\t/ { print FILENAME ":" FNR ":" $0 " (tab)" }
        length($0) > 100 && FILENAME != "include/heddle/detail/arguments.h" {
            print FILENAME ":" FNR ": " length($0) " columns" }'
}

# Environment variables that the library and the tool read are documented; old names of some are in
# the changelog only.
environment()
{
    files 'src/*.c' 'backends/*.c' | xargs grep -ohE '(hd__environment|number)\("HEDDLE_[A-Z_]+"' |
        sed 's/.*"\(.*\)"/\1/' | sort -u | while IFS= read -r name; do
        grep -q "\`$name\`" docs/guide.md || grep -q "replaces \`$name\`" CHANGELOG.md ||
            echo "$name is not in docs/guide.md"
    done
}

# Calls that release something keep the detail of an earlier failure (backend.h).
releases()
{
    files 'src/*.c' | xargs awk '
            FNR == 1 { left = 0 }
            /^hd_status hd_[a-z0-9][a-z0-9_]*(destroy|free|free_async|unregister|disable|abort|capture_end|trace_stop)\(/ {
                name = $2; sub(/\(.*/, "", name); left = 6 }
            left && /HD__RELEASING;/ { left = 0 }
            left && --left == 0 { print FILENAME ": " name " does not begin with HD__RELEASING" }
        '
}

# Setuid programs must not read these variables.
plain_getenv()
{
    search '(^|[^_a-z])(secure_)?getenv *\(' $(files 'src/*' 'backends/*' | grep -E '\.(c|h|inc)$' |
        grep -v '^src/base/environment.h$')
}

shell_scripts()
{
    for file in $(files '*.sh' '.ci/run'); do
        sh -n "$file" 2>&1
    done
}

# YAML is parsed if Python has a parser.
recipes()
{
    for file in .github/workflows/*.yml .gitlab-ci.yml; do
        grep -oE '\.?ci/(run|[a-z-]+\.sh)' "$file" | sort -u | while IFS= read -r script; do
            [ -f "$script" ] || echo "$file: there is no $script"
        done
        grep -nE 'uses: ' "$file" | grep -vE '@[0-9a-f]{40}( |$)' | sed "s#^#$file: not pinned by commit: #"
        python3 -c 'import yaml' 2>/dev/null || continue
        python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$file" 2>&1 | tail -n 3
    done
    grep -q '^permissions:' .github/workflows/ci.yml || echo ".github/workflows/ci.yml: no permissions"
}

if [ -n "$clang_format" ]; then
    rule "format" format
else
    echo "      lint: format not checked: no clang-format 14"
fi
rule "no vendor word outside backends/ and tests/vendor" vendor_words
rule "no literal warp size in kernels" literal_warp_size
rule "includes go cli, drivers, runtime, backend" include_arrows
if command -v python3 >/dev/null 2>&1; then
    rule "calls go down the layers, no circles, small folders (ci/layers.py)" layers
    rule "public functions are documented (ci/api-docs.py)" api_docs
else
    echo "      lint: layers and documentation not checked: no python3"
fi
rule "public headers compile alone as C11 and C++17" headers_compile
rule "nothing left behind" left_behind
rule "files are named for their subject" names
rule "every C file begins with its licence" first_lines
rule "no tabs, no blanks at line ends, 100 columns" layout
rule "environment variables are documented" environment
rule "calls that give back keep the first error" releases
rule "environment variables are read through hd__environment" plain_getenv
rule "shell scripts parse" shell_scripts
rule "recipes of GitHub and GitLab parse, their scripts exist" recipes
[ "$failures" -eq 0 ]
