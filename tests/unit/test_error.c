/* SPDX-License-Identifier: Apache-2.0 */
/* test_error.c - statuses and the detail of the last error. */
#include <pthread.h>

#include "conformance/rig.h"
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
    char text[512], tiny[8];

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
    CHECK(strlen(tiny) < sizeof tiny);
}

static hd_status fails_here(int *line)
{
    *line = __LINE__ + 1;
    HD_TRY(hd_stream_synchronize(NULL));
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
