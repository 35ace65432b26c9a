/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - lets the tuner choose, and checks what it found out about each candidate. */
#include "exercise.h"

#include "host.h"

enum { NX = 102, NY = 25, CELL_COUNT = NX * NY }; /* not a multiple of 4 */

static const char *const variants[] = {"cells", "quads", "short"};
static const char *const outcomes[] = {"not tried", "right", "wrong", "refused"};

/* What is to be found out, in the order of make_candidates. */
static const outcome expected[] = {OUTCOME_RIGHT, OUTCOME_RIGHT,   OUTCOME_REFUSED, OUTCOME_RIGHT,
                                   OUTCOME_WRONG, OUTCOME_REFUSED, OUTCOME_WRONG,   OUTCOME_RIGHT};

enum { COUNT = sizeof expected / sizeof *expected };

static void make_candidates(candidate *c)
{
    const candidate all[COUNT] = {
        {.variant = CELLS, .shape = {64, 4, 1}},  {.variant = CELLS, .shape = {16, 16, 1}},
        {.variant = CELLS, .shape = {64, 64, 1}}, {.variant = QUADS, .shape = {64, 1, 1}},
        {.variant = SHORT, .shape = {64, 1, 1}},  {.variant = QUADS, .shape = {2048, 1, 1}},
        {.variant = SHORT, .shape = {32, 8, 1}},  {.variant = QUADS, .shape = {32, 4, 1}}};

    memcpy(c, all, sizeof all);
    for (int i = 0; i < COUNT; i++)
        c[i].milliseconds = -1.0f;
}

static void step_host(const float *from, float *to)
{
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) {
            const float *here = from + y * NX + x;
            const int edge = x == 0 || y == 0 || x == NX - 1 || y == NY - 1;

            to[y * NX + x] = edge ? *here : ((here[-NX] + here[-1]) + (here[NX] + here[1])) * 0.25f;
        }
}

static int check(const candidate *c, int best)
{
    for (int i = 0; i < COUNT; i++) {
        if (c[i].outcome != expected[i])
            return exercise_wrong("candidate %d (%s, blocks of %u x %u): found to be %s, expected "
                                  "%s",
                                  i, variants[c[i].variant], c[i].shape.x, c[i].shape.y,
                                  outcomes[c[i].outcome], outcomes[expected[i]]);
        if ((c[i].outcome == OUTCOME_RIGHT) != (c[i].milliseconds >= 0.0f))
            return exercise_wrong("candidate %d is %s, but its time is %g ms", i,
                                  outcomes[c[i].outcome], (double)c[i].milliseconds);
    }
    if (best < 0 || best >= COUNT || c[best].outcome != OUTCOME_RIGHT)
        return exercise_wrong("candidate %d was chosen, which is not one of the right ones", best);
    for (int i = 0; i < COUNT; i++)
        if (c[i].outcome == OUTCOME_RIGHT && c[i].milliseconds < c[best].milliseconds)
            return exercise_wrong("candidate %d was chosen, but candidate %d is faster: %g ms, not "
                                  "%g",
                                  best, i, (double)c[i].milliseconds, (double)c[best].milliseconds);
    return 0;
}

static void print(const candidate *c, int best)
{
    for (int i = 0; i < COUNT; i++) {
        printf("candidate %d: %s\n", i, outcomes[c[i].outcome]);
        fprintf(stderr, "%s in blocks of %2u x %2u: %-8s %8.4f ms%s\n", variants[c[i].variant],
                c[i].shape.x, c[i].shape.y, outcomes[c[i].outcome], (double)c[i].milliseconds,
                i == best ? "  chosen" : "");
    }
}

int main(void)
{
    static float field[CELL_COUNT], right[CELL_COUNT], result[CELL_COUNT];
    problem p = {.nx = NX, .ny = NY, .expected = right, .result = result};
    candidate candidates[COUNT];
    hd_stream *stream;
    float *from;
    int best = -1, wrong;

    for (int i = 0; i < CELL_COUNT; i++)
        field[i] = (float)(i * 7 % 31);
    step_host(field, right);
    make_candidates(candidates);
    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&from, CELL_COUNT, 0));
    TRY(hd_alloc(&p.to, CELL_COUNT, 0));
    TRY(hd_copy(from, field, CELL_COUNT, stream));
    p.from = from;
    TRY(hd_fill_zero(p.to, CELL_COUNT, stream));
    TRY(tune(stream, &p, candidates, COUNT, &best));
    wrong = check(candidates, best);
    if (!wrong)
        print(candidates, best);
    TRY(hd_free(p.to));
    TRY(hd_free(from));
    TRY(hd_stream_destroy(stream));
    return wrong;
}
