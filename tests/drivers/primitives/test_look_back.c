/* SPDX-License-Identifier: Apache-2.0 */
/* test_look_back.c - look-backs over 1 to thousands of tiles against a sequential sum, and for
   floats as bits against the order that heddle/device/look_back.h states; the state's upkeep. */
#include "test.h"

#include "kern_look_back.h"
#include "drivers/scan/look_back.h"
#include "src/runtime/backend.h"

static hd__look_back_marks marks;

typedef struct bench {
    hd_stream *stream;
    void *x, *before; /* device */
    hd_workspace workspace;
} bench;

enum { TILES = 5000, WORST = 12 };

static void setup(bench *b)
{
    memset(b, 0, sizeof *b);
    REQUIRE(hd_stream_create(0, &b->stream) == HD_OK);
    REQUIRE(hd_alloc_bytes(&b->x, TILES + 1, WORST, HD_MEM_DEVICE, 0) == HD_OK);
    REQUIRE(hd_alloc_bytes(&b->before, TILES + 1, WORST, HD_MEM_DEVICE, 0) == HD_OK);
    b->workspace.bytes = hd__look_back_workspace(TILES, 3, 0);
    REQUIRE(hd_alloc_bytes(&b->workspace.memory, b->workspace.bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
}

static void teardown(bench *b)
{
    hd_free(b->x);
    hd_free(b->before);
    hd_free(b->workspace.memory);
    hd_stream_destroy(b->stream);
}

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Copies tiles + 1 values in, runs the kernel, copies what precedes each tile out. */
static void run(bench *b, const hd_kernel *kernel, size_t size, uint32_t tiles, unsigned threads,
                const void *x, void *got)
{
    hd_look_back look;
    int adds_groups = threads == 192;
    void *args[] = {&look, &b->x, &b->before, &adds_groups};
    REQUIRE(hd_copy_bytes(b->x, x, tiles + 1, size, b->stream) == HD_OK);
    (void)pthread_mutex_lock(&b->stream->scratch_lock);
    REQUIRE(hd__look_back_memory("test", tiles, (unsigned)size / 4, 0, marks, &b->workspace,
                                 b->stream, &look, NULL) == HD_OK);
    (void)pthread_mutex_unlock(&b->stream->scratch_lock);
    CHECK_STATUS(
        hd_launch_kernel(kernel,
                         hd_launch_with(hd_dim(tiles, 1, 1), hd_dim(threads, 1, 1), 0, b->stream),
                         args, __FILE__, __LINE__),
        HD_OK);
    CHECK_STATUS(hd_copy_blocking_bytes(got, b->before, tiles, size, b->stream), HD_OK);
}

#if defined(HD_CPU_CHECK)
static const uint32_t sizes[] = {1, 2, 33, 1025, 70};
#else
static const uint32_t sizes[] = {1,    2,    31,   32,   33,  64,   65,   1,    1023, 1024, 1025,
                                 2047, 2048, 2049, 3071, 100, 5000, 1056, 1057, 5,    4999};
#endif
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* A warp of 32 or 64; several warps, which add up groups themselves; one thread where threads run
   one after another. */
static const unsigned shapes[] = {64, 192, 1};
enum { SHAPES = HD_SERIAL_THREADS ? 3 : 2 };

TEST(sums_of_integers)
{
    static uint32_t x[TILES + 1], got[TILES];
    static uint64_t wide[TILES + 1], wide_got[TILES];
    uint64_t seed = 7;
    bench b;
    setup(&b);
    for (unsigned s = 0; s < SHAPES; s++)
        for (size_t i = 0; i < SIZES; i++) {
            const uint32_t tiles = sizes[i];
            for (uint32_t t = 0; t <= tiles; t++) {
                wide[t] = next(&seed);
                x[t] = (uint32_t)(wide[t] >> 17);
            }
            run(&b, &kern_look_back_u32_kernel, 4, tiles, shapes[s], x, got);
            run(&b, &kern_look_back_u64_kernel, 8, tiles, shapes[s], wide, wide_got);
            uint32_t sum = x[tiles];
            uint64_t wide_sum = wide[tiles];
            for (uint32_t t = 0; t < tiles; t++) {
                if (got[t] != sum || wide_got[t] != wide_sum) {
                    test_fail(__FILE__, __LINE__, "tile %u of %u, %u threads", t, tiles, shapes[s]);
                    break;
                }
                sum += x[t];
                wide_sum += wide[t];
            }
        }
    teardown(&b);
}

TEST(maps_in_order)
{
    static look_map x[TILES + 1], got[TILES];
    uint64_t seed = 11;
    bench b;
    setup(&b);
    for (unsigned s = 0; s < SHAPES; s++)
        for (size_t i = 0; i < SIZES; i++) {
            const uint32_t tiles = sizes[i];
            for (uint32_t t = 0; t <= tiles; t++) {
                x[t].m = (uint32_t)next(&seed) | 1;
                x[t].b = (uint32_t)next(&seed);
                x[t].third = t;
            }
            run(&b, &kern_look_back_map_kernel, sizeof x[0], tiles, shapes[s], x, got);
            look_map all = x[tiles];
            for (uint32_t t = 0; t < tiles; t++) {
                if (memcmp(&got[t], &all, sizeof all) != 0) {
                    test_fail(__FILE__, __LINE__, "tile %u of %u, %u threads", t, tiles, shapes[s]);
                    break;
                }
                all = look_map_join(all, x[t]);
            }
        }
    teardown(&b);
}

/* The value at place k of scan32 over v: pairs of ever longer runs that end there. */
static float scan32_at(const float *v, int k, int length)
{
    if (length == 1)
        return v[k];
    const float right = scan32_at(v, k, length / 2);
    return k >= length / 2 ? scan32_at(v, k - length / 2, length / 2) + right : right;
}

/* What precedes tile t, from the definition. */
static float before_tile(const float *x, const float *group_totals, const float *chain, uint32_t t)
{
    const uint32_t j = t % 32, g = t / 32 % 32, bunch = t / 1024;
    float c = chain[bunch];
    if (g > 0)
        c += scan32_at(group_totals + bunch * 32, (int)g - 1, 32);
    if (j > 0)
        c += scan32_at(x + t - j, (int)j - 1, 32);
    return c;
}

TEST(floats_in_the_stated_order)
{
    static float x[TILES + 1], got[TILES], totals[TILES / 32 + 1], chain[TILES / 1024 + 2];
    uint64_t seed = 13;
    bench b;
    setup(&b);
    for (unsigned s = 0; s < SHAPES; s++)
        for (size_t i = 0; i < SIZES; i++) {
            const uint32_t tiles = sizes[i];
            for (uint32_t t = 0; t <= tiles; t++)
                x[t] = (float)((double)(int64_t)next(&seed) * 0x1p-60);
            run(&b, &kern_look_back_f32_kernel, 4, tiles, shapes[s], x, got);
            for (uint32_t g = 0; g < tiles / 32; g++)
                totals[g] = scan32_at(x + 32 * g, 31, 32);
            chain[0] = x[tiles];
            for (uint32_t c = 0; c < tiles / 1024; c++)
                chain[c + 1] = chain[c] + scan32_at(totals + 32 * c, 31, 32);
            for (uint32_t t = 0; t < tiles; t++) {
                const float expected = before_tile(x, totals, chain, t);
                if (memcmp(&got[t], &expected, 4) != 0) {
                    test_fail(__FILE__, __LINE__, "tile %u of %u, %u threads: %.9g, not %.9g", t,
                              tiles, shapes[s], (double)got[t], (double)expected);
                    break;
                }
            }
        }
    teardown(&b);
}

/* A launch leaves the state ready for any other size, whatever the driver that came between. */
TEST(the_state_keeps_itself)
{
    static const uint32_t turns[] = {3000, 1, 1, 40, 3000, 2, 3000, 3000, 33, 3000};
    static uint32_t x[TILES + 1], got[TILES];
    uint64_t seed = 17;
    bench b;
    setup(&b);
    for (size_t i = 0; i < (HD_SERIAL_THREADS ? 40 : sizeof turns / sizeof turns[0]); i++) {
        const uint32_t tiles = turns[i % (sizeof turns / sizeof turns[0])];
        uint32_t sum;
        if (i % 7 == 6) { /* somebody else uses the workspace */
            CHECK_STATUS(hd_fill_bytes(b.workspace.memory, 0xff, 1, b.workspace.bytes, b.stream),
                         HD_OK);
            b.workspace.prepared = 0;
        }
        for (uint32_t t = 0; t <= tiles; t++)
            x[t] = (uint32_t)next(&seed);
        run(&b, &kern_look_back_u32_kernel, 4, tiles, 64, x, got);
        sum = x[tiles];
        for (uint32_t t = 0; t < tiles; sum += x[t++])
            if (got[t] != sum) {
                test_fail(__FILE__, __LINE__, "turn %zu, tile %u", i, t);
                break;
            }
    }
    teardown(&b);
}

TEST(memory_of_every_size)
{
    hd_look_back look = {0};
    void *own = NULL;
    bench b;
    setup(&b);
    (void)pthread_mutex_lock(&b.stream->scratch_lock);
    CHECK_EQ_SIZE(hd__look_back_workspace(1, 1, 0), 4096);
    CHECK_EQ_SIZE(hd__look_back_workspace(1, 1, 100), 4196);
    CHECK_STATUS(hd__look_back_memory("test", 100, 1, 512, marks, NULL, b.stream, &look, &own),
                 HD_OK);
    CHECK((char *)own - (char *)look.state == 4096);
    CHECK_EQ_U64(look.tiles, 100);
    CHECK_EQ_U64(look.lines, 4 + 1 + 1);
    CHECK_STATUS(
        hd__look_back_memory("test", 1u << 30, 1, 0, marks, &b.workspace, b.stream, &look, &own),
        HD_ERR_WORKSPACE);
    (void)pthread_mutex_unlock(&b.stream->scratch_lock);
    teardown(&b);
}

TEST_MAIN
