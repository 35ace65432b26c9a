#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# heddle port: options, reports, bad input. tests/port builds and runs what it writes.
. "$(dirname "$0")/check.sh"
cd "$scratch" || exit 1

# has WHAT TEXT PART: the text contains the part.
has()
{
    checks=$((checks + 1))
    case $2 in
    *"$3"*) ;;
    *) fail "$1
  found:    $2
  expected: ... $3 ..." ;;
    esac
}

cat >a.cu <<'END'
#include <cuda_runtime.h>
template <class T> __global__ void twice(T *x) { __shared__ T s[32][2], one; extern __shared__ int d[];
    s[threadIdx.x & 31][0] = x[threadIdx.x]; one = 0; d[0] = 1; x[threadIdx.x] = 2 * s[threadIdx.x & 31][0]; }
#define LAUNCH(k, n) k<<<1, n>>>
const char *text = R"x(a<<<1, 2>>>(b) " )x";
// comment<<<1, 1>>>(x)
int main() { float *x; cudaMalloc(&x, 128); twice<float><<<dim3(1), 32, 4>>>(x); LAUNCH(twice, 32)(x); }
END
cp a.cu before.cu
run port a.cu -o put
equal "a translation: status ($err)" "$status" 0
has "next commands" "$out" "next: cmake -S put -B put/build"
has "the checker" "$out" "heddle check -- put/build/a"
has "a literal 31" "$out" "a.cu:3: warning: & 31 in lane arithmetic"
equal "the input is kept" "$(cat a.cu)" "$(cat before.cu)"
written=$(cat put/a.cu)
has "include" "$written" "#include <heddle/cuda_names.hpp>"
has "launch" "$written" "HD_PORT_LAUNCH((twice<float>), dim3(1), 32, 4)(x)"
has "launch in a macro" "$written" "HD_PORT_LAUNCH((k), 1, n)"
has "shared arrays" "$written" "HD_PORT_SHARED(s, T[32][2]); HD_PORT_SHARED(one, T);"
has "dynamic shared memory" "$written" "HD_PORT_SHARED_DYNAMIC(d, int);"
has "raw strings" "$written" 'R"x(a<<<1, 2>>>(b) " )x"'
has "comments" "$written" "// comment<<<1, 1>>>(x)"
has "CMakeLists.txt" "$(cat put/CMakeLists.txt)" "heddle_add_kernels(a"
cat >aligned.cu <<'END'
__shared__ __align__(16) int wide[4];
__global__ void k() { alignas(16) __shared__ float s[64]; extern __shared__ __align__(32) double d[];
    __shared__ struct { alignas(8) int x; } one; s[0] = wide[0] + d[0] + one.x; }
END
cat >lists.cu <<'END'
#include <cuda_runtime.h>
int main() { cudaError_t cudaStat1, cudaStat2, cudaStat3 = cudaSuccess;
#if 1
#endif
    cudaError_t cudaStat4, cudaStat5;
    cudaStat4 = cudaStat5 = cudaStat1 = cudaStat2 = cudaStat3; return cudaStat1; }
END
run port lists.cu -o lists
equal "names of a list: status ($err)" "$status" 0
run port aligned.cu -o aligned
written=$(cat aligned/aligned.cu)
has "an alignment" "$written" "HD_PORT_SHARED_ALIGNED(s, alignas(16), float[64]);"
has "an alignment: file" "$written" "HD_PORT_FILE_SHARED_ALIGNED(wide, __align__(16), int[4]);"
has "an alignment: dynamic" "$written" "HD_PORT_SHARED_DYNAMIC_ALIGNED(d, __align__(32), double);"
has "an alignment: of a member" "$written" "HD_PORT_SHARED(one, struct { alignas(8) int x; });"
run port a.cu -o put
equal "an existing file: status" "$status" 1
has "an existing file" "$err" "exists: choose another folder with -o"
run port a.cu -o put --force
equal "--force: status" "$status" 0
run port a.cu -o . --force
equal "the input as output: status" "$status" 1
has "the input as output" "$err" "is an input"
run port a.cu -o a.cu
equal "a file as folder: status" "$status" 1

