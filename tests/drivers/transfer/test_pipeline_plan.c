/* SPDX-License-Identifier: Apache-2.0 */
/* labels: once
   test_pipeline_plan.c - how a pipeline chooses the size of its chunks: the model, and what whole
   runs try after it, with noise in all that is measured. */
#include <math.h>
#include <stdint.h>

#include "drivers/pipeline/plan.h"
#include "test.h"

/* ---- the model ------------------------------------------------------------------------------ */

TEST(plans_cover_everything)
{
    static const hd__pipe_plan plans[] = {{1, 1, 1},    {7, 7, 7},     {64, 1, 1},
                                          {64, 16, 16}, {960, 64, 64}, {4096, 64, 64}};
    for (size_t k = 0; k < 6; k++)
        for (size_t n = 1; n < 20000; n += n / 3 + 1) {
            size_t left = n, index = 0;
            while (left > 0) {
                const size_t count = hd__pipe_next(&plans[k], index++, left);
                CHECK(count > 0 && count <= left && count <= plans[k].chunk);
                CHECK(count % plans[k].granule == 0 || count == left);
                if (count == 0 || count > left)
                    break;
                left -= count;
            }
            CHECK_EQ_SIZE(left, 0);
        }
}

/* Costs that follow the line are found again; the choice is near the best of all sizes. */
TEST(the_model_chooses_well)
{
    const hd__pipe_cost cost = {{1e-6, 4e-6, 5e-6, 4e-6, 0}, {0, 1e-9, 1.1e-9, 1e-9, 0}};
    const size_t units[2] = {1000, 4000}, n = 10000000;
    double seconds[2][HD__PIPE_STAGES], best = 1e9, chosen;
    hd__pipe_cost found;
    hd__pipe_plan plan;

    for (int s = 0; s < 2; s++)
        for (int i = 0; i < HD__PIPE_STAGES; i++)
            seconds[s][i] = cost.latency[i] + cost.rate[i] * (double)units[s];
    hd__pipe_fit(units, seconds, &found);
    for (int i = 0; i < HD__PIPE_STAGES; i++) {
        CHECK_NEAR(found.latency[i], cost.latency[i], 1e-12);
        CHECK_NEAR(found.rate[i], cost.rate[i], 1e-15);
    }
    plan = hd__pipe_choose(&cost, n, 1, 1000, n / 2, 6);
    chosen = hd__pipe_predict(&plan, &cost, n, 6);
    for (size_t chunk = 1000; chunk < n; chunk += chunk / 8) {
        const hd__pipe_plan fixed = {chunk, chunk, 1};
        const double time = hd__pipe_predict(&fixed, &cost, n, 6);
        best = time < best ? time : best;
    }
    CHECK(chosen <= 1.01 * best);
    /* serial is the sum of all stages, and no plan beats the slowest of them */
    plan = (hd__pipe_plan){n, n, 1};
    CHECK_NEAR(hd__pipe_predict(&plan, &cost, n, 6), 14e-6 + 3.1e-9 * (double)n, 1e-9);
    CHECK(chosen > 1.1e-9 * (double)n);
    /* m even chunks: 2 / m more for both ends, m latencies of 5 us more; together least at 6 % */
    CHECK(chosen < 1.1e-9 * (double)n * 1.065);
}

/* ---- noise ----------------------------------------------------------------------------------- */

enum { UNITS = 64 << 20, PROBE = 128 << 10, LARGEST = UNITS / 2, BUFFERS = 6, SEEDS = 200 };

/* A number from 0 to 1, of a sequence. */
static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

/* What a busy host makes of a second: most measurements are a few hundredths long, one of six takes
   1.3 to 3 times as long. */
static double noise(uint64_t *state)
{
    const double usual = 1 - 0.03 * log(uniform(state));
    return uniform(state) < 1.0 / 6 ? usual * (1.3 + 1.7 * uniform(state)) : usual;
}

/* Stages that run beside each other and are `slow` times slower then; `wakes` seconds more for
   each chunk, which nobody sees who measures a stage alone. */
static hd__pipe_cost beside(const hd__pipe_cost *alone, double slow, double wakes)
{
    hd__pipe_cost cost = *alone;
    for (int i = 0; i < HD__PIPE_STAGES; i++) {
        cost.rate[i] *= slow;
        cost.latency[i] += wakes;
    }
    return cost;
}

static double best_of_all(const hd__pipe_cost *cost)
{
    double best = 1e9;
    for (double size = PROBE; size < LARGEST; size *= 1.05) {
        const hd__pipe_plan plan = {(size_t)size, (size_t)size, 1};
        best = fmin(best, hd__pipe_predict(&plan, cost, UNITS, BUFFERS));
    }
    return best;
}

/* What a first run measures: the least of a few noisy times. */
static hd__pipe_plan measured_plan(const hd__pipe_cost *alone, uint64_t *state)
{
    const size_t sizes[2] = {PROBE, 4 * PROBE};
    double seconds[2][HD__PIPE_STAGES];
    hd__pipe_cost found;

    for (int s = 0; s < 2; s++)
        for (int i = 0; i < HD__PIPE_STAGES; i++) {
            const double exact = alone->latency[i] + alone->rate[i] * (double)sizes[s];
            seconds[s][i] = exact * fmin(fmin(noise(state), noise(state)), noise(state));
        }
    hd__pipe_fit(sizes, seconds, &found);
    return hd__pipe_choose(&found, UNITS, 1, PROBE, LARGEST, BUFFERS);
}

/* Runs with noise until it is decided; the time that the decision takes without. */
static double decided(hd__pipe_plan plan, const hd__pipe_cost *cost, uint64_t *state, size_t *runs)
{
    hd__pipe_trials t;

    hd__pipe_trials_begin(&t, plan, PROBE, LARGEST);
    for (*runs = 0; *runs < 100 && !hd__pipe_trials_settled(&t); ++*runs) {
        plan = hd__pipe_trials_next(&t, SIZE_MAX);
        hd__pipe_trials_end(&t, noise(state) * hd__pipe_predict(&plan, cost, UNITS, BUFFERS));
    }
    plan = hd__pipe_trials_next(&t, SIZE_MAX);
    return hd__pipe_predict(&plan, cost, UNITS, BUFFERS);
}

/* In nearly every run of a noisy host the choice is within 3 % of the best, whether or not stages
   beside each other are as fast as alone. */
TEST(the_choice_is_stable)
{
    const hd__pipe_cost alone = {{8e-6, 4e-6, 5e-6, 4e-6, 3e-6},
                                 {5e-11, 7e-11, 7e-11, 7e-11, 5e-11}};
    static const double slow[] = {1, 1.4, 2}, wakes[] = {0, 4e-5, 1e-4};

    for (size_t k = 0; k < 3; k++) {
        const hd__pipe_cost cost = beside(&alone, slow[k], wakes[k]);
        const double best = best_of_all(&cost);
        size_t good = 0, model = 0, most = 0;

        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            uint64_t state = seed * 0x9e3779b97f4a7c15u;
            const hd__pipe_plan plan = measured_plan(&alone, &state);
            size_t runs;

            model += hd__pipe_predict(&plan, &cost, UNITS, BUFFERS) <= 1.03 * best;
            good += decided(plan, &cost, &state, &runs) <= 1.03 * best;
            most = runs > most ? runs : most;
        }
        test_note("stages %.1f times slower: %zu of %d by the model, %zu after at most %zu runs",
                  slow[k], model, SEEDS, good, most);
        CHECK(good >= SEEDS * 97 / 100);
        CHECK(most <= 40);
    }
}

TEST_MAIN
