/* SPDX-License-Identifier: Apache-2.0 */
/* test_tune.c - hd_tune_*: what is rejected and what is chosen, the search, the file with all that
   can be wrong with it, and what HEDDLE_TUNE selects.
   labels: once alone */
#include "test.h"

#include <heddle/heddle.h>
#include <heddle/reduce.h>
#include <heddle/tune.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "drivers/tune/choice.h"
#include "drivers/tune/problem.h"
#include "drivers/tune/store.h"

/* Choices of heddle's primitives are checked with types for which none are shipped. */

/* ---- a kernel whose candidates behave as their values say ------------------------------------ */

enum { FAST, SLOW, OTHER_BIT, FAILS, SHORT, BEHAVIOURS };

typedef struct subject {
    unsigned char *out;
    size_t runs, prepared;
    int unstable;
} subject;

static hd_status prepare(void *state, size_t size, hd_stream *stream)
{
    subject *s = state;
    (void)stream;
    s->prepared++;
    HD_TRY(hd_free(s->out));
    s->out = NULL;
    return hd_alloc_bytes((void **)&s->out, size, 1, HD_MEM_DEVICE, 0);
}

static hd_status result(void *state, size_t size, void **memory, size_t *bytes)
{
    *memory = ((subject *)state)->out;
    *bytes = size;
    return HD_OK;
}

static hd_status fill(subject *s, size_t size, unsigned times, hd_stream *stream)
{
    for (unsigned i = 0; i < times; i++)
        HD_TRY(hd_fill_bytes(s->out, 7, 1, size, stream));
    return HD_OK;
}

static hd_status behave(void *state, size_t size, const unsigned *values, hd_stream *stream)
{
    subject *s = state;
    s->runs++;
    HD_TRY(fill(s, size - (values[0] == SHORT), values[0] == SLOW ? 300 : 1, stream));
    if (values[0] == OTHER_BIT || s->unstable)
        return hd_fill_bytes(s->out + size / 2, s->unstable ? (uint32_t)s->runs : 6, 1, 1, stream);
    return values[0] == FAILS ? HD_ERR_LAUNCH_CONFIG : HD_OK;
}

static const unsigned behaviours[] = {SLOW, FAST, OTHER_BIT, FAILS, SHORT};
static const hd_tune_knob behaviour[] = {{"behaviour", behaviours, BEHAVIOURS}};
static const size_t sizes[] = {70001, 90000};

static hd_tune_kernel kernel_of(subject *s)
{
    const hd_tune_kernel kernel = {.name = "test.subject",
                                   .source = "1",
                                   .type = "u8",
                                   .knobs = behaviour,
                                   .knob_count = 1,
                                   .prepare = prepare,
                                   .run = behave,
                                   .result = result,
                                   .state = s};
    return kernel;
}

static hd_tune_options options_of(void)
{
    const hd_tune_options options = {.sizes = sizes, .size_count = 2, .rounds = 5};
    return options;
}

/* Heddle must not be used before a fork: each test is a child. 0 if it passed. */
static int in_child(void (*body)(void), const char *mode, const char *file)
{
    int status = 0;
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        test_now.failures = 0;
        if (mode)
            (void)setenv("HEDDLE_TUNE", mode, 1);
        else
            (void)unsetenv("HEDDLE_TUNE");
        if (file)
            (void)setenv("HEDDLE_TUNE_FILE", file, 1);
        body();
        (void)fflush(stdout);
        _exit(test_now.failures != 0);
    }
    return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

/* ---- what is rejected, what is chosen -------------------------------------------------------- */

