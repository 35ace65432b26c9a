/* SPDX-License-Identifier: Apache-2.0 */
/* json.h - JSON texts as trees, read by jansson; without jansson, reading always fails. */
#ifndef HEDDLE_IO_JSON_H
#define HEDDLE_IO_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "type.h"

/* Any JSON value. The tree owns its values and strings. */
typedef struct hd__json hd__json;

/* NULL if this build can read JSON, otherwise the reason in one line. */
const char *hd__json_missing(void);

/* The object or array in a file or a text; the caller frees it. Errors: a duplicate key in an
   object, text that is not UTF-8, an integer that does not fit in int64_t, and a tree that needs
   more than half of the machine's memory. NULL after one line in message, with the column of the
   error, and for a file its name and the line. Not thread-safe. Memory: about 11 times the size of
   a trace. */
hd__json *hd__json_read_file(const char *path, char message[HD__IO_MESSAGE]);
hd__json *hd__json_read_text(const char *text, size_t length, char message[HD__IO_MESSAGE]);
void hd__json_free(hd__json *tree);

/* ---- values; NULL stands for a missing value ------------------------------------------------- */

/* A member of an object; NULL if there is none, or the value is not an object. */
const hd__json *hd__json_member(const hd__json *object, const char *key);
/* Calls visit for every member of an object, in the order of the text. */
void hd__json_each(const hd__json *object,
                   void (*visit)(void *context, const char *key, const hd__json *value),
                   void *context);
bool hd__json_is_array(const hd__json *value);
bool hd__json_is_string(const hd__json *value);
bool hd__json_is_boolean(const hd__json *value);
bool hd__json_true(const hd__json *value);
/* Elements of an array; 0 for other values. */
size_t hd__json_length(const hd__json *array);
const hd__json *hd__json_at(const hd__json *array, size_t i);

/* A string member; "" if it is missing or not a string. */
const char *hd__json_text(const hd__json *object, const char *key);
/* The text of a string; "" if it is anything else. */
const char *hd__json_string(const hd__json *value);
/* An integer from 0 to INT64_MAX, and a member that is one; 0 if it is anything else. */
uint64_t hd__json_whole(const hd__json *value);
uint64_t hd__json_count(const hd__json *object, const char *key);
/* Whether the value is a number; stores it in *number_out. */
bool hd__json_number(const hd__json *value, double *number_out);

/* Writes the value as one line of JSON. */
void hd__json_print(const hd__json *value, FILE *to);

#endif
