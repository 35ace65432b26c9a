/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: any bytes as a .npy file. What opens must give exactly the bytes behind its header,
   whatever the sizes of the reads, and again after a rewind; what does not must say why. */
#include "fuzz.h"

#include "../../src/io/source.h"

/* Reads to the end in reads of `step` elements, and compares with the bytes of the file. */
static void fuzz_read(hd__source *source, const uint8_t *expected, size_t step)
{
    unsigned char buffer[8 * 64];
    char message[HD__IO_MESSAGE];
    size_t size = hd__io_type_size(hd__source_type(source)), done = 0, got;

    do {
        FUZZ_MUST(hd__source_read(source, buffer, step, &got, message) == 0);
        FUZZ_MUST(got <= step);
        FUZZ_MUST(memcmp(buffer, expected + done * size, got * size) == 0);
        done += got;
    } while (got == step);
    FUZZ_MUST(done == hd__source_count(source));
}

/* Every element has one place in the array, and there is none behind the last. */
static void fuzz_unravel(const hd__source *source)
{
    char text[HD__IO_INDEX];
    size_t count = hd__source_count(source), axes;

    hd__source_shape(source, &axes);
    FUZZ_MUST(axes <= HD__IO_MAX_AXES);
    FUZZ_MUST(hd__source_unravel(source, count, text) == HD__IO_ERR_ARGUMENT);
    if (count == 0)
        return;
    FUZZ_MUST(hd__source_unravel(source, count - 1, text) == 0);
    FUZZ_MUST(text[0] == '(' && text[strlen(text) - 1] == ')');
    FUZZ_MUST(hd__source_unravel(source, 0, text) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hd__source_options options = {.path = "fuzz.npy"};
    char message[HD__IO_MESSAGE];
    hd__source *source;
    size_t bytes;
    int status = hd__source_open_memory(data, size, &options, &source, message);

    if (status != 0) {
        FUZZ_MUST(status == HD__IO_ERR_CONTENT);
        fuzz_check_message(message, sizeof message, "fuzz.npy: ");
        return 0;
    }
    bytes = hd__source_count(source) * hd__io_type_size(hd__source_type(source));
    FUZZ_MUST(bytes <= size);
    fuzz_read(source, data + (size - bytes), 64);
    FUZZ_MUST(hd__source_rewind(source, message) == 0);
    fuzz_read(source, data + (size - bytes), 7);
    fuzz_unravel(source);
    hd__source_close(source);
    return 0;
}
