#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# heddle port --c: what is rewritten for C, and what is refused. tests/port builds and runs programs
# that it writes.
. "$(dirname "$0")/check.sh"
cd "$scratch" || exit 1

# becomes WHAT BEFORE AFTER: within a program, BEFORE is written as AFTER.
becomes()
{
    {
        echo '#include <cuda_runtime.h>'
        echo '__global__ void k(int *p) { p[threadIdx.x] = 1; }'
        printf '%s\n' "$2"
    } >one.cu
    run port one.cu -o one --c --force
    checks=$((checks + 1))
    case $(cat one/one.c 2>/dev/null) in
    *"$3"*) ;;
    *) fail "$1: $out
  found:    $(sed 1,4d one/one.c)
  expected: ... $3 ..." ;;
    esac
}

# needs WHAT SOURCE LINE: is an error of the line that names WHAT, and nothing is written.
needs()
{
    rm -rf two
    printf '#include <cuda_runtime.h>\n%s\n' "$2" >two.cu
    run port two.cu -o two --c
    equal "$1: status" "$status" 1
    checks=$((checks + 1))
    case $out in
    *"two.cu:$3: error: "*"$1"*"[needs-cxx]"*) ;;
    *) fail "$1: $out" ;;
    esac
    equal "$1: nothing is written" "$([ -e two ] && echo written)" ""
}

run port --help
equal "--help: --c ($err)" "$(echo "$out" | grep -c -- '--c  ')" 1

# ---- kernels ----
becomes "a kernel" 'int x;' 'HD_PORT_KERNEL(k, int *)
__global__ void k(int *p) { p[threadIdx.x] = 1; }
HD_PORT_DEFINE(k)'
becomes "types of parameters" '__global__ void m(const float *__restrict__ a, unsigned int n, struct s *p, int x[], float4 v, double) {}' \
    'HD_PORT_KERNEL(m, const float *, unsigned int, struct s *, int *, float4, double)'
becomes "no parameters" 'static __global__ void m(void) {}' 'HD_PORT_KERNEL(m)
__global__ void m(void) {}
HD_PORT_DEFINE(m)'
becomes "declared before it is defined" '__global__ void m(int);
__global__ void m(int n) { }' 'HD_PORT_KERNEL(m, int)
__global__ void m(int n) { }
HD_PORT_DEFINE(m)'
becomes "launch bounds" '__global__ __launch_bounds__(64, 2) void m(int n) { }' 'HD_PORT_KERNEL(m, int)
__global__ __launch_bounds__(64, 2) void m(int n) { }
HD_PORT_DEFINE(m)'
becomes "a launch" 'void f(int *p) { k<<<1, 32>>>(NULL); }' 'HD_PORT_LAUNCH((k), 1, 32)(NULL);'
printf '#include <cuda_runtime.h>\nextern "C" __global__ void far(int n);\n' >far.cuh
printf '#include "far.cuh"\n__global__ void far(int n) { }\n' >far.cu
printf '#include "far.cuh"\nint main() { far<<<1, 1>>>(1); }\n' >near.cu
run port far.cu near.cu -o both --c
equal "two files: status ($err)" "$status" 0
equal "the header declares it" "$(grep -c 'HD_PORT_KERNEL(far, int)' both/far.cuh)" 1
equal "the others do not" "$(cat both/far.c both/near.c | grep -c HD_PORT_KERNEL)" 0
equal "one defines it" "$(grep -c 'HD_PORT_DEFINE(far)' both/far.c)" 1
equal "the project is C" "$(grep -c 'LANGUAGES C)' both/CMakeLists.txt)" 1
equal "its kernel files" "$(grep -c '"far.c"\|"near.c")' both/CMakeLists.txt)" 2

# ---- shared memory ----
shared='__global__ void m(int *p) { __shared__ float s[4][5]; __shared__ int n, t[3]; extern __shared__ char d[];
    n = 2; s[0][0] = n + t[n] + d[0]; p[0] = p->n; }'
becomes "arrays" "$shared" 'HD_SHARED2(float, s, 4, 5); HD_SHARED_ONE(int, n_); HD_SHARED(int, t, 3); HD_SHARED_DYN(char, d);'
becomes "a scalar" "$shared" '(*n_) = 2; s[0][0] = (*n_) + t[(*n_)] + d[0]; p[0] = p->n; }'

