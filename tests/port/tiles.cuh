#ifndef TILES_CUH
#define TILES_CUH
struct vec {
    float x, y, z;
    __host__ __device__ vec(float a, float b, float c) : x(a), y(b), z(c)
    {
    }
    __host__ __device__ float dot(const vec &o) const
    {
        return x * o.x + y * o.y + z * o.z;
    }
};
__host__ __device__ inline vec operator+(const vec &a, const vec &b)
{
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}
__host__ __device__ inline vec operator*(const vec &a, float s)
{
    return vec(a.x * s, a.y * s, a.z * s);
}
#endif
