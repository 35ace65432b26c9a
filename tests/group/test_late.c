/* SPDX-License-Identifier: Apache-2.0 */
/* test_late.c - a rank that comes late while the others could go on: what they send for later
   operations must not lie where it has not read yet. labels: few */
#include "repeat.h"

#include <time.h>

enum { LATE_MS = 15 };

typedef struct late_rank {
    repeat *w;
    unsigned rank, late;
} late_rank;

/* Rank `late` begins the first operation and the fourth when the others have been waiting, or went
   on, for a while. */
static void *late_thread(void *argument)
{
    const struct timespec pause = {0, LATE_MS * 1000000L};
    const late_rank *p = argument;

    for (unsigned i = 0; i < BATCH; i++) {
        if (p->rank == p->late && i % 3 == 0)
            (void)nanosleep(&pause, NULL);
        CHECK_STATUS(enqueue_one(p->w, p->rank, i), HD_OK);
    }
    CHECK_STATUS(hd_group_synchronize_rank(p->w->group, p->rank), HD_OK);
    return NULL;
}

static void late_batch(repeat *w, unsigned late)
{
    pthread_t thread[RANKS];
    late_rank ranks[RANKS];

    for (unsigned r = 0; r < w->count; r++) {
        ranks[r] = (late_rank){w, r, late};
        REQUIRE(pthread_create(&thread[r], NULL, late_thread, &ranks[r]) == 0);
    }
    for (unsigned r = 0; r < w->count; r++)
        (void)pthread_join(thread[r], NULL);
}

/* n elements, and one more or less from operation to operation; the root comes `root` ranks behind
   the late one. */
static void late_ranks_of(what kind, size_t n, unsigned root, hd_group_algorithm algorithm,
                          hd__group_tuning force)
{
    const hd_group_options options = {.algorithm = algorithm, .timeout_seconds = 2};
    repeat w;

    hd__group_forced = force;
    if (repeat_open(&w, &options))
        for (unsigned late = 0; late < w.count && test_now.failures == 0; late++) {
            for (unsigned i = 0; i < BATCH; i++)
                w.batch[i] = (operation){kind, n + i % 3, HD_F64, HD_SUM, (late + root) % w.count,
                                         0};
            fill_batch(&w, late);
            late_batch(&w, late);
            check_batch(&w);
        }
    repeat_close(&w);
    hd__group_forced = (hd__group_tuning){0};
}

static void late_ranks(what kind, size_t n, hd_group_algorithm algorithm, hd__group_tuning force)
{
    late_ranks_of(kind, n, 0, algorithm, force);
}

static const hd__group_tuning no_force, words_only = {.line_bytes = SIZE_MAX},
                                        lines_only = {.line_bytes = 1},
                                        in_pieces = {.broadcast_pieces = 1};

TEST(reductions_in_words)
{
    late_ranks(REDUCE, 3, HD_GROUP_ONE_SHOT, words_only);
    late_ranks(REDUCE, 3, HD_GROUP_TWO_SHOT, words_only);
    late_ranks(ALL_REDUCE, 1, HD_GROUP_TWO_SHOT, words_only);
    late_ranks(ALL_REDUCE, 70, HD_GROUP_TWO_SHOT, words_only);
}

TEST(reductions_in_lines)
{
    late_ranks(REDUCE, 3, HD_GROUP_ONE_SHOT, lines_only);
    late_ranks(REDUCE, 3, HD_GROUP_TWO_SHOT, lines_only);
    late_ranks(ALL_REDUCE, 1, HD_GROUP_TWO_SHOT, lines_only);
    late_ranks(ALL_REDUCE, 70, HD_GROUP_TWO_SHOT, lines_only);
}

TEST(reductions_in_chunks)
{
    late_ranks(REDUCE, 1000, HD_GROUP_DIRECT, no_force);
    late_ranks(ALL_REDUCE, 3, HD_GROUP_DIRECT, no_force);
    late_ranks(ALL_REDUCE, 100, HD_GROUP_RING, no_force);
}

TEST(moves)
{
    late_ranks(BROADCAST, 10, HD_GROUP_BY_SIZE, no_force);
    late_ranks(BROADCAST, 1000, HD_GROUP_BY_SIZE, in_pieces);
    late_ranks(ALL_GATHER, 10, HD_GROUP_BY_SIZE, no_force);
}

/* A root hears from nobody whose chunks have room at once. */
TEST(a_root_does_not_run_ahead)
{
    late_ranks_of(BROADCAST, 10, 1, HD_GROUP_BY_SIZE, no_force);
    late_ranks_of(BROADCAST, 1000, 1, HD_GROUP_BY_SIZE, in_pieces);
}

TEST_MAIN
