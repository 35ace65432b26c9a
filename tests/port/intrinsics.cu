// Intrinsics of integers, conversions with a direction, and arithmetic that CUDA rounds to nearest:
// results of a kernel against the same in plain C++.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

typedef unsigned long long u64;
enum { N = 3000 };

struct words {
    unsigned brev, clz, ffs, popc, perm, left, right, mulhi, smulhi, mul24, umul24, sad, usad;
    u64 brevll, clzll, ffsll, popcll, mul64hi, smul64hi;
};
struct numbers {
    int int_of[4], int_of_double[4];
    unsigned uint_of[4], uint_of_double[4];
    long long ll_of[4], ll_of_double[4];
    u64 ull_of[4], ull_of_double[4];
    float sum, product, quotient, fused, root, reciprocal, reciprocal_root, clamped;
    double dsum, dproduct, dquotient, dfused, droot, dreciprocal, joined;
    int high, low;
};

__host__ __device__ inline u64 scramble(u64 x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    return (x ^ x >> 27) >> (x & 63);
}
// Halves, wholes and others, of both signs.
__host__ __device__ inline double number(int i)
{
    const double x = (double)(long long)(scramble(i) & 0x3fffffff);
    const double y = i % 3 == 0 ? x : i % 3 == 1 ? x / 2 : x / 1048576;
    return i % 2 ? y : -y;
}

__global__ void integers(words *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    const u64 a = scramble(i), b = scramble(i + N);
    const unsigned x = (unsigned)a, y = (unsigned)b, s = (unsigned)scramble(i + 2 * N);
    words w;
    w.brev = __brev(x);
    w.clz = __clz((int)x);
    w.ffs = __ffs((int)x);
    w.popc = __popc(x);
    w.perm = __byte_perm(x, y, s & 0x7777);
    w.left = __funnelshift_l(x, y, s);
    w.right = __funnelshift_r(x, y, s);
    w.mulhi = __umulhi(x, y);
    w.smulhi = (unsigned)__mulhi((int)x, (int)y);
    w.mul24 = (unsigned)__mul24((int)x, (int)y);
    w.umul24 = __umul24(x, y);
    w.sad = __sad((int)(x / 2), (int)(y / 2), s);
    w.usad = __usad(x, y, s);
    w.brevll = __brevll(a);
    w.clzll = __clzll((long long)a);
    w.ffsll = __ffsll((long long)a);
    w.popcll = __popcll(a);
    w.mul64hi = __umul64hi(a, b);
    w.smul64hi = (u64)__mul64hi((long long)a, (long long)b);
    out[i] = w;
}

__global__ void floats(numbers *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    const double d = number(i), e = number(i + N);
    const float f = (float)d, g = (float)e;
    numbers n;
    n.int_of[0] = __float2int_rn(f);
    n.int_of[1] = __float2int_rd(f);
    n.int_of[2] = __float2int_ru(f);
    n.int_of[3] = __float2int_rz(f);
    n.int_of_double[0] = __double2int_rn(d);
    n.int_of_double[1] = __double2int_rd(d);
    n.int_of_double[2] = __double2int_ru(d);
    n.int_of_double[3] = __double2int_rz(d);
    n.ll_of[0] = __float2ll_rn(f);
    n.ll_of[1] = __float2ll_rd(f);
    n.ll_of[2] = __float2ll_ru(f);
    n.ll_of[3] = __float2ll_rz(f);
    n.ll_of_double[0] = __double2ll_rn(d);
    n.ll_of_double[1] = __double2ll_rd(d);
    n.ll_of_double[2] = __double2ll_ru(d);
    n.ll_of_double[3] = __double2ll_rz(d);
    n.uint_of[0] = __float2uint_rn(fabsf(f));
    n.uint_of[1] = __float2uint_rd(fabsf(f));
    n.uint_of[2] = __float2uint_ru(fabsf(f));
    n.uint_of[3] = __float2uint_rz(fabsf(f));
    n.uint_of_double[0] = __double2uint_rn(fabs(d));
    n.uint_of_double[1] = __double2uint_rd(fabs(d));
    n.uint_of_double[2] = __double2uint_ru(fabs(d));
    n.uint_of_double[3] = __double2uint_rz(fabs(d));
    n.ull_of[0] = __float2ull_rn(fabsf(f));
    n.ull_of[1] = __float2ull_rd(fabsf(f));
    n.ull_of[2] = __float2ull_ru(fabsf(f));
    n.ull_of[3] = __float2ull_rz(fabsf(f));
    n.ull_of_double[0] = __double2ull_rn(fabs(d));
    n.ull_of_double[1] = __double2ull_rd(fabs(d));
    n.ull_of_double[2] = __double2ull_ru(fabs(d));
    n.ull_of_double[3] = __double2ull_rz(fabs(d));
    n.sum = __fadd_rn(f, g);
    n.product = __fmul_rn(f, g);
    n.quotient = __fdiv_rn(f, g);
    n.fused = __fmaf_rn(f, g, -n.product);
    n.root = __fsqrt_rn(fabsf(f));
    n.reciprocal = __frcp_rn(f);
    n.reciprocal_root = __frsqrt_rn(fabsf(f));
    n.clamped = __saturatef(i % 9 ? f / 1000 : NAN);
    n.dsum = __dadd_rn(d, e);
    n.dproduct = __dmul_rn(d, e);
    n.dquotient = __ddiv_rn(d, e);
    n.dfused = __fma_rn(d, e, -n.dproduct);
    n.droot = __dsqrt_rn(fabs(d));
    n.dreciprocal = __drcp_rn(d);
    n.high = __double2hiint(d);
    n.low = __double2loint(d);
    n.joined = __hiloint2double(n.high, n.low);
    out[i] = n;
}

