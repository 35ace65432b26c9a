/* SPDX-License-Identifier: Apache-2.0 */
/* test_error.c - statuses and the detail of the last error. */
#include <pthread.h>

#include "conformance/rig.h"
#include "runtime/backend.h"
#include "unit_kernels.h"

TEST(before_the_first_error)
{
    hd_error_clear();
    CHECK(hd_error_last() != NULL);
    CHECK_EQ_I64(hd_error_last()->status, HD_OK);
}

TEST(every_status_has_a_name_and_a_text)
{
#define NAMED(name, value, text)                                                                   \
    CHECK_EQ_STR(hd_status_name(name), #name);                                                     \
    CHECK_EQ_STR(hd_status_text(name), text);                                                      \
    CHECK_EQ_I64(name, value);
    HD_STATUS_LIST(NAMED)
#undef NAMED
    CHECK(hd_status_name((hd_status)-1000) != NULL);
    CHECK(hd_status_text((hd_status)12345) != NULL);
}

TEST(the_failing_call_is_named)
{
    void *p = (void *)1;
    char text[HD_ERROR_TEXT_MAX], tiny[8];

    hd_error_clear();
    CHECK_STATUS(hd_alloc_bytes(&p, 1, 1, HD_MEM_DEVICE, 12345), HD_ERR_DEVICE_INDEX);
    CHECK(p == (void *)1);
    CHECK_EQ_I64(hd_error_last()->status, HD_ERR_DEVICE_INDEX);
    CHECK_EQ_STR(hd_error_last()->call, "hd_alloc_bytes");
    CHECK(hd_error_last()->message != NULL && strlen(hd_error_last()->message) > 0);
    CHECK(strstr(hd_error_last()->message, "12345") != NULL);
    CHECK(hd_error_last()->backend_name != NULL);
    CHECK(hd_error_format(text, sizeof text) == text);
    CHECK(strstr(text, "HD_ERR_DEVICE_INDEX") == text);
    CHECK(strstr(text, "hd_alloc_bytes") != NULL);
    CHECK(strchr(text, '\n') == NULL);
    hd_error_format(tiny, sizeof tiny);
    CHECK_EQ_STR(tiny, "HD_E...");
}

/* The longest text: a message that is cut itself, behind a path that is. */
TEST(a_text_has_room_for_everything)
{
    static char message[4000], path[4000], text[HD_ERROR_TEXT_MAX], roomy[2 * HD_ERROR_TEXT_MAX];

    memset(message, 'm', sizeof message - 1);
    memset(path, 'p', sizeof path - 1);
    memcpy(path + sizeof path - 8, "/last.c", 8);
    CHECK_STATUS(hd__fail(HD_ERR_ILLEGAL_ADDRESS, "hd_mpi_jacobi_exchange_all_to_all_of_ranks",
                          "%s: the reason", message),
                 HD_ERR_ILLEGAL_ADDRESS);
    hd_error_place(HD_ERR_ILLEGAL_ADDRESS, path, INT32_MAX);
    hd_error_format(text, sizeof text);
    hd_error_format(roomy, sizeof roomy);
    CHECK_EQ_STR(text, roomy);
    CHECK(strstr(text, "/last.c:2147483647): mmm") != NULL);
    CHECK_EQ_STR(text + strlen(text) - 4, "m...");
    CHECK_EQ_STR(hd_error_format(roomy, 30) + 26, "...");
    CHECK_STATUS(hd__fail(HD_ERR_ARGUMENT, "hd_alloc_bytes", "%.1000s, allowed are 3", message),
                 HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_format(text, sizeof text), "m, allowed are 3") != NULL);
}

static hd_status fails_here(int *line)
{
    *line = __LINE__ + 1;
    HD_TRY(hd_stream_synchronize(NULL));
    return HD_OK;
}

static hd_status passes_it_on(int *line)
{
    HD_TRY(fails_here(line));
    return HD_OK;
}

static hd_status goes_to_its_label(void)
{
    hd_status status;

    HD_GOTO(status, out, hd_event_synchronize(NULL));
    status = HD_OK;
out:
    return status;
}

TEST(the_place_is_kept)
{
    int line = 0;

    hd_error_clear();
    CHECK_STATUS(fails_here(&line), HD_ERR_ARGUMENT);
    CHECK(hd_error_last()->file != NULL && strstr(hd_error_last()->file, "test_error.c") != NULL);
    CHECK_EQ_I64(hd_error_last()->line, line);
    CHECK_EQ_STR(hd_error_last()->call, "hd_stream_synchronize");
    CHECK_STATUS(passes_it_on(&line), HD_ERR_ARGUMENT); /* the innermost place */
    CHECK_EQ_I64(hd_error_last()->line, line);
    CHECK_STATUS(goes_to_its_label(), HD_ERR_ARGUMENT);
    CHECK_EQ_STR(hd_error_last()->call, "hd_event_synchronize");
    CHECK(hd_error_last()->line > 0);
}

TEST(success_keeps_the_last_error_and_clear_forgets_it)
{
    int count;

    CHECK_STATUS(hd_stream_synchronize(NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    CHECK_EQ_I64(hd_error_last()->status, HD_ERR_ARGUMENT);
    hd_error_clear();
    CHECK_EQ_I64(hd_error_last()->status, HD_OK);
}

static void *other_thread(void *seen)
{
    *(hd_status *)seen = hd_error_last()->status;
    hd_stream_query(NULL);
    return NULL;
}

TEST(errors_belong_to_their_thread)
{
    hd_status seen = HD_ERR_IO;
    pthread_t thread;
    int device;

    CHECK_STATUS(hd_device_select("nonsense", &device), HD_ERR_ARGUMENT);
    REQUIRE(pthread_create(&thread, NULL, other_thread, &seen) == 0);
    pthread_join(thread, NULL);
    CHECK_EQ_I64(seen, HD_OK);
    CHECK_EQ_STR(hd_error_last()->call, "hd_device_select");
}

TEST(a_launch_names_its_caller_and_kernel)
{
    hd_launch_config config;
    int line;

    rig_open();
    config = rig_flat(1, 100000);
    line = __LINE__ + 1;
    CHECK_STATUS(hd_launch(unit_poke, config, NULL), HD_ERR_LAUNCH_CONFIG);
    CHECK_EQ_I64(hd_error_last()->line, line);
    CHECK(strstr(hd_error_last()->file, "test_error.c") != NULL);
    CHECK(strstr(hd_error_last()->message, "unit_poke") != NULL);
    CHECK(strstr(hd_error_last()->message, "100000") != NULL);
}

TEST(versions)
{
    char text[32];

    snprintf(text, sizeof text, "%d.%d.%d", HD_VERSION_MAJOR, HD_VERSION_MINOR, HD_VERSION_PATCH);
    CHECK_EQ_STR(hd_version(), text);
    CHECK(strcmp(hd_backend_name(), "cpu") == 0 || strcmp(hd_backend_name(), "cuda") == 0 ||
          strcmp(hd_backend_name(), "hip") == 0);
}

TEST_MAIN