static void verdicts(void)
{
    subject s = {0};
    const hd_tune_kernel kernel = kernel_of(&s);
    const hd_tune_options options = options_of();
    hd_tune_result *r = NULL;
    hd_stream *stream = NULL;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    REQUIRE(hd_tune_measure(&kernel, &options, stream, &r) == HD_OK);
    CHECK_EQ_U64(r->count, BEHAVIOURS);
    CHECK_EQ_U64(r->space, BEHAVIOURS);
    CHECK_EQ_I64(r->searched, 0);
    CHECK_EQ_I64(r->candidates[0].verdict, HD_TUNE_MEASURED);
    CHECK_EQ_I64(r->candidates[1].verdict, HD_TUNE_MEASURED);
    CHECK_EQ_I64(r->candidates[2].verdict, HD_TUNE_DIFFERS);
    CHECK(strstr(r->candidates[2].why, "byte 35000 of 70001") != NULL);
    CHECK_EQ_U64(r->candidates[2].rejected_size, 70001);
    CHECK_EQ_I64(r->candidates[3].verdict, HD_TUNE_FAILED);
    CHECK_EQ_STR(r->candidates[3].why, hd_status_text(HD_ERR_LAUNCH_CONFIG));
    CHECK_EQ_I64(r->candidates[4].verdict, HD_TUNE_DIFFERS); /* its last byte is not written */
    CHECK_EQ_U64(r->chosen, 1);
    CHECK(r->candidates[1].speedup > 2);
    CHECK(r->candidates[2].speedup == 0);
    for (int size = 0; size < 2; size++) {
        CHECK(r->candidates[1].seconds[size] > 0);
        CHECK(r->candidates[2].seconds[size] == 0); /* rejected before it was timed */
    }
    CHECK_EQ_U64(s.prepared, 4); /* two sizes, and again to confirm the choice */
    CHECK_STATUS(hd_tune_result_destroy(r), HD_OK);

    s.unstable = 1;
    CHECK_STATUS(hd_tune_measure(&kernel, &options, stream, &r), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "two runs of the default differ") != NULL);
    CHECK_STATUS(hd_free(s.out), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

TEST(rejects_and_chooses)
{
    CHECK_EQ_I64(in_child(verdicts, NULL, NULL), 0);
}

/* FAST makes no sense at the second size. */
static int accepts_first(void *state, size_t size, const unsigned *values)
{
    (void)state;
    return values[0] != FAST || size == sizes[0];
}

static hd_status behave_if_accepted(void *state, size_t size, const unsigned *values,
                                    hd_stream *stream)
{
    CHECK(accepts_first(state, size, values));
    return behave(state, size, values, stream);
}

static void accepted_sizes(void)
{
    subject s = {0};
    hd_tune_kernel kernel = kernel_of(&s);
    const hd_tune_options options = options_of();
    hd_tune_result *r = NULL;
    hd_stream *stream = NULL;
    kernel.run = behave_if_accepted;
    kernel.accepts = accepts_first;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    REQUIRE(hd_tune_measure(&kernel, &options, stream, &r) == HD_OK);
    const hd_tune_candidate *fast = &r->candidates[1];
    CHECK_EQ_I64(fast->verdict, HD_TUNE_MEASURED);
    CHECK(fast->seconds[0] < r->candidates[0].seconds[0]);
    CHECK(fast->seconds[1] > 0);
    CHECK(fast->speedup > 1.1); /* at one size; 1 at the other */
    CHECK_STATUS(hd_tune_result_destroy(r), HD_OK);
    CHECK_STATUS(hd_free(s.out), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

TEST(runs_accepted_sizes_only)
{
    CHECK_EQ_I64(in_child(accepted_sizes, NULL, NULL), 0);
}

/* Three knobs of ten values: 1000 combinations. The best is 7, 3, 5; each step away from it takes
   1.4 times as long. */
static int from_best(const unsigned *values)
{
    return abs((int)values[0] - 7) + abs((int)values[1] - 3) + abs((int)values[2] - 5);
}

static hd_status hilly(void *state, size_t size, const unsigned *values, hd_stream *stream)
{
    const int far = from_best(values);
    struct timespec pause = {0, 100000};
    for (int i = 0; i < far; i++)
        pause.tv_nsec += pause.tv_nsec * 2 / 5;
    (void)nanosleep(&pause, NULL);
    return fill(state, size, 1, stream);
}

static int accepts_even(void *state, size_t size, const unsigned *values)
{
    (void)state;
    (void)size;
    return values[2] != 9;
}

static void search(void)
{
    static const unsigned ten[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const hd_tune_knob knobs[] = {{"a", ten, 10}, {"b", ten, 10}, {"c", ten, 10}};
    subject s = {0};
    hd_tune_kernel kernel = kernel_of(&s);
    hd_tune_options options = options_of();
    hd_tune_result *r = NULL;
    hd_stream *stream = NULL;
    options.size_count = 1;
    kernel.knobs = knobs;
    kernel.knob_count = 3;
    kernel.run = hilly;
    kernel.accepts = accepts_even;
    options.seconds = 60; /* the candidates are the limit, not the time */
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    for (int try = 0; try < 5; try++) { /* a busy machine may mislead one search */
        if (try > 0)
            CHECK_STATUS(hd_tune_result_destroy(r), HD_OK);
        REQUIRE(hd_tune_measure(&kernel, &options, stream, &r) == HD_OK);
        if (from_best(r->candidates[r->chosen].values) <= 5)
            break;
    }
    CHECK(from_best(r->candidates[r->chosen].values) <= 5);
    CHECK_EQ_I64(r->searched, 1);
    CHECK_EQ_U64(r->space, 1000);
    CHECK(r->count > 10 && r->count <= 200);
    CHECK(r->chosen != 0);
    for (size_t i = 0; i < r->count; i++)
        CHECK(r->candidates[i].values[2] != 9);
    CHECK_STATUS(hd_tune_result_destroy(r), HD_OK);
    options.candidates_max = 9; /* the budget */
    REQUIRE(hd_tune_measure(&kernel, &options, stream, &r) == HD_OK);
    CHECK_EQ_U64(r->count, 9);
    CHECK_STATUS(hd_tune_result_destroy(r), HD_OK);
    CHECK_STATUS(hd_free(s.out), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

TEST(searches_large_spaces)
{
    CHECK_EQ_I64(in_child(search, NULL, NULL), 0);
}

static void refusals(void)
{
    subject s = {0};
    const hd_tune_kernel kernel = kernel_of(&s);
    const hd_tune_options options = options_of();
    const size_t zero = 0;
    char long_source[HD_TUNE_SOURCE_MAX + 1] = "";
    const double negative[] = {1, -1};
    hd_tune_result *r = NULL;
    hd_stream *stream = NULL;
    memset(long_source, 'x', HD_TUNE_SOURCE_MAX);
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    CHECK_STATUS(hd_tune_measure(NULL, &options, stream, &r), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_tune_measure(&kernel, NULL, stream, &r), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_tune_measure(&kernel, &options, NULL, &r), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_tune_measure(&kernel, &options, stream, NULL), HD_ERR_ARGUMENT);
#define REFUSED(member, value)                                                                     \
    do {                                                                                           \
        hd_tune_kernel k = kernel;                                                                 \
        k.member = value;                                                                          \
        CHECK_STATUS(hd_tune_measure(&k, &options, stream, &r), HD_ERR_ARGUMENT);                  \
    } while (0)
    REFUSED(name, NULL);
    REFUSED(name, "");
    REFUSED(name, "two words");
    REFUSED(name, "0123456789012345678901234567890123456789012345678901234567890123");
    REFUSED(type, "a\nb");
    REFUSED(source, long_source);
    REFUSED(source, "a\nb");
    REFUSED(knobs, NULL);
    REFUSED(knob_count, 0);
    REFUSED(knob_count, HD_TUNE_KNOBS_MAX + 1);
    REFUSED(run, NULL);
    REFUSED(result, NULL);
#define REFUSED_OPTION(member, value)                                                              \
    do {                                                                                           \
        hd_tune_options o = options;                                                               \
        o.member = value;                                                                          \
        CHECK_STATUS(hd_tune_measure(&kernel, &o, stream, &r), HD_ERR_ARGUMENT);                   \
    } while (0)
    REFUSED_OPTION(sizes, NULL);
    REFUSED_OPTION(sizes, &zero);
    REFUSED_OPTION(size_count, 0);
    REFUSED_OPTION(size_count, HD_TUNE_SIZES_MAX + 1);
    REFUSED_OPTION(weights, negative);
    REFUSED_OPTION(rounds, HD_TUNE_ROUNDS_MAX + 1u);
    REFUSED_OPTION(seconds, -1);
    REFUSED_OPTION(gain, -1);
    CHECK(r == NULL);
    CHECK_EQ_U64(s.runs, 0);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

TEST(refuses_bad_descriptions)
{
    CHECK_EQ_I64(in_child(refusals, NULL, NULL), 0);
}

/* ---- the file -------------------------------------------------------------------------------- */

static char folder[] = "/tmp/heddle-tune.XXXXXX", file[64], lock[80];

static int begin_folder(void)
{
    if (folder[sizeof folder - 2] == 'X' && !mkdtemp(folder))
        return 0;
    (void)snprintf(file, sizeof file, "%s/tune.json", folder);
    (void)snprintf(lock, sizeof lock, "%s.lock", file);
    return 1;
}

static void write_file(const char *text)
{
    FILE *to = fopen(file, "w");
    REQUIRE(to != NULL);
    (void)fputs(text, to);
    (void)fclose(to);
}

static int file_is(const char *text)
{
    char got[4096] = "";
    FILE *from = fopen(file, "r");
    if (!from)
        return 0;
    got[fread(got, 1, sizeof got - 1, from)] = '\0';
    (void)fclose(from);
    return strcmp(got, text) == 0;
}

/* A result that chose `chosen`, as if it had been measured. */
static hd_status store(const hd_tune_kernel *kernel, unsigned chosen, size_t size)
{
    hd_tune_candidate candidates[2];
    hd_tune_result r = {.candidates = candidates, .count = 2, .chosen = 1, .size_count = 1};
    memset(candidates, 0, sizeof candidates);
    for (size_t k = 0; k < kernel->knob_count; k++)
        candidates[0].values[k] = candidates[1].values[k] = kernel->knobs[k].values[0];
    candidates[1].values[0] = chosen;
    candidates[1].speedup = 1.5;
    r.sizes[0] = size;
    return hd_tune_store(kernel, &r);
}

static unsigned choose(const hd_tune_kernel *kernel, size_t size)
{
    hd_stream *stream = NULL;
    unsigned values[HD_TUNE_KNOBS_MAX] = {99};
    CHECK_STATUS(hd_stream_create(0, &stream), HD_OK);
    CHECK_STATUS(hd_tune_choose(kernel, size, stream, values), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
    return values[0];
}

static void stores(void)
{
    subject s = {0};
    hd_tune_kernel kernel = kernel_of(&s);
    CHECK_STATUS(store(&kernel, FAST, 70000), HD_OK);
    kernel.type = "a \"quoted\\ type"; /* not allowed: a blank */
    CHECK_STATUS(store(&kernel, FAST, 70000), HD_ERR_ARGUMENT);
    CHECK_EQ_STR(hd_error_last()->call, "hd_tune_store");
    kernel.type = "\"quoted\\";
    CHECK_STATUS(store(&kernel, FAST, 70000), HD_OK);
    kernel = kernel_of(&s);
    kernel.name = "test.other";
    CHECK_STATUS(store(&kernel, FAST, 5), HD_OK);
    CHECK_STATUS(store(&kernel, SLOW, 6), HD_OK); /* replaces it */
    hd__tune_problem p;
    hd__tune_problem_open(&p, HD__TUNE_REDUCE, HD_U16, 0, 0);
    CHECK_STATUS(store(&p.kernel, 2, 10000), HD_OK);
    CHECK_EQ_U64(choose(&kernel, 70000), SLOW); /* without HEDDLE_TUNE=read: the default */
    CHECK_EQ_U64(hd__tune_choose(HD__TUNE_REDUCE, 0, HD_U16, 10000, 0).of[0], 0);
}

static void reads(void)
{
    subject s = {0};
    hd_tune_kernel kernel = kernel_of(&s);
    CHECK_EQ_U64(choose(&kernel, 70000), FAST);
    CHECK_EQ_U64(choose(&kernel, 65536), FAST); /* the same powers of 4 */
    CHECK_EQ_U64(choose(&kernel, 262143), FAST);
    CHECK_EQ_U64(choose(&kernel, 65535), SLOW); /* others */
    CHECK_EQ_U64(choose(&kernel, 262144), SLOW);
    kernel.source = "2";
    CHECK_EQ_U64(choose(&kernel, 70000), SLOW);
    kernel.source = "1";
    kernel.type = "f32";
    CHECK_EQ_U64(choose(&kernel, 70000), SLOW);
    kernel.type = "\"quoted\\";
    CHECK_EQ_U64(choose(&kernel, 70000), FAST);
    CHECK_EQ_U64(s.runs, 0);
    CHECK_EQ_U64(hd__tune_choose(HD__TUNE_REDUCE, 0, HD_U16, 10000, 0).of[0], 2);
    CHECK_EQ_U64(hd__tune_choose(HD__TUNE_REDUCE, 0, HD_U16, 20000, 0).of[0], 0);
    CHECK_EQ_U64(hd__tune_choose(HD__TUNE_REDUCE, 1, HD_U16, 10000, 0).of[0], 0);
    CHECK_EQ_U64(hd__tune_choose(HD__TUNE_REDUCE, 0, HD_I16, 10000, 0).of[0], 0);
    CHECK_EQ_U64(hd__tune_choose(HD__TUNE_SCAN, 0, HD_U64, 10000, 0).of[0], 0);
}

static void is_off(void)
{
    subject s = {0};
    const hd_tune_kernel kernel = kernel_of(&s);
    CHECK_EQ_U64(choose(&kernel, 70000), SLOW);
    CHECK_EQ_U64(hd__tune_choose(HD__TUNE_REDUCE, 0, HD_U16, 10000, 0).of[0], 0);
    CHECK_EQ_U64(atomic_load(&hd__tune_state), 0); /* drivers ask no further */
}

static void resets(void)
{
    size_t removed = 0;
    CHECK_STATUS(hd_tune_reset("test.other", &removed), HD_OK);
    CHECK_EQ_U64(removed, 1);
    CHECK_STATUS(hd_tune_reset(NULL, &removed), HD_OK);
    CHECK_EQ_U64(removed, 3);
}

static int can_read(void)
{
    hd__tune_entries entries;
    const hd_status status = hd__tune_read("test", file, &entries);
    hd__tune_entries_free(&entries);
    return status != HD_ERR_UNSUPPORTED;
}

static void needs_library(void)
{
    write_file("{}");
    test_now.failures += can_read();
}

TEST(stores_and_reads)
{
    REQUIRE(begin_folder());
    if (in_child(needs_library, NULL, file) == 0)
        SKIP("libjansson is missing");
    (void)unlink(file);
    CHECK_EQ_I64(in_child(stores, NULL, file), 0);
    CHECK_EQ_I64(in_child(reads, "read", file), 0);
    CHECK_EQ_I64(in_child(is_off, "off", file), 0);
    CHECK_EQ_I64(in_child(resets, NULL, file), 0);
}

static void measures_now(void)
{
    subject s = {0};
    const hd_tune_kernel kernel = kernel_of(&s);
    CHECK_EQ_U64(choose(&kernel, 70000), FAST);
    const size_t runs = s.runs;
    CHECK(runs > 20);
    CHECK_EQ_U64(choose(&kernel, 70000), FAST); /* remembered */
    CHECK_EQ_U64(s.runs, runs);
}

TEST(measures_now)
{
    REQUIRE(begin_folder());
    (void)unlink(file);
    CHECK_EQ_I64(in_child(measures_now, "now", file), 0);
    CHECK_EQ_I64(access(file, R_OK), 0);
}

/* The standard error of the child is one line with `wanted`. */
static const char *body_wanted;
static void (*body_of)(void);
static void one_line(void)
{
    char name[80], line[1024] = "", more[8];
    (void)snprintf(name, sizeof name, "%s/err", folder);
    REQUIRE(freopen(name, "w+", stderr) != NULL);
    body_of();
    rewind(stderr);
    CHECK(fgets(line, sizeof line, stderr) != NULL);
    if (!strstr(line, body_wanted))
        test_fail(__FILE__, __LINE__, "'%s' is not in '%s'", body_wanted, line);
    CHECK(fgets(more, sizeof more, stderr) == NULL);
}

/* Defaults, and a call that would store refuses with that status and changes nothing. */
static hd_status refused_with;
static void defaults_only(void)
{
    subject s = {0};
    const hd_tune_kernel kernel = kernel_of(&s);
    CHECK_EQ_U64(choose(&kernel, 70000), SLOW);
    CHECK_EQ_U64(choose(&kernel, 90000), SLOW);
    CHECK_EQ_U64(hd__tune_choose(HD__TUNE_REDUCE, 0, HD_U16, 10000, 0).of[0], 0);
    CHECK_STATUS(store(&kernel, FAST, 70000), refused_with);
    CHECK(strstr(hd_error_last()->message, file) != NULL);
}

static void check_damaged(const char *text, const char *wanted)
{
    write_file(text);
    body_of = defaults_only;
    body_wanted = wanted;
    refused_with = HD_ERR_FORMAT;
    CHECK_EQ_I64(in_child(one_line, "read", file), 0);
    CHECK(file_is(text));
}

TEST(damaged_files)
{
    REQUIRE(begin_folder());
    if (in_child(needs_library, NULL, file) == 0)
        SKIP("libjansson is missing");
    check_damaged("", "is damaged");
    check_damaged("{\"format\": \"heddle-tune\", \"version\": 1, \"choices\": [", "is damaged");
    check_damaged("[1, 2]", "is not a file of tuned choices");
    check_damaged("{\"format\": \"other\", \"version\": 1}", "is not a file of tuned choices");
    check_damaged("{\"format\": \"heddle-tune\", \"version\": 2, \"choices\": []}",
                  "has version 2; this heddle reads version 1");
    check_damaged("{\"format\": \"heddle-tune\", \"version\": 1, \"choices\": [{\"name\": 3}]}",
                  "choice 1 is incomplete");
    check_damaged("{\"format\": \"heddle-tune\", \"version\": 1, \"choices\": [{\"name\": \"x\", "
                  "\"type\": \"\", \"from\": 5, \"values\": {\"a\": 1}, \"source\": \"\", "
                  "\"compiler\": \"\", \"device\": \"\", \"driver\": \"\"}]}",
                  "choice 1 is incomplete");
}

/* The value 3 is none of the knob's. */
static void edits(void)
{
    hd__tune_problem p;
    hd__tune_problem_open(&p, HD__TUNE_REDUCE, HD_U16, 0, 0);
    CHECK_STATUS(store(&p.kernel, 3, 10000), HD_OK);
}

static void ignores(void)
{
    CHECK_EQ_U64(hd__tune_choose(HD__TUNE_REDUCE, 0, HD_U16, 10000, 0).of[0], 0);
}

TEST(unknown_values_are_ignored)
{
    REQUIRE(begin_folder());
    if (in_child(needs_library, NULL, file) == 0)
        SKIP("libjansson is missing");
    (void)unlink(file);
    CHECK_EQ_I64(in_child(edits, NULL, file), 0);
    body_of = ignores;
    body_wanted = "not one of its knob";
    CHECK_EQ_I64(in_child(one_line, "read", file), 0);
    body_wanted = "HEDDLE_TUNE=maybe: unknown; use off, read or now";
    CHECK_EQ_I64(in_child(one_line, "maybe", file), 0);
}

static void store_once(void)
{
    subject s = {0};
    const hd_tune_kernel kernel = kernel_of(&s);
    CHECK_STATUS(store(&kernel, FAST, 70000), refused_with);
}

TEST(locked_and_unwritable)
{
    REQUIRE(begin_folder());
    (void)unlink(file);
    const int held = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(held >= 0 && flock(held, LOCK_EX) == 0);
    refused_with = HD_ERR_TIMEOUT;
    CHECK_EQ_I64(in_child(store_once, NULL, file), 0);
    CHECK(access(file, F_OK) != 0);
    (void)close(held);
    refused_with = HD_OK;
    CHECK_EQ_I64(in_child(store_once, NULL, file), 0);
    refused_with = HD_ERR_IO;
    CHECK_EQ_I64(in_child(store_once, NULL, "/dev/null/tune.json"), 0);
    CHECK_EQ_I64(in_child(store_once, NULL, folder), 0);
    (void)unlink(file);
    (void)unlink(lock);
}

/* Several processes at once: no choice is lost. */
enum { WRITERS = 4, CHOICES = 6 };
static unsigned writer;
static void write_many(void)
{
    for (unsigned i = 0; i < CHOICES; i++) {
        char name[16];
        subject s = {0};
        hd_tune_kernel kernel = kernel_of(&s);
        (void)snprintf(name, sizeof name, "w%u.%u", writer, i);
        kernel.name = name;
        CHECK_STATUS(store(&kernel, FAST, 70000), HD_OK);
    }
}

static void count_all(void)
{
    size_t removed = 0;
    CHECK_STATUS(hd_tune_reset(NULL, &removed), HD_OK);
    CHECK_EQ_U64(removed, WRITERS * CHOICES);
}

TEST(many_writers)
{
    pid_t children[WRITERS];
    REQUIRE(begin_folder());
    if (in_child(needs_library, NULL, file) == 0)
        SKIP("libjansson is missing");
    (void)unlink(file);
    (void)fflush(stdout);
    for (writer = 0; writer < WRITERS; writer++) {
        children[writer] = fork();
        if (children[writer] == 0)
            _exit(in_child(write_many, NULL, file));
    }
    for (int i = 0; i < WRITERS; i++) {
        int status = 1;
        CHECK(waitpid(children[i], &status, 0) == children[i] && status == 0);
    }
    CHECK_EQ_I64(in_child(count_all, NULL, file), 0);
    (void)unlink(file);
    (void)unlink(lock);
}

TEST_MAIN
