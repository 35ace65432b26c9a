// Lengths of shared arrays from macros, constants and template parameters; sizeof in macros, types
// of the program that are arrays, and functions that take a shared array.
#include <cstdio>
#include <cuda_runtime.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define TILE 4
#define DECLARE_BUFFER(name, n) __shared__ float name[n]

static const int wide = 6;
constexpr int half(int n)
{
    return n / 2;
}
typedef int Line[TILE + 1];
using Square = double[3][3];

template <class A, class B> struct Both {
    A a;
    B b;
};

template <class T> __device__ int bytes_of_value(T)
{
    return (int)sizeof(T);
}
template <class T> __device__ int bytes_of_reference(T &)
{
    return (int)sizeof(T);
}
__device__ int first(const int *p)
{
    return p[0];
}
__device__ int count_of_line(const Line &line)
{
    return (int)COUNT(line);
}
__device__ int last_of(int (*rows)[TILE + 1], int n)
{
    return rows[n - 1][TILE];
}

template <int N, class T = float> struct Block {
    enum { items = N * 2 };
    static constexpr int extra = N + 1;
    __device__ static int bytes()
    {
        __shared__ T values[items][extra];
        values[0][0] = T(1);
        return (int)(sizeof values + COUNT(values[0]));
    }
};

#define BYTES(a) sizeof(a)
#define WORDS(a) (BYTES(a) / 4)

__device__ int in_macros()
{
    __shared__ int direct[3], nested[5], referred[7], passed[9][2], element[11], taken[13];
    auto &alias = referred;
    alias[0] = direct[0] = nested[0] = passed[0][0] = element[0] = taken[0] = 1;
    return (int)(COUNT(direct) + WORDS(nested) + sizeof alias / 4 + sizeof element[0] / 4) +
           bytes_of_reference(passed) / 4 + bytes_of_value(element) / 8 +
           (int)((char *)(&(taken) + 1) - (char *)taken) / 4;
}

__global__ void lengths(int *out)
{
    const int local = 5;
    __shared__ int a[wide], b[half(10)][LARGER(2, 3)], c[sizeof(double)];
    __shared__ int d[local], e[TILE * TILE + 1];
    __shared__ Line line, lines[2];
    __shared__ Square square;
    __shared__ Both<int, Both<short, float>> pairs[TILE];
    static __shared__ unsigned char bytes[1 << 4];
    __shared__ decltype(1.0f) typed[7];
    DECLARE_BUFFER(buffer, 9);
    if (threadIdx.x != 0)
        return;
    auto &alias = b;
    decltype(lines) &same = lines;
    a[0] = 3;
    lines[1][TILE] = 21;
    square[2][2] = 1.0;
    pairs[3].b.b = 2.0f;
    bytes[15] = 4;
    typed[6] = 5.0f;
    buffer[8] = 6.0f;
    e[16] = 7;
    out[0] = (int)(COUNT(a) + 10 * COUNT(b) + 100 * COUNT(b[0]) + 1000 * COUNT(c));
    out[1] = (int)(COUNT(d) + 10 * COUNT(e));
    out[2] = (int)(sizeof line + sizeof(lines) + sizeof lines[0] + sizeof(square));
    out[3] = (int)(sizeof pairs / sizeof *pairs + sizeof bytes + sizeof typed + sizeof buffer);
    out[4] = bytes_of_value(a) + bytes_of_reference(a) + bytes_of_reference(b[0]);
    out[5] = (int)(sizeof alias + sizeof same) + first(a) + count_of_line(line);
    out[6] = last_of(lines, 2) + (int)(&lines[1][0] - &lines[0][0]);
    out[7] = Block<3>::bytes() + Block<2, double>::bytes();
    auto inside = [&]() { return (int)(sizeof(a) + COUNT(lines)); };
    out[8] = inside();
    out[9] = (int)(square[2][2] + pairs[3].b.b + bytes[15] + typed[6] + buffer[8]) + e[16];
    for (int i = 0; i < (int)COUNT(c); i++)
        c[i] = i;
    int s = 0;
    for (int v : c)
        s += v;
    for (int &v : line)
        v = 1;
    for (int v : line)
        s += v;
    out[10] = s;
    out[11] = (int)((char *)(&a + 1) - (char *)&a);
    out[12] = in_macros();
}

int main()
{
    const int n = 13, expected[n] = {
        6 + 50 + 300 + 8000,
        5 + 170,
        20 + 40 + 20 + 72,
        4 + 16 + 28 + 36,
        8 + 24 + 12,
        60 + 40 + 3 + 5,
        21 + 5,
        6 * 4 * 4 + 4 + 4 * 3 * 8 + 3,
        24 + 2,
        1 + 2 + 4 + 5 + 6 + 7,
        28 + 5,
        24,
        3 + 5 + 7 + 1 + 18 + 1 + 13,
    };
    int *out, wrong = 0;
    cudaMallocManaged(&out, n * sizeof *out);
    lengths<<<1, 64>>>(out);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < n; i++)
        if (out[i] != expected[i]) {
            fprintf(stderr, "%d: %d, expected %d\n", i, out[i], expected[i]);
            wrong++;
        }
    cudaFree(out);
    printf("lengths %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