static int wrong;
template <class T> static void check(const char *name, int i, T got, T want)
{
    if (memcmp(&got, &want, sizeof got) != 0 && !(got != got && want != want) && wrong++ < 8)
        printf("%s of case %d: %.17g, not %.17g\n", name, i, (double)got, (double)want);
}
#define CHECK(field, want) check<decltype(n.field)>(#field, i, n.field, want)

static unsigned bits_of(u64 x)
{
    unsigned count = 0;
    for (; x; x &= x - 1)
        count++;
    return count;
}
static unsigned lowest(u64 x)
{
    for (unsigned i = 0; i < 64; i++)
        if (x >> i & 1)
            return i + 1;
    return 0;
}
static unsigned zeros_above(u64 x, unsigned width)
{
    unsigned count = 0;
    while (count < width && !(x >> (width - 1 - count) & 1))
        count++;
    return count;
}
static u64 reversed(u64 x, unsigned width)
{
    u64 out = 0;
    for (unsigned i = 0; i < width; i++)
        out |= (x >> i & 1) << (width - 1 - i);
    return out;
}

static void check_integers(const words &n, int i)
{
    const u64 a = scramble(i), b = scramble(i + N);
    const unsigned x = (unsigned)a, y = (unsigned)b, s = (unsigned)scramble(i + 2 * N);
    const u64 both = (u64)y << 32 | x;
    unsigned perm = 0;
    for (int k = 0; k < 4; k++)
        perm |= (unsigned)(both >> 8 * (s >> 4 * k & 7) & 0xff) << 8 * k;
    CHECK(brev, (unsigned)reversed(x, 32));
    CHECK(clz, zeros_above(x, 32));
    CHECK(ffs, lowest(x));
    CHECK(popc, bits_of(x));
    CHECK(perm, perm);
    CHECK(left, (unsigned)(both << (s & 31) >> 32));
    CHECK(right, (unsigned)(both >> (s & 31)));
    CHECK(mulhi, (unsigned)((u64)x * y >> 32));
    CHECK(smulhi, (unsigned)((u64)((long long)(int)x * (int)y) >> 32));
    CHECK(mul24, (unsigned)((long long)((int)(x << 8) >> 8) * ((int)(y << 8) >> 8)));
    CHECK(umul24, (unsigned)((u64)(x & 0xffffff) * (y & 0xffffff)));
    const int sx = (int)(x / 2), sy = (int)(y / 2);
    CHECK(sad, (unsigned)(sx > sy ? sx - sy : sy - sx) + s);
    CHECK(usad, (x > y ? x - y : y - x) + s);
    CHECK(brevll, reversed(a, 64));
    CHECK(clzll, (u64)zeros_above(a, 64));
    CHECK(ffsll, (u64)lowest(a));
    CHECK(popcll, (u64)bits_of(a));
    CHECK(mul64hi, (u64)((unsigned __int128)a * b >> 64));
    CHECK(smul64hi, (u64)((unsigned __int128)((__int128)(long long)a * (long long)b) >> 64));
}

template <class T> static void check_directions(const char *name, int i, const T *got, double x)
{
    const double want[4] = {rint(x), floor(x), ceil(x), trunc(x)};
    for (int k = 0; k < 4; k++)
        check(name, i, got[k], (T)want[k]);
}
static void check_floats(const numbers &n, int i)
{
    const double d = number(i), e = number(i + N);
    const float f = (float)d, g = (float)e;
    long long bits;
    memcpy(&bits, &d, sizeof bits);
    check_directions("int", i, n.int_of, f);
    check_directions("int of double", i, n.int_of_double, d);
    check_directions("long", i, n.ll_of, f);
    check_directions("long of double", i, n.ll_of_double, d);
    check_directions("unsigned", i, n.uint_of, fabs((double)f));
    check_directions("unsigned of double", i, n.uint_of_double, fabs(d));
    check_directions("unsigned long", i, n.ull_of, fabs((double)f));
    check_directions("unsigned long of double", i, n.ull_of_double, fabs(d));
    CHECK(sum, (float)((double)f + g)); // rounding twice does not change these
    CHECK(product, (float)((double)f * g));
    CHECK(quotient, (float)((double)f / g));
    CHECK(fused, std::fma(f, g, -n.product));
    CHECK(root, (float)std::sqrt(fabs((double)f)));
    CHECK(reciprocal, (float)(1 / (double)f));
    CHECK(reciprocal_root, (float)(1 / std::sqrt(fabs((double)f))));
    CHECK(clamped, i % 9 && f > 0 ? std::fmin(f / 1000, 1.0f) : 0.0f);
    CHECK(dsum, d + e);
    CHECK(dproduct, d * e);
    CHECK(dquotient, d / e);
    CHECK(dfused, std::fma(d, e, -n.dproduct));
    CHECK(droot, std::sqrt(fabs(d)));
    CHECK(dreciprocal, 1 / d);
    CHECK(joined, d);
    CHECK(high, (int)(bits >> 32));
    CHECK(low, (int)bits);
}

int main()
{
    words *w;
    numbers *n;
    cudaMallocManaged(&w, N * sizeof *w);
    cudaMallocManaged(&n, N * sizeof *n);
    integers<<<(N + 127) / 128, 128>>>(w);
    floats<<<(N + 127) / 128, 128>>>(n);
    if (cudaDeviceSynchronize() != cudaSuccess)
        wrong++;
    for (int i = 0; i < N; i++) {
        check_integers(w[i], i);
        check_floats(n[i], i);
    }
    cudaFree(w);
    cudaFree(n);
    printf("intrinsics %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
