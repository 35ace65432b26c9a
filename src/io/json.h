/* SPDX-License-Identifier: Apache-2.0 */
/* json.h - JSON texts as trees, read by jansson; a heddle that was built without it reads none. */
#ifndef HEDDLE_IO_JSON_H
#define HEDDLE_IO_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "type.h"

/* Any value. The tree owns the values in it and their texts. */
typedef struct hd__json hd__json;

/* NULL if JSON can be read, else one line that says why not. */
const char *hd__json_missing(void);

/* The object or array that a file or a text holds; the caller frees it. Errors are: a key that an
   object has twice, text that is not UTF-8, a whole number that int64_t cannot hold, and a tree
   that needs more than half of the machine's memory. NULL after one line in message, which has the
   column of the error, and for a file its name and the line. Not for several threads at once.
   Memory: about 11 times the size of a trace. */
hd__json *hd__json_read_file(const char *path, char message[HD__IO_MESSAGE]);
hd__json *hd__json_read_text(const char *text, size_t length, char message[HD__IO_MESSAGE]);
void hd__json_free(hd__json *tree);

/* ---- values; NULL stands for a value that is not there --------------------------------------- */

/* A member of an object; NULL if there is none, or the value is not an object. */
const hd__json *hd__json_member(const hd__json *object, const char *key);
/* Calls visit for every member of an object, in the order of the text. */
void hd__json_each(const hd__json *object,
                   void (*visit)(void *context, const char *key, const hd__json *value),
                   void *context);
bool hd__json_is_array(const hd__json *value);
bool hd__json_true(const hd__json *value);
/* Elements of an array; 0 for other values. */
size_t hd__json_length(const hd__json *array);
const hd__json *hd__json_at(const hd__json *array, size_t i);

/* A member that is a string; "" if it is not there or is not a string. */
const char *hd__json_text(const hd__json *object, const char *key);
/* The text of a string; "" if it is anything else. */
const char *hd__json_string(const hd__json *value);
/* A whole number from 0 to INT64_MAX, and such a member; 0 if it is anything else. */
uint64_t hd__json_whole(const hd__json *value);
uint64_t hd__json_count(const hd__json *object, const char *key);
/* Whether it is a number, and then which. */
bool hd__json_number(const hd__json *value, double *number_out);

/* Writes the value as one line of JSON. */
void hd__json_print(const hd__json *value, FILE *to);

#endif
