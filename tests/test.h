/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small list of tests for one program, in C11 (C++17 reads it too).
 *
 *     #include "test.h"
 *
 *     TEST(addition) {
 *         CHECK_EQ_I64(1 + 1, 2);
 *     }
 *
 *     TEST_MAIN
 *
 * A test program is one source file. Its tests register themselves before main and run in the order
 * of the file. Arguments select tests by name, or by a prefix that ends in '*'; --list prints the
 * names. A CHECK that fails prints its location, text and both values, and the test continues;
 * a failed REQUIRE leaves the enclosing function, which must return void. Checks may run on several
 * threads; SKIP and REQUIRE only leave the function that contains them.
 *
 * Exit status: 0 passed, 1 a test failed, 2 an argument names no test, 77 every test was skipped.
 */
#ifndef HEDDLE_TESTS_TEST_H
#define HEDDLE_TESTS_TEST_H

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define TEST_PRINTED_FAILURES 20
/* alarm(TEST_HANG_SECONDS) ends a process that hangs; even on a busy machine tests take much
   less. */
#define TEST_HANG_SECONDS 600
#define TEST_UNUSED __attribute__((unused))

typedef struct test_case {
    const char *name;
    void (*run)(void);
    struct test_case *next;
    int selected;
} test_case;

typedef struct test_state {
    test_case *first;
    test_case *last;
    int failures; /* failures of the running test; any thread may add to it */
    int skipped;
    char why[256];
} test_state;

static test_state test_now;

TEST_UNUSED static void test_register(test_case *entry)
{
    if (test_now.last != NULL)
        test_now.last->next = entry;
    else
        test_now.first = entry;
    test_now.last = entry;
}

/* Counts a failure and prints it, unless this test has already printed the maximum number. */
TEST_UNUSED __attribute__((format(printf, 3, 4))) static void test_fail(const char *file, int line,
                                                                        const char *format, ...)
{
    int earlier = __atomic_fetch_add(&test_now.failures, 1, __ATOMIC_RELAXED);
    char text[1024];
    va_list args;

    if (earlier == TEST_PRINTED_FAILURES)
        printf("  ... further failures of this test are counted, not printed\n");
    if (earlier >= TEST_PRINTED_FAILURES)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printf("  %s:%d: %s\n", file, line, text);
}

TEST_UNUSED __attribute__((format(printf, 1, 2))) static void test_note(const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printf("  note: %s\n", text);
}

TEST_UNUSED static void test_skip(const char *why)
{
    test_now.skipped = 1;
    snprintf(test_now.why, sizeof test_now.why, "%s", why);
}

TEST_UNUSED static int test_true(const char *file, int line, const char *text, int holds)
{
    if (!holds)
        test_fail(file, line, "does not hold: %s", text);
    return holds;
}

TEST_UNUSED static int test_eq_i64(const char *file, int line, const char *a_text,
                                   const char *b_text, int64_t a, int64_t b)
{
    if (a != b)
        test_fail(file, line, "%s == %s: %" PRId64 " against %" PRId64, a_text, b_text, a, b);
    return a == b;
}

TEST_UNUSED static int test_eq_u64(const char *file, int line, const char *a_text,
                                   const char *b_text, uint64_t a, uint64_t b)
{
    if (a != b)
        test_fail(file, line,
                  "%s == %s: %" PRIu64 " (0x%" PRIx64 ") against %" PRIu64 " (0x%" PRIx64 ")",
                  a_text, b_text, a, a, b, b);
    return a == b;
}

TEST_UNUSED static int test_eq_str(const char *file, int line, const char *a_text,
                                   const char *b_text, const char *a, const char *b)
{
    int same = a != NULL && b != NULL ? strcmp(a, b) == 0 : a == b;

    if (!same)
        test_fail(file, line, "%s == %s:\n    \"%s\" against\n    \"%s\"", a_text, b_text,
                  a != NULL ? a : "(null)", b != NULL ? b : "(null)");
    return same;
}

TEST_UNUSED static int test_eq_f32_bits(const char *file, int line, const char *a_text,
                                        const char *b_text, float a, float b)
{
    uint32_t a_bits, b_bits;

    memcpy(&a_bits, &a, sizeof a_bits);
    memcpy(&b_bits, &b, sizeof b_bits);
    if (a_bits != b_bits)
        test_fail(file, line,
                  "bits of %s == %s: %.9g (0x%08" PRIx32 ") against %.9g (0x%08" PRIx32 ")", a_text,
                  b_text, (double)a, a_bits, (double)b, b_bits);
    return a_bits == b_bits;
}

TEST_UNUSED static int test_eq_f64_bits(const char *file, int line, const char *a_text,
                                        const char *b_text, double a, double b)
{
    uint64_t a_bits, b_bits;

    memcpy(&a_bits, &a, sizeof a_bits);
    memcpy(&b_bits, &b, sizeof b_bits);
    if (a_bits != b_bits)
        test_fail(file, line,
                  "bits of %s == %s: %.17g (0x%016" PRIx64 ") against %.17g (0x%016" PRIx64 ")",
                  a_text, b_text, a, a_bits, b, b_bits);
    return a_bits == b_bits;
}

