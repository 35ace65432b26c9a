#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# codegen.sh [update] - checks the machine code of every kernel, without a GPU: AMD assembly for
# each architecture (registers, LDS, occupancy, spills, wavefront size; the properties required by
# ci/codegen-expect.txt; no regression from ci/codegen-baseline.txt) and, if nvcc is installed, PTX,
# machine code and ptxas's report from the tree of `ci/cell.sh cuda arch=90`, which is brought up to
# date first. Prints a table. `update` rewrites the baseline. Exit status 77 if there is no
# compiler.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. ci/steps.sh
work=build/ci/codegen
mkdir -p "$work"
failures=0
checked=0
# The slowest compilations first, so that no core is left with one at the end.
long="kernels/select/select.c kernels/scan/segments.c kernels/scan/scan.c"
sources="$long $(ls kernels/*/*.c src/cli/bench/kernels/launch.c | grep -vxF "$(echo "$long" | tr ' ' '\n')")"
architectures=${HEDDLE_CODEGEN_ARCHITECTURES:-gfx90a gfx942 gfx1100 gfx906 gfx1030}

# output FOLDER SOURCE: path of the outputs of a source, without suffix.
output()
{
    echo "$1/$(echo "${2%.*}" | tr / -)"
}

amd_commands()
{
    include="-I. -Isrc -Iinclude -Ibackends/hip/include -Ibackends/gpu/include"
    for arch in $architectures; do
        mkdir -p "$work/$arch"
        for source in $sources; do
            out=$(output "$work/$arch" "$source")
            command="$clang -x hip -std=c++17 -O3 -fPIC -ffp-contract=off -munsafe-fp-atomics"
            command="$command -D__HIP_PLATFORM_AMD__ $paths $code_object --offload-arch=$arch"
            command="$command --cuda-device-only -S $include $source -o $out.s"
            # Retries if the compiler itself crashed, as it may when memory is short.
            echo "$command 2>$out.log || $command 2>$out.log || rm -f $out.s"
        done
    done
}

amd_table()
{
    for arch in $architectures; do
        for file in "$work/$arch"/*.s; do
            [ -f "$file" ] && awk -v arch="$arch" -f ci/codegen-amd.awk "$file"
        done
    done
}

exec_rule()
{
    awk -v arch="$1" -v expect=ci/codegen-expect.txt -f ci/codegen-exec.awk "$2"
}

# Cross-lane moves that were sunk into a branch. First checks that the rule finds those in its
# sample.
amd_sunk()
{
    exec_rule sample ci/codegen-exec.s | sed 's/.*: line \([0-9]*\),.*/\1/' >"$work/sunk"
    grep -n '; offence$' ci/codegen-exec.s | cut -d: -f1 | cmp -s - "$work/sunk" ||
        echo "ci/codegen-exec.awk: finds lines $(echo $(cat "$work/sunk")) of ci/codegen-exec.s"
    for arch in $architectures; do
        for file in "$work/$arch"/*.s; do
            [ -f "$file" ] && exec_rule "$arch" "$file"
        done
    done
}

# Required architectures must compile; optional ones are checked if the compiler supports them.
amd_missing()
{
    for arch in gfx90a gfx942 gfx1100; do
        case " $architectures " in *" $arch "*) ;; *) continue ;; esac
        for source in $sources; do
            out=$(output "$work/$arch" "$source")
            [ -f "$out.s" ] || { echo "$arch $source does not compile:"; tail -n 5 "$out.log"; }
        done
    done
}

check_amd()
{
    if ! step "codegen: configure hip" cmake -S . -B "$work/hip" -DHEDDLE_BACKEND=hip \
        -DHEDDLE_BUILD_TESTS=OFF; then
        echo "      codegen: AMD not checked: no compiler for HIP"
        return
    fi
    clang=$(cached "$work/hip" HEDDLE_HIP_CLANG)
    code_object=$(cached "$work/hip" HEDDLE_HIP_CODE_OBJECT)
    paths="--rocm-path=$(cached "$work/hip" HEDDLE_ROCM_PATH)"
    paths="$paths --rocm-device-lib-path=$(cached "$work/hip" HEDDLE_HIP_DEVICE_LIBRARIES)"
    rm -rf "$work"/gfx*
    amd_commands >"$work/commands"
    step "codegen: AMD assembly" compile_all "$work/commands"
    amd_table >"$work/table"
    compiler="# $($clang --version | sed -n 's/.*clang version \([0-9]*\).*/clang \1/p')"
    if [ "${1:-}" = update ]; then
        { echo "$compiler"; cut -d' ' -f1-8,12 "$work/table"; } >ci/codegen-baseline.txt
    fi
    same=0
    [ "$(head -n 1 ci/codegen-baseline.txt 2>/dev/null)" = "$compiler" ] && same=1
    [ "$same" -eq 1 ] || echo "      codegen: baseline of another compiler, not compared"
    { amd_missing; amd_sunk; awk -v expect=ci/codegen-expect.txt -v baseline=ci/codegen-baseline.txt \
        -v same=$same -f ci/codegen-rules.awk "$work/table"; } >"$work/offences"
    verdict "AMD, $(wc -l <"$work/table") kernels on: $(cut -d' ' -f1 "$work/table" | uniq | tr '\n' ' ')"
}

verdict()
{
    checked=1
    if [ -s "$work/offences" ]; then
        failures=1
        echo "FAIL  codegen: $1"
        head -n 40 "$work/offences" | sed 's/^/      /'
    else
        echo "ok    codegen: $1"
    fi
}

