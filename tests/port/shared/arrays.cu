// Shared arrays of several dimensions and of the program's own types, used as whole arrays: sizeof,
// references, pointers to rows, range-for, function templates that deduce lengths.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define ROWS 4
constexpr int COLS = 6;
enum { DEPTH = 3 };
typedef float Row[COLS];

template <class T, int N> __device__ int length(T (&)[N])
{
    return N;
}
template <class T, int N, int M> __device__ int area(const T (&a)[N][M])
{
    return N * M + (int)(sizeof a / sizeof(T)) * 100;
}
__device__ float sum_row(const float (*row)[COLS])
{
    float s = 0;
    for (float v : *row)
        s += v;
    return s;
}
struct Cell {
    int a, b;
};

template <int N, class T> __global__ void of_template(int *out)
{
    __shared__ T tile[N][N + 1];
    __shared__ T line[2 * N];
    if (threadIdx.x == 0) {
        for (auto &row : tile)
            for (auto &v : row)
                v = T(1);
        for (T &v : line)
            v = T(2);
        T s = 0;
        for (const auto &row : tile)
            for (T v : row)
                s += v;
        for (T v : line)
            s += v;
        out[0] = (int)s;
        out[1] = (int)sizeof(tile);
        out[2] = (int)sizeof line;
        out[3] = (int)(sizeof(tile) / sizeof(tile[0]));
        out[4] = length(line) + area(tile);
    }
}

__shared__ int of_file[ROWS][COLS];

__device__ int file_length()
{
    return (int)(sizeof(of_file) + sizeof of_file[0]);
}

__global__ void arrays(int *out)
{
    __shared__ float cube[DEPTH][ROWS][COLS], flat[ROWS * COLS];
    __shared__ Row rows[ROWS];
    __shared__ Cell cells[2][ROWS];
    __shared__ struct {
        int x[5];
        char c;
    } both;
    __shared__ int one;
    __shared__ const char *names[3];
    if (threadIdx.x != 0)
        return;
    float(*plane)[ROWS][COLS] = &cube[1];
    float(*whole)[DEPTH][ROWS][COLS] = &cube;
    float(&reference)[ROWS * COLS] = flat;
    memset(cube, 0, sizeof(cube));
    memset(&flat, 0, sizeof(flat));
    memset(cells, 0, sizeof cells);
    memset(rows, 0, sizeof rows);
    (*plane)[2][3] = 5;
    (*whole)[2][1][0] = 7;
    reference[3] = 9;
    rows[1][2] = 11;
    cells[1][3].b = 13;
    both.x[4] = 17;
    one = (int)sizeof(one);
    names[2] = "x";
    out[0] = (int)sizeof(cube);
    out[1] = (int)sizeof cube[0];
    out[2] = (int)sizeof(*plane);
    out[3] = (int)(sizeof flat / sizeof *flat);
    out[4] = length(flat) + length(cube) + length(cube[0]) + length(rows) + length(cells);
    out[5] = area(cube[1]) + area(rows);
    out[6] = (int)(cube[1][2][3] + cube[2][1][0] + flat[3] + sum_row(&rows[1]));
    out[7] = cells[1][3].b + both.x[4] + one + (int)sizeof(both) + (int)sizeof(both.x);
    out[8] = file_length() + length(of_file);
    int *p = &of_file[0][0];
    for (int i = 0; i < ROWS * COLS; i++)
        p[i] = i;
    int s = 0;
    for (auto &row : of_file)
        for (int v : row)
            s += v;
    out[9] = s;
    out[10] = (int)(&cube[1] - &cube[0]) + (int)((char *)(&cube + 1) - (char *)&cube);
    out[11] = (int)sizeof(names) + names[2][0];
}
static int wrong;

static void compare(const char *what, const int *out, const int *expected, int n)
{
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < n; i++)
        if (out[i] != expected[i]) {
            fprintf(stderr, "%s %d: %d, expected %d\n", what, i, out[i], expected[i]);
            wrong++;
        }
}

int main()
{
    const int of_doubles[] = {72 + 32, 72 * 8, 128, 8, 16 + 72 + 7200};
    const int of_ints[] = {12 + 12, 48, 24, 3, 6 + 12 + 1200};
    const int others[] = {288,
                          96,
                          96,
                          24,
                          24 + 3 + 4 + 4 + 2,
                          2 * (24 + 2400),
                          5 + 7 + 9 + 11,
                          13 + 17 + 4 + 24 + 20,
                          96 + 24 + 4,
                          23 * 24 / 2,
                          1 + 288,
                          24 + 'x'};
    int *out;
    cudaMallocManaged(&out, 12 * sizeof *out);
    of_template<8, double><<<1, 32>>>(out);
    compare("doubles", out, of_doubles, 5);
    of_template<3, int><<<1, 32>>>(out);
    compare("ints", out, of_ints, 5);
    arrays<<<1, 64>>>(out);
    compare("arrays", out, others, 12);
    cudaFree(out);
    printf("arrays %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