/* A NaN as either value or as the bound is never near; equal infinities are near. */
TEST_UNUSED static int test_near(const char *file, int line, const char *a_text, const char *b_text,
                                 double a, double b, double bound)
{
    double distance = a < b ? b - a : a > b ? a - b : a <= b ? 0 : a - b;
    uint64_t a_bits, b_bits;

    if (distance <= bound)
        return 1;
    memcpy(&a_bits, &a, sizeof a_bits);
    memcpy(&b_bits, &b, sizeof b_bits);
    test_fail(file, line,
              "%s near %s: %.17g (0x%016" PRIx64 ") against %.17g (0x%016" PRIx64
              "), apart by %.3g, bound %.3g",
              a_text, b_text, a, a_bits, b, b_bits, distance, bound);
    return 0;
}

TEST_UNUSED static int test_status(const char *file, int line, const char *text,
                                   const char *expected_text, int status, int expected)
{
    if (status != expected)
        test_fail(file, line, "%s returned %d, expected %s = %d", text, status, expected_text,
                  expected);
    return status == expected;
}

/* Marks the tests that the argument selects. Returns their number. */
TEST_UNUSED static int test_select(const char *pattern)
{
    size_t length = strlen(pattern);
    int prefix = length > 0 && pattern[length - 1] == '*';
    int found = 0;
    test_case *test;

    for (test = test_now.first; test != NULL; test = test->next) {
        if (prefix ? strncmp(test->name, pattern, length - 1) == 0
                   : strcmp(test->name, pattern) == 0) {
            test->selected = 1;
            found++;
        }
    }
    return found;
}

/* Runs one test and prints its line. counts: passed, failed, skipped. */
TEST_UNUSED static void test_run(test_case *test, int counts[3])
{
    test_now.failures = 0;
    test_now.skipped = 0;
    test->run();
    if (test_now.failures > 0) {
        printf("FAIL %s\n", test->name);
        counts[1]++;
    } else if (test_now.skipped) {
        printf("skip %s: %s\n", test->name, test_now.why);
        counts[2]++;
    } else {
        printf("ok %s\n", test->name);
        counts[0]++;
    }
}

TEST_UNUSED static int test_main(int argc, char **argv)
{
    int counts[3] = {0, 0, 0};
    int list = argc > 1 && strcmp(argv[1], "--list") == 0;
    test_case *test;
    int i;

    /* Line-buffered, so that a test that crashes the program does not lose earlier lines. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (argc < 2 || list)
        test_select("*");
    for (i = 1; i < argc && !list; i++) {
        if (test_select(argv[i]) == 0) {
            fprintf(stderr, "%s: no test is named %s\n", argv[0], argv[i]);
            return 2;
        }
    }
    for (test = test_now.first; test != NULL; test = test->next) {
        if (list)
            printf("%s\n", test->name);
        else if (test->selected)
            test_run(test, counts);
    }
    if (list)
        return 0;
    printf("%d passed, %d failed, %d skipped\n", counts[0], counts[1], counts[2]);
    if (counts[1] > 0)
        return 1;
    return counts[0] == 0 && counts[2] > 0 ? 77 : 0;
}

#define TEST(name)                                                                                 \
    static void test_body_##name(void);                                                            \
    __attribute__((constructor)) static void test_register_##name(void)                            \
    {                                                                                              \
        static test_case entry = {#name, test_body_##name, NULL, 0};                               \
        test_register(&entry);                                                                     \
    }                                                                                              \
    static void test_body_##name(void)

#define TEST_MAIN                                                                                  \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return test_main(argc, argv);                                                              \
    }

/* Every check is an expression: 1 when it holds, 0 when it was counted as a failure.
   "| 0" lets integers through and turns a floating point argument into a compile error. */
#define CHECK(cond) test_true(__FILE__, __LINE__, #cond, (cond) ? 1 : 0)
#define CHECK_EQ_I64(a, b)                                                                         \
    test_eq_i64(__FILE__, __LINE__, #a, #b, (int64_t)((a) | 0), (int64_t)((b) | 0))
#define CHECK_EQ_U64(a, b)                                                                         \
    test_eq_u64(__FILE__, __LINE__, #a, #b, (uint64_t)((a) | 0), (uint64_t)((b) | 0))
#define CHECK_EQ_SIZE(a, b) CHECK_EQ_U64(a, b)
#define CHECK_EQ_STR(a, b) test_eq_str(__FILE__, __LINE__, #a, #b, (a), (b))
#define CHECK_EQ_F32_BITS(a, b) test_eq_f32_bits(__FILE__, __LINE__, #a, #b, (a), (b))
#define CHECK_EQ_F64_BITS(a, b) test_eq_f64_bits(__FILE__, __LINE__, #a, #b, (a), (b))
#define CHECK_NEAR(a, b, bound)                                                                    \
    test_near(__FILE__, __LINE__, #a, #b, (double)(a), (double)(b), (double)(bound))
#define CHECK_STATUS(call, expected)                                                               \
    test_status(__FILE__, __LINE__, #call, #expected, (int)(call), (int)(expected))

#define REQUIRE(cond)                                                                              \
    do {                                                                                           \
        if (!test_true(__FILE__, __LINE__, #cond, (cond) ? 1 : 0))                                 \
            return;                                                                                \
    } while (0)

/* Leaves the test, which counts as skipped unless a check has failed. */
#define SKIP(why)                                                                                  \
    do {                                                                                           \
        test_skip(why);                                                                            \
        return;                                                                                    \
    } while (0)

#define NOTE(...) test_note(__VA_ARGS__)

#endif