print_table()
{
    [ -s "$work/table" ] || return
    {
        echo "arch kernel vgpr sgpr lds occ spill stack wave"
        cut -d' ' -f1-9 "$work/table"
    } | awk '{ printf "      %-8s %-44s %5s %5s %6s %4s %6s %6s %5s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9 }'
}

# ---- NVIDIA: PTX and ptxas's report -------------------------------------------------------------

kernel_objects=build/ci/cuda-90/CMakeFiles/heddle_objects.dir/kernels

# reports NAME: the files of that name of every kernel file, and of those compiled here.
reports()
{
    for source in kernels/*/*.c; do
        find "$kernel_objects/${source#kernels/}.o.report" -name "$1"
    done
    find "$work"/sm_90/*.report -name "$1"
}

# Our axpy and a hand-written one with the same flags; assertions about the layout of vectors.
nvidia_commands()
{
    flags="-x cu -std=c++17 -O3 --fmad=false -arch=sm_90 --expt-relaxed-constexpr"
    flags="$flags -I. -Isrc -Iinclude -Ibackends/cuda/include -Ibackends/gpu/include"
    for source in src/cli/bench/kernels/launch.c ci/codegen-axpy.cu ci/codegen-layout.cu; do
        out=$(output "$work/sm_90" "$source")
        echo "sh ci/nvcc-report.sh $nvcc $flags -c $source -o $out"
    done
}

compile_nvidia()
{
    # Objects from a tree that was built without this launcher.
    for object in "$kernel_objects"/*/*.o; do
        [ -f "$object.report/ptxas" ] || rm -f "$object"
    done
    sh ci/cell.sh cuda arch=90 target=heddle_objects_external && compile_all "$work/commands"
}

# ptxas: "Compiling entry function 'name'", then "N bytes stack frame, N bytes spill stores, ...".
stack_frames()
{
    awk -v expect=ci/codegen-expect.txt '
         BEGIN { while ((getline line < expect) > 0) if (line ~ / may_spill/) { split(line, w, " "); may[++n] = w[1] } }
         function allowed(    i) { for (i = 1; i <= n; i++) if (kernel ~ may[i]) return 1; return 0 }
         /Compiling entry function/ { split($0, part, "\047"); kernel = part[2] }
         /bytes stack frame/ { if (($1 > 0 || $5 > 0) && !allowed()) print "sm_90 " kernel ": " $1 " bytes of stack, " $5 " spilled" }' \
        $(reports ptxas)
}

# 16-byte loads and generic accesses per kernel, against the expectations.
ptx_promises()
{
    for file in $(reports '*.ptx'); do
        awk -v expect=ci/codegen-expect.txt '
            BEGIN {
                while ((getline line < expect) > 0)
                    if (line !~ /^#/ && line !~ /^ *$/) { split(line, w, " "); pattern[++n] = w[1]; has[n] = line " " }
            }
            function expects(p,    i) {
                for (i = 1; i <= n; i++) if (kernel ~ pattern[i] && index(has[i], " " p " ")) return 1
                return 0
            }
            /\.entry / { kernel = $0; sub(/.*\.entry /, "", kernel); sub(/[( ].*/, "", kernel); wide = generic = 0 }
            /^\t(@%p[0-9]+ )?ld\.(global|const)[a-z0-9.:]*\.v4|^\t.*ld\.global[a-z0-9.:]*\.v2\.[bf]64/ { wide++ }
            /^\t(@%p[0-9]+ )?(ld|st)\.[a-z]*[0-9]+ / { generic++ }
            /^}/ && kernel != "" {
                if (expects("wide") && !wide) print "sm_90 " kernel ": streams without 16-byte loads"
                if (expects("no_flat") && generic) print "sm_90 " kernel ": " generic " generic accesses"
                kernel = ""
            }' "$file"
    done
}

# Machine instructions have 16 bytes: the size of a kernel's section gives their number.
code_bytes()
{
    readelf -SW "$1" 2>/dev/null | sed 's/^ *\[ *[0-9]*\]//' | awk -v name=".text.$2" '$1 == name { print $5 }'
}

same_axpy()
{
    ours=$(code_bytes "$(output "$work/sm_90" src/cli/bench/kernels/launch.c).report/launch.sm_90.cubin" launch_axpy_f32)
    plain=$(code_bytes "$(output "$work/sm_90" ci/codegen-axpy.cu).report/codegen-axpy.sm_90.cubin" plain_axpy_f32)
    if [ -z "$ours" ] || [ "$ours" != "$plain" ]; then
        echo "sm_90 launch_axpy_f32: 0x${ours:-0} bytes of code, hand-written 0x${plain:-0}"
    fi
}

check_nvidia()
{
    nvcc=$(find_nvcc) || { echo "      codegen: NVIDIA not checked: no nvcc"; return; }
    rm -rf "$work/sm_90" && mkdir -p "$work/sm_90"
    nvidia_commands >"$work/commands"
    if step "codegen: PTX and machine code" compile_nvidia; then
        { stack_frames; ptx_promises; same_axpy; } >"$work/offences" 2>&1
    else
        echo "sm_90: not everything compiles" >"$work/offences"
    fi
    verdict "NVIDIA sm_90, $(reports ptxas 2>/dev/null | xargs cat | grep -c 'Compiling entry') kernels"
}

check_amd "${1:-}"
print_table
check_nvidia
[ "$checked" -eq 1 ] || exit 77
[ "$failures" -eq 0 ]
