/* SPDX-License-Identifier: Apache-2.0 */
/* json_reader.c - a JSON reader: strict, in one pass, no deeper than it needs to be. */
#include "json_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/output.h"

enum { DEPTH = 32 };

typedef struct reader {
    const char *at;
    int depth;
} reader;

static json_value *read_value(reader *r);

static void skip_space(reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

/* Four hexadecimal digits; -1 if they are not there. */
static long read_hex(const char *at)
{
    long value = 0;

    for (int i = 0; i < 4; i++) {
        char c = at[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;

        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

/* UTF-8 of a code point that is not 0; what is none becomes U+FFFD. */
static char *put_point(char *to, long point)
{
    if (point <= 0 || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
        point = 0xfffd;
    if (point < 0x80) {
        *to++ = (char)point;
    } else if (point < 0x800) {
        *to++ = (char)(0xc0 | point >> 6);
        *to++ = (char)(0x80 | (point & 0x3f));
    } else {
        if (point < 0x10000) {
            *to++ = (char)(0xe0 | point >> 12);
        } else {
            *to++ = (char)(0xf0 | point >> 18);
            *to++ = (char)(0x80 | (point >> 12 & 0x3f));
        }
        *to++ = (char)(0x80 | (point >> 6 & 0x3f));
        *to++ = (char)(0x80 | (point & 0x3f));
    }
    return to;
}

/* What follows a backslash; NULL if it is no escape. */
static const char *read_escape(const char *at, char **to)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *letter = *at ? strchr(letters, *at) : NULL;
    long point, low;

    if (letter) {
        *(*to)++ = meant[letter - letters];
        return at + 1;
    }
    if (*at != 'u' || (point = read_hex(at + 1)) < 0)
        return NULL;
    at += 5;
    if (point >= 0xd800 && point < 0xdc00 && at[0] == '\\' && at[1] == 'u' &&
        (low = read_hex(at + 2)) >= 0xdc00 && low < 0xe000) {
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
    }
    *to = put_point(*to, point);
    return at;
}

static char *read_string(reader *r)
{
    const char *at = r->at;
    char *text, *to;

    if (*at++ != '"')
        return NULL;
    text = to = malloc(strlen(at) + 1); /* no escape is shorter than what it stands for */
    while (text && at && *at != '"') {
        if ((unsigned char)*at < 0x20)
            at = NULL;
        else if (*at == '\\')
            at = read_escape(at + 1, &to);
        else
            *to++ = *at++;
    }
    if (!text || !at) {
        free(text);
        return NULL;
    }
    *to = '\0';
    r->at = at + 1;
    return text;
}

static json_value *make(json_type type)
{
    json_value *value = calloc(1, sizeof *value);

    if (value)
        value->type = type;
    return value;
}

/* The members of an object or the elements of an array, behind the opening bracket. */
static int read_members(reader *r, json_value *whole, char close)
{
    json_value **last = &whole->first;

    skip_space(r);
    if (*r->at == close) {
        r->at++;
        return 1;
    }
    for (;;) {
        char *key = NULL;

        skip_space(r);
        if (close == '}') {
            if (!(key = read_string(r)))
                return 0;
            skip_space(r);
            if (*r->at++ != ':') {
                free(key);
                return 0;
            }
        }
        if (!(*last = read_value(r))) {
            free(key);
            return 0;
        }
        (*last)->key = key;
        last = &(*last)->next;
        skip_space(r);
        if (*r->at == close) {
            r->at++;
            return 1;
        }
        if (*r->at++ != ',')
            return 0;
    }
}

static json_value *read_whole(reader *r)
{
    char close = *r->at == '{' ? '}' : ']';
    json_value *whole = make(close == '}' ? JSON_OBJECT : JSON_ARRAY);
    int done;

    if (!whole || ++r->depth > DEPTH) {
        json_free(whole);
        return NULL;
    }
    r->at++;
    done = read_members(r, whole, close);
    r->depth--;
    if (done)
        return whole;
    json_free(whole);
    return NULL;
}

/* A number, true, false or null: kept as written. */
static json_value *read_word(reader *r)
{
    size_t length = strspn(r->at, "+-.0123456789Eabcdefghijklmnopqrstuvwxyz");
    json_value *value = make(JSON_NUMBER);
    char *end;

    if (!value || !(value->text = strndup(r->at, length)) || length == 0) {
        json_free(value);
        return NULL;
    }
    if (strcmp(value->text, "true") == 0 || strcmp(value->text, "false") == 0) {
        value->type = JSON_BOOL;
    } else if (strcmp(value->text, "null") == 0) {
        value->type = JSON_NULL;
    } else {
        (void)strtod(value->text, &end);
        if (*end || strspn(value->text, "+-.0123456789Ee") != length) {
            json_free(value);
            return NULL;
        }
    }
    r->at += length;
    return value;
}

static json_value *read_value(reader *r)
{
    json_value *value;

    skip_space(r);
    if (*r->at == '{' || *r->at == '[')
        return read_whole(r);
    if (*r->at != '"')
        return read_word(r);
    value = make(JSON_STRING);
    if (value && !(value->text = read_string(r))) {
        json_free(value);
        return NULL;
    }
    return value;
}

json_value *json_read(const char *text)
{
    reader r = {text, 0};
    json_value *value = read_value(&r);

    skip_space(&r);
    if (value && *r.at) {
        json_free(value);
        return NULL;
    }
    return value;
}

void json_free(json_value *value)
{
    while (value) {
        json_value *next = value->next;

        json_free(value->first);
        free(value->key);
        free(value->text);
        free(value);
        value = next;
    }
}

const json_value *json_member(const json_value *object, const char *key)
{
    if (!object || object->type != JSON_OBJECT)
        return NULL;
    for (const json_value *v = object->first; v; v = v->next)
        if (strcmp(v->key, key) == 0)
            return v;
    return NULL;
}

const char *json_text(const json_value *object, const char *key)
{
    const json_value *value = json_member(object, key);

    return value && value->type == JSON_STRING ? value->text : "";
}

uint64_t json_count(const json_value *object, const char *key)
{
    const json_value *value = json_member(object, key);

    return value && value->type == JSON_NUMBER ? strtoull(value->text, NULL, 10) : 0;
}

void json_print(const json_value *value)
{
    int whole = value->type == JSON_OBJECT || value->type == JSON_ARRAY;

    if (value->type == JSON_STRING)
        cli_json_quote(value->text);
    else if (!whole)
        fputs(value->text, stdout);
    else
        putchar(value->type == JSON_OBJECT ? '{' : '[');
    for (const json_value *v = value->first; v; v = v->next) {
        if (v != value->first)
            fputs(", ", stdout);
        if (v->key) {
            cli_json_quote(v->key);
            fputs(": ", stdout);
        }
        json_print(v);
    }
    if (whole)
        putchar(value->type == JSON_OBJECT ? '}' : ']');
}
