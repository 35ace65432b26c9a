/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that are loaded when they are asked for (src/base/library.c), by means of the
   system's own. */
#include "base/library.h"
#include "test.h"

static struct {
    double (*cos)(double);
    double (*hypot)(double, double);
    void (*none)(void);
} calls;

static const hd__library_name names[] = {
    {"cos", (void *)&calls.cos}, {"hypot", (void *)&calls.hypot}, {NULL, NULL}};
static const hd__library_name more_names[] = {
    {"cos", (void *)&calls.cos}, {"no_such_call", (void *)&calls.none}, {NULL, NULL}};

static hd_status load(const char *const *files, const hd__library_name *from, void **library)
{
    return hd__library_load("a call", "mathematics", files, from, library);
}

static int tells(const char *text)
{
    return strstr(hd_error_last()->message, text) != NULL;
}

TEST(the_first_that_there_is)
{
    const char *const files[] = {"libnowhere.so.1", "libm.so.6", NULL};
    const char *const none[] = {"libnowhere.so.1", NULL};
    void *library = NULL;
    CHECK_STATUS(load(files, names, &library), HD_OK);
    CHECK(library != NULL);
    CHECK(calls.cos(0) == 1 && calls.hypot(3, 4) == 5);
    CHECK_STATUS(load(none, more_names, &library), HD_OK); /* it is there */
}

TEST(a_file_that_there_is_not)
{
    const char *const files[] = {"libnowhere.so.1", "libnorhere.so.1", NULL};
    void *library = NULL;
    CHECK_STATUS(load(files, names, &library), HD_ERR_UNSUPPORTED);
    CHECK(library == NULL);
    CHECK(tells("mathematics: libnowhere.so.1: "));
    CHECK(!tells("libnorhere"));
}

TEST(a_name_that_it_lacks)
{
    const char *const files[] = {"libnowhere.so.1", "libm.so.6", NULL};
    void *library = NULL;
    CHECK_STATUS(load(files, more_names, &library), HD_ERR_UNSUPPORTED);
    CHECK(library == NULL);
    CHECK(tells("mathematics: libm.so.6 lacks no_such_call"));
}

TEST_MAIN
