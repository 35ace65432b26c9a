/* SPDX-License-Identifier: Apache-2.0 */
/* labels: once */
/* JSON: values and their types, whole numbers beyond 2^53, and what is wrong with bad texts, by
   line and column. */
#define _POSIX_C_SOURCE 200809L

#include "../test.h"

#include <stdlib.h>

#include "../../src/io/json.h"
#include "scratch.h"

static char message[HD__IO_MESSAGE];

static hd__json *tree_of(const char *text)
{
    hd__json *tree = hd__json_read_text(text, strlen(text), message);

    if (!CHECK(tree != NULL))
        NOTE("%s: %s", text, message);
    return tree;
}

static void add_key(void *keys, const char *key, const hd__json *value)
{
    (void)value;
    strcat(keys, key);
}

TEST(values)
{
    hd__json *tree;
    const hd__json *list;
    double number = 0;
    char keys[8] = "";

    if (hd__json_missing())
        return;
    tree = tree_of(
        " {\"b\": \"x\\u00e9\\ud83d\\ude00\\n\", \"a\": [1, -2, 2.5, \"3\", null, true, {}]}\n");
    CHECK_EQ_STR(hd__json_text(tree, "b"), "x\xc3\xa9\xf0\x9f\x98\x80\n");
    CHECK_EQ_STR(hd__json_text(tree, "a"), "");
    CHECK_EQ_STR(hd__json_text(tree, "none"), "");
    hd__json_each(tree, add_key, keys);
    CHECK_EQ_STR(keys, "ba");
    list = hd__json_member(tree, "a");
    CHECK(hd__json_is_array(list) && !hd__json_is_array(tree) && !hd__json_is_array(NULL));
    CHECK_EQ_SIZE(hd__json_length(list), 7);
    CHECK_EQ_SIZE(hd__json_length(tree), 0);
    CHECK_EQ_U64(hd__json_whole(hd__json_at(list, 0)), 1);
    for (size_t i = 1; i < 8; i++)
        CHECK_EQ_U64(hd__json_whole(hd__json_at(list, i)), 0);
    CHECK(hd__json_number(hd__json_at(list, 1), &number) && number == -2);
    CHECK(hd__json_number(hd__json_at(list, 2), &number) && number == 2.5);
    for (size_t i = 3; i < 8; i++)
        CHECK(!hd__json_number(hd__json_at(list, i), &number));
    CHECK(hd__json_member(list, "a") == NULL && hd__json_member(NULL, "a") == NULL);
    hd__json_free(tree);
}

TEST(large_whole_numbers_are_exact)
{
    hd__json *tree;

    if (hd__json_missing())
        return;
    tree = tree_of("{\"a\": 9007199254740993, \"b\": 9223372036854775807}");
    CHECK_EQ_U64(hd__json_count(tree, "a"), 9007199254740993u);
    CHECK_EQ_U64(hd__json_count(tree, "b"), 9223372036854775807u);
    hd__json_free(tree);
}

TEST(printing)
{
    const char *text =
        "{\"k\": [1, -0.5, \"q\\\"\\\\\\u0001\xc3\xa9\", null, true, false, {}, []]}";
    hd__json *tree;
    char printed[128] = "";
    FILE *to;

    if (hd__json_missing())
        return;
    tree = tree_of(text);
    to = fmemopen(printed, sizeof printed, "w");
    hd__json_print(tree, to);
    fclose(to);
    CHECK_EQ_STR(printed, text);
    hd__json_free(tree);
}

static void refused(const char *text, size_t length, const char *why)
{
    const char *path = scratch_path("bad.json");
    FILE *file = fopen(path, "wb");
    char *wrong;

    if (!CHECK(file && fwrite(text, 1, length, file) == length))
        return;
    fclose(file);
    scratch_count--; /* the next one has its name */
    message[0] = '\0';
    CHECK(hd__json_read_file(path, message) == NULL);
    wrong = strstr(message, "bad.json: ");
    CHECK_EQ_STR(wrong ? wrong + strlen("bad.json: ") : message, why);
    message[0] = '\0';
    CHECK(hd__json_read_text(text, length, message) == NULL);
    wrong = strstr(why, "column");
    CHECK_EQ_STR(message, wrong);
}

#define REFUSED(text, why) refused(text, sizeof(text) - 1, why)

TEST(bad_texts_by_line)
{
    enum { DEEP = 1000000 };
    char *deep = malloc(DEEP);

    if (hd__json_missing() || !CHECK(deep != NULL)) {
        free(deep);
        return;
    }
    REFUSED("", "line 1, column 0: '[' or '{' expected near end of file");
    REFUSED("{\"a\": [\n1,\n2", "line 3, column 1: ']' expected near end of file");
    REFUSED("{\"a\": \"x", "line 1, column 8: premature end of input near '\"x'");
    REFUSED("{\"a\": 1,\n \"a\": 2}", "line 2, column 4: duplicate object key near '\"a\"'");
    REFUSED("[\nNaN]", "line 2, column 3: invalid token near 'NaN'");
    REFUSED("[1e999]", "line 1, column 6: real number overflow near '1e999'");
    REFUSED("[9223372036854775808]",
            "line 1, column 20: too big integer near '9223372036854775808'");
    REFUSED("[\n\n\"\xc3(\"]", "line 3, column 1: unable to decode byte 0xc3 near '\"'");
    REFUSED("[\"\\ud800\"]", "line 1, column 9: invalid Unicode '\\uD800' near '\"\\ud800\"'");
    REFUSED("[\"a\0b\"]", "line 1, column 3: control character 0x0 near '\"a'");
    REFUSED("[\033]", "line 1, column 2: invalid token near '\\x1b'");
    REFUSED("{} {}", "line 1, column 4: end of file expected near '{'");
    REFUSED("7", "line 1, column 1: '[' or '{' expected near '7'");
    memset(deep, '[', DEEP);
    refused(deep, DEEP, "line 1, column 2049: maximum parsing depth reached near '['");
    free(deep);
}

TEST(files_that_cannot_be_read)
{
    if (hd__json_missing())
        return;
    CHECK(hd__json_read_file("/nowhere/t.json", message) == NULL);
    CHECK_EQ_STR(message, "/nowhere/t.json: No such file or directory");
    CHECK(hd__json_read_file("/", message) == NULL);
    CHECK_EQ_STR(message, "/: Is a directory");
}

/* Without jansson everything says which package is missing. */
TEST(without_jansson)
{
    if (!hd__json_missing())
        return;
    CHECK(strstr(hd__json_missing(), "libjansson-dev") != NULL);
    CHECK(hd__json_read_text("{}", 2, message) == NULL);
    CHECK_EQ_STR(message, hd__json_missing());
    CHECK(hd__json_read_file("t.json", message) == NULL);
    CHECK(strncmp(message, "t.json: ", 8) == 0);
    CHECK_EQ_STR(message + 8, hd__json_missing());
}

TEST_MAIN
