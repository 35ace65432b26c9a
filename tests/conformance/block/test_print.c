/* SPDX-License-Identifier: Apache-2.0 */
/* test_print.c - what kernels print arrives on standard output. */
#include <unistd.h>

#include "print.h"
#include "rig.h"

static int saved_stdout;
static FILE *captured;

static void capture_begin(void)
{
    fflush(stdout);
    captured = tmpfile();
    saved_stdout = dup(STDOUT_FILENO);
    dup2(fileno(captured), STDOUT_FILENO);
}

/* What was printed since capture_begin; the caller frees it. */
static char *capture_end(void)
{
    char *text;
    long size;

    fflush(stdout);
    dup2(saved_stdout, STDOUT_FILENO);
    close(saved_stdout);
    fseek(captured, 0, SEEK_END);
    size = ftell(captured);
    rewind(captured);
    text = rig_host((size_t)size + 1);
    text[fread(text, 1, (size_t)size, captured)] = 0;
    fclose(captured);
    return text;
}

TEST(every_thread_prints_its_line)
{
    char *text, line[128];
    hd_status status;
    unsigned b, t;
    size_t lines = 0, i;

    rig_open();
    capture_begin();
    status = hd_launch(say, rig_flat(3, 40), -17, 2.5);
    if (status == HD_OK)
        status = hd_stream_synchronize(rig_stream);
    if (status == HD_OK)
        status = hd_device_synchronize(0);
    text = capture_end();
    CHECK_STATUS(status, HD_OK);
    for (i = 0; text[i] != 0; i++)
        lines += text[i] == '\n';
    CHECK_EQ_SIZE(lines, 120);
    for (b = 0; b < 3; b++) {
        for (t = 0; t < 40; t++) {
            snprintf(line, sizeof line, "block %u thread %u number -17 value 2.500 100%% done\n", b,
                     t);
            CHECK(strstr(text, line) != NULL);
        }
    }
    free(text);
}

TEST(the_buffer_size_can_be_asked)
{
    size_t bytes = 0;

    rig_open();
    MUST(hd_device_printf_bytes(0, &bytes));
    CHECK(bytes >= 4096);
    CHECK_STATUS(hd_device_printf_bytes(0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_device_printf_bytes(99, &bytes), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_device_set_printf_bytes(99, bytes), HD_ERR_DEVICE_INDEX);
}

TEST_MAIN