# erroneous NAME LINE CODE: the file has an error of this kind in this line, nothing is written.
erroneous()
{
    run port "$1" -o never
    equal "$1: status" "$status" 1
    has "$1" "$out" "$1:$2: error: "
    has "$1" "$out" "[$3]"
    [ ! -e never ] || fail "$1: something is written"
}
printf '#include <cuda_runtime.h>\nint main() { cudaFrobnicate(); }\n' >name.cu
erroneous name.cu 2 unknown-name
printf '__global__ void k() { asm volatile("nop;"); }\n' >ptx.cu
erroneous ptx.cu 1 ptx
printf '#include <cublas_v2.h>\n__global__ void k() { }\n' >blas.cu
erroneous blas.cu 1 library
printf '\n__device__ int f() { return (1; }\n' >brackets.cu
erroneous brackets.cu 2 brackets
printf '__global__ void k() { {\n' >open.cu
erroneous open.cu 1 brackets
printf 'int main() { return 0; }\n' >plain.cu
erroneous plain.cu 1 no-cuda
: >empty.cu
erroneous empty.cu 1 no-cuda
printf '__global__ void k() { k<<<1, 1; }\n' >launch.cu
erroneous launch.cu 1 launch
printf '__global__ void k() { __shared__ int s = 3; }\n' >scope.cu
erroneous scope.cu 1 shared
printf "__shared__ int s[3];\n__global__ void k(int *o) { *o = s[0]; }\n" >global.cu
run port global.cu -o global
equal "shared memory of a file: status" "$status" 0
has "shared memory of a file" "$(cat global/global.cu)" "HD_PORT_FILE_SHARED(s, int[3]);"
has "its use" "$(cat global/global.cu)" "*o = s_of_block_()[0]"

printf '#include <thrust/sort.h>\nint main() { int v[2] = {2, 1}; thrust::sort(v, v + 2); }\n' >thrust.cu
run port thrust.cu -o thrust
equal "Thrust alone: status" "$status" 0
printf '#if __sgi || defined(__ODD_COMPILER__)\n#endif\nstruct __attribute__((__aligned__(8))) s { };\n__global__ void k() { }\n' >words.cu
run port words.cu -o words
equal "words of compilers: status" "$status" 0
printf '#define T float\n__global__ void k() { }\n#include <cuda.h>\n' >late.cu
run port late.cu -o late
equal "names before macros" "$(head -n 1 late/late.cu)" "#include <heddle/cuda_names.hpp>"
printf '__global__ void k(__hip_bfloat16 *) { int w; hipDeviceGetAttribute(&w, hipDeviceAttributeWarpSize, 0); hipFrob(); }\n' >names.hip
run port names.hip -o never
equal "HIP: one error" "$(printf '%s\n' "$out" | grep -c ': error: ')" 1
has "HIP" "$out" "names.hip:1: error: hipFrob: is not translated"

printf '__global__ void k() { }\n\0' >nul.cu
refused 1 "nul.cu:2: a NUL byte" port nul.cu -o never
mkdir folder.cu
refused 1 "folder.cu: is a folder" port folder.cu -o never
refused 1 "missing.cu: No such file" port missing.cu -o never
refused 2 "FILE... is missing" port
refused 2 "--report" port a.cu --report xml

printf '#include "gone.h"\r\n__global__ void k(int *\303\244) { }\r\nint main() { k<<<1, 1>>>(NULL); }\r\n' >crlf.cu
run port crlf.cu -o crlf
equal "CRLF: status" "$status" 0
has "a missing header" "$out" 'crlf.cu:1: warning: "gone.h" is neither'
has "CRLF" "$(cat crlf/crlf.cu)" "HD_PORT_LAUNCH((k), 1, 1)(nullptr)"

awk 'BEGIN { printf "__global__ void k() {"; for (i = 0; i < 1000000; i++) printf " x += (%d);", i; print "}" }' >long.cu
run port long.cu -o long
equal "14 MB in one line: status" "$status" 0

run port name.cu -o never --report json
equal "JSON: status" "$status" 1
has "JSON" "$out" '"code": "unknown-name"'
run port name.cu -o never --report sarif
has "SARIF" "$out" '"ruleId": "unknown-name"'
has "SARIF" "$out" '"startLine": 2'

# Mutations: bytes removed, doubled or replaced. Nothing but status 0 or 1 within a second each.
cat "$(dirname "$0")"/../port/*.cu a.cu >seed.cu 2>seed.err || cp a.cu seed.cu
size=$(wc -c <seed.cu)
turn=0
while [ $turn -lt 60 ]; do
    at=$(((turn * 7919 + 13) % size))
    cut=$((turn % 9))
    { head -c $at seed.cu; [ $((turn % 3)) = 0 ] || printf '%s' '<<<"{(R"'; tail -c +$((at + cut + 1)) seed.cu; } >mutant.cu
    run port mutant.cu -o mutants --force
    [ "$status" -le 1 ] || fail "mutant $turn: status $status"
    checks=$((checks + 1))
    turn=$((turn + 1))
done
finish
