/* SPDX-License-Identifier: Apache-2.0 */
/* json_reader.h - reads a JSON text into a tree, for the lines that checked programs write. */
#ifndef HEDDLE_CLI_TRACE_JSON_READER_H
#define HEDDLE_CLI_TRACE_JSON_READER_H

#include <stdint.h>

typedef enum json_type {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_type;

typedef struct json_value {
    struct json_value *next; /* in its array or object */
    struct json_value *first;
    char *key;  /* of a member of an object, else NULL */
    char *text; /* of a string; a number, true or false as written */
    json_type type;
} json_value;

/* NULL: the text is no JSON, or there is no memory for it. */
json_value *json_read(const char *text);
void json_free(json_value *value);

/* A member of an object; NULL where it is none, or not there. */
const json_value *json_member(const json_value *object, const char *key);
/* A member that is a string; "" if it is not there. */
const char *json_text(const json_value *object, const char *key);
/* A member that is a whole number; 0 if it is not there. */
uint64_t json_count(const json_value *object, const char *key);
/* Prints the value on standard output. */
void json_print(const json_value *value);

#endif