# ---- dim3 ----
becomes "constructed" 'void f(int n) { dim3 a(n, 2), b, c = dim3(4), d = {5, n}; k<<<dim3(n), a>>>(0); }' \
    'void f(int n) { dim3 a = HD_PORT_DIM3(n, 2), b = HD_PORT_DIM3(1), c = HD_PORT_DIM3(4), d = HD_PORT_DIM3(5, n);'
becomes "from an expression" 'void f(int n) { dim3 a = (n + 1) / 2, b = 3; }' \
    'void f(int n) { dim3 a = HD_PORT_DIM3((n + 1) / 2), b = HD_PORT_DIM3(3); }'
becomes "at file scope" '#define N 4
dim3 a(N / 2), b(1, 2), c; dim3 f(int n); dim3 g();' 'dim3 a = {N / 2, 1, 1}, b = {1, 2, 1}, c = {1, 1, 1}; dim3 f(int n); dim3 g(void);'
becomes "in a launch" 'void f(int n) { k<<<dim3(n), 1>>>(0); }' 'HD_PORT_LAUNCH((k), HD_PORT_DIM3(n), 1)(0);'
becomes "a parameter" 'void f(dim3 a, const dim3 b) { }' 'void f(dim3 a, const dim3 b) { }'

# ---- types and constants ----
becomes "struct" 'struct pair { int a; };' 'typedef struct pair pair; struct pair { int a; };'
becomes "an aligned struct" 'struct __align__(8) pair { int a; };' 'typedef struct pair pair; struct __align__(8) pair'
becomes "typedef struct" 'typedef struct pair { int a; } both;' 'typedef struct pair pair; typedef struct pair { int a; } both;'
becomes "a use of a struct" 'int f(struct pair *p);' '
int f(struct pair *p);'
becomes "pointers to functions" 'struct calls { void (*f)(int); real (*g)(int); };' 'struct calls { void (*f)(int); real (*g)(int); };'
becomes "enum" 'enum kind { A, B } one;' 'enum kind { A, B } one; typedef enum kind kind;'
becomes "constants" 'static const int N = 4, M = N * 2; int f(void) { const int n = M << 1; int a[n]; }' \
    'enum { N = 4, M = N * 2 }; int f(void) { enum { n = M << 1 }; int a[n]; }'
becomes "a constant with an address" 'void f() { const int n = 4; g(&n); }' 'const int n = 4; g(&n);'
becomes "macros" '#define SIZE (4 * 2)
#define TIMES(a) (a)
const int n = SIZE + 1; void f(void) { const int m = TIMES(n); }' 'enum { n = SIZE + 1 }; void f(void) { const int m = TIMES(n); }'
becomes "capitals of a variable" 'void f(int N) { const int m = N; }' 'const int m = N;'
becomes "a value of the run" 'void f(int m) { const int n = m; }' 'const int n = m;'
becomes "constants of a file" 'const float pi = 3.1f; const char *const name = "n", *other = "o"; const int *p = 0; extern const float q;' \
    'static const float pi = 3.1f; static const char *const name = "n", *other = "o"; const int *p = 0; extern const float q;'
becomes "numbers that are no int" '#define WIDE 2u
void f(void) { const int mask = 0xffffffff, one = 1; const int n = 4u; const int m = WIDE - 3; }' \
    'const int mask = 0xffffffff, one = 1; const int n = 4u; const int m = WIDE - 3; }'
becomes "constexpr" 'constexpr int n = 3; constexpr float pi = 3.1f;' 'enum { n = 3 }; static const float pi = 3.1f;'

# ---- words ----
becomes "casts" 'float f(int n) { return float(n) + static_cast<float>(n) * (int)sizeof(int); }' \
    'return (float)(n) + ((float)(n)) * (int)sizeof(int);'
becomes "a cast before an index" 'int f(float *p) { return static_cast<int *>(p)[2]; }' 'return ((int *)(p))[2];'
becomes "casts to other names of types" '#define real float
typedef int number;
#define whole(x) int(x)
int f(double x) { return real(x) + number(x) + other(x); }' '#define whole(x) (int)(x)
int f(double x) { return (real)(x) + (number)(x) + other(x); }'
becomes "register" 'void f(void) { register int a[3]; }' 'void f(void) { int a[3]; }'
becomes "inline" 'inline int f() { return 1; } static inline int g(); __device__ __forceinline__ int h(int n) { return g(); }' \
    'static inline int f(void) { return 1; } static inline int g(void); static __device__ __forceinline__ int h(int n) { return g(); }'
