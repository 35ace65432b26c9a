/* SPDX-License-Identifier: Apache-2.0 */
/* test_repeat_long.c - 10^4 operations and more. labels: slow several */
#include "repeat.h"

TEST(ten_thousand)
{
    repeat_rounds((unsigned)test_watched(1700, 40), NULL, run_threads);
}

TEST_MAIN
