/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: any bytes as JSON. What is read and printed reads as the same again; every value can
 * be asked for everything; what is not read gives one line.
 */
#define _POSIX_C_SOURCE 200809L

#include "fuzz.h"

#include "../../src/io/json.h"

static char *fuzz_print(const hd__json *value, size_t *size_out)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, size_out);

    FUZZ_MUST(to != NULL);
    hd__json_print(value, to);
    FUZZ_MUST(fclose(to) == 0);
    return text;
}

static void fuzz_ask(void *context, const char *key, const hd__json *value)
{
    double number = 0;

    (void)context;
    FUZZ_MUST(key != NULL && value != NULL);
    if (hd__json_whole(value) > 0)
        FUZZ_MUST(hd__json_number(value, &number) && number >= 1);
    for (size_t i = 0; i < hd__json_length(value); i++)
        fuzz_ask(context, "", hd__json_at(value, i));
    FUZZ_MUST(hd__json_text(value, "") != NULL);
    hd__json_each(value, fuzz_ask, context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[HD__IO_MESSAGE], *once, *twice;
    hd__json *tree = hd__json_read_text((const char *)data, size, message), *again;
    size_t length = 0;

    if (!tree) {
        fuzz_check_message(message, sizeof message, "");
        return 0;
    }
    fuzz_ask(NULL, "", tree);
    once = fuzz_print(tree, &length);
    again = hd__json_read_text(once, length, message);
    FUZZ_MUST(again != NULL);
    twice = fuzz_print(again, &length);
    FUZZ_MUST(strcmp(once, twice) == 0);
    free(once);
    free(twice);
    hd__json_free(tree);
    hd__json_free(again);
    return 0;
}
