/* SPDX-License-Identifier: Apache-2.0 */
/* labels: once
   test_copy_pool.c - host threads that copy together: every alignment and length, several at a
   time. */
#include <pthread.h>

#include "arrays.h"
#include "drivers/pipeline/copy_pool.h"

enum { ROOM = 3 << 20 };

static unsigned char *make(uint64_t seed)
{
    unsigned char *bytes = malloc(ROOM);

    if (bytes)
        test_fill(bytes, ROOM, HD_U8, VALUES_RANDOM, seed);
    return bytes;
}

/* `bytes` bytes from and to odd places; nothing beside them is written. */
static void copy_once(hd__copy_pool *pool, unsigned char *to, const unsigned char *from,
                      size_t bytes, size_t to_shift, size_t from_shift)
{
    memset(to, ARRAY_POISON, bytes + 256);
    hd__copy_pool_copy(pool, to + 64 + to_shift, from + from_shift, bytes);
    CHECK_BITS("copied", to + 64 + to_shift, from + from_shift, bytes, 1);
    for (size_t i = 0; i < 64; i++)
        if (!CHECK_EQ_U64(to[to_shift + i], ARRAY_POISON) ||
            !CHECK_EQ_U64(to[64 + to_shift + bytes + i], ARRAY_POISON))
            break;
}

TEST(every_alignment_and_length)
{
    static const size_t sizes[] = {0,    1,    63,    64,     65,     1023,   1024,
                                   1025, 4096, 65537, 262143, 262144, 262145, 2000003};
    unsigned char *from = make(1), *to = make(2);

    REQUIRE(from && to);
    for (unsigned threads = 1; threads <= 4; threads++) {
        hd__copy_pool *pool;
        REQUIRE(hd__copy_pool_create(threads, &pool) == HD_OK);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (size_t shift = 0; shift < 64; shift += 13)
                copy_once(pool, to, from, sizes[s], shift, (shift * 7) % 64);
        hd__copy_pool_destroy(pool);
    }
    free(from);
    free(to);
}

typedef struct user {
    hd__copy_pool *pool;
    uint64_t seed;
} user;

static void *copy_often(void *argument)
{
    const user *u = argument;
    unsigned char *from = make(u->seed), *to = make(u->seed + 100);

    for (size_t i = 0; i < 20 && from && to; i++)
        copy_once(u->pool, to, from, 1500000 + 77777 * i / 20, i, 3 * i);
    free(from);
    free(to);
    return NULL;
}

TEST(several_threads_share_a_pool)
{
    pthread_t threads[3];
    hd__copy_pool *pool;
    user users[3];

    REQUIRE(hd__copy_pool_create(3, &pool) == HD_OK);
    for (size_t i = 0; i < 3; i++) {
        users[i] = (user){pool, 10 + i};
        REQUIRE(pthread_create(&threads[i], NULL, copy_often, &users[i]) == 0);
    }
    for (size_t i = 0; i < 3; i++)
        (void)pthread_join(threads[i], NULL);
    hd__copy_pool_destroy(pool);
    hd__copy_pool_destroy(NULL);
}

/* Many copies with more threads than slices take long: some slice is another thread's last. */
TEST(a_copy_that_returned_is_whole)
{
    unsigned char *from = make(3), *to = make(4);
    hd__copy_pool *pool;
    size_t torn = 0;

    REQUIRE(from && to);
    REQUIRE(hd__copy_pool_create(8, &pool) == HD_OK);
    for (size_t i = 0; i < test_watched(600, 50); i++) {
        memset(to, (int)i, ROOM);
        hd__copy_pool_copy(pool, to, from, ROOM - i);
        torn += memcmp(to, from, ROOM - i) != 0;
    }
    CHECK_EQ_SIZE(torn, 0);
    hd__copy_pool_destroy(pool);
    free(from);
    free(to);
}

TEST_MAIN