becomes "linkage" 'extern "C" int f(); extern "C" { int g(); } extern int x;' \
    'HD_PORT_EXTERN_C int f(void); HD_PORT_BEGIN_C int g(void); HD_PORT_END_C extern int x;'
becomes "no parameters" 'int *f(); int g() { return *f(); }' 'int *f(void); int g(void) { return *f(); }'
becomes "nullptr" 'int *p = nullptr;' 'int *p = NULL;'
becomes "headers" '#include <cmath>
#include <stdio.h>' '#include <math.h>
#include <stdio.h>'

# ---- clocks ----
becomes "clocks" '#include <chrono>
void f(void) { auto a = std::chrono::steady_clock::now(); auto b = std::chrono::high_resolution_clock::now();
  auto t = std::chrono::duration_cast<std::chrono::microseconds>(b - a).count(); }' '#include <time.h>
void f(void) { int64_t a = HD_PORT_NOW(); int64_t b = HD_PORT_NOW();
  int64_t t = ((b - a) / 1000); }'
becomes "durations" 'void f(long a, long b) { std::chrono::duration<double, std::milli> d = b - a; g(d.count());
  g(std::chrono::duration<float>(b - a).count()); }' 'double d = 1e-6 * ( b - a); g(d);
  g((1e-9 * (b - a)));'

# ---- what C does not have ----
needs templates 'template <class T> __global__ void k(T *p) { }' 2
needs references '
void f(float &x) { cudaDeviceSynchronize(); }' 3
needs "default arguments" 'void f(int n = 3) { cudaDeviceSynchronize(); }' 2
needs methods 'struct s { int n; int get() { return n; } }; void f() { cudaDeviceSynchronize(); }' 2
needs "initial values of members" 'struct s { int n = 3; }; void f() { cudaDeviceSynchronize(); }' 2
needs "base classes" 'struct s : t { }; void f() { cudaDeviceSynchronize(); }' 2
needs "qualified names" 'void f() { std::sort(a, b); cudaDeviceSynchronize(); }' 2
needs lambdas 'void f() { g([](int x) { return x; }); cudaDeviceSynchronize(); }' 2
needs "types that are deduced" 'void f() { auto x = 1.5f; cudaDeviceSynchronize(); }' 2
needs new 'void f() { int *p = new int[3]; cudaDeviceSynchronize(); }' 2
needs "character constants of one byte" 'int f() { cudaDeviceSynchronize(); return sizeof('"'x'"'); }' 2
needs "launches through a variable" 'void f(void (*g)(int)) { g<<<1, 1>>>(1); }' 2
needs "members with a constructor" 'struct s { dim3 grid; }; void f() { cudaDeviceSynchronize(); }' 2
needs "arrays whose elements have constructors" 'void f() { dim3 a[2]; cudaDeviceSynchronize(); }' 2
needs "shared memory of this form" '__shared__ int n; __global__ void k() { n = 1; }' 2
needs "within the scope of a shared one" '__global__ void k() { __shared__ int n; n = 1; { int n = 2; n++; } }' 2
needs "points to a function" '__global__ void k(void (*f)(int)) { }' 2
needs "does not have this header" '#include <vector>
void f() { cudaDeviceSynchronize(); }' 2
needs "overloads of CUDA" '__device__ double atomicMax(double *p, double v) { return v; }' 2
needs "is not offered in C" '__global__ void k(__half *p) { }' 2

# Only the first place of each kind is reported.
printf '#include <cuda_runtime.h>\nvoid f(int &a) { cudaDeviceSynchronize(); }\nvoid g(int &a) { }\n' >many.cu
run port many.cu -o many --c
equal "once" "$(echo "$out" | grep -c references)" 1

# ---- files ----
printf '#include <cuda_runtime.h>\nint f(void) { return cudaDeviceSynchronize(); }\n' >same.c
cp same.c same.cu
run port same.c same.cu -o same --c
equal "two files of one name: status" "$status" 1
equal "two files of one name" "$(echo "$err" | grep -c 'would both be written to same.c')" 1
run port same.c -o plain --c
equal "a C file with CUDA's names: status ($err)" "$status" 0
equal "is a kernel file" "$(sed -n '/heddle_add_kernels/,$p' plain/CMakeLists.txt | grep -c '"same.c"')" 1
run port same.c -o none
equal "without --c: status" "$status" 1
equal "without --c" "$(echo "$out" | grep -c 'translate to C with --c')" 1
finish
