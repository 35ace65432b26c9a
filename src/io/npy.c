/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the header of a .npy file by hand, strictly, without evaluating it. */
#include "npy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HD__NPY_MAGIC "\x93NUMPY"
#define HD__NPY_MAX_HEADER ((uint32_t)1 << 20)

enum { HD__NPY_DESCR = 1, HD__NPY_ORDER = 2, HD__NPY_SHAPE = 4 };

typedef struct hd__npy_parser {
    const char *name; /* name of the file */
    const char *at;
    const char *end;
    int seen; /* keys seen so far */
    char *message;
} hd__npy_parser;

static int hd__npy_bad(const hd__npy_parser *parser, const char *what)
{
    return hd__io_fail(parser->message, HD__IO_ERR_CONTENT, parser->name, "bad .npy header: %s",
                       what);
}

/* Skips white space. Returns the next character, or NUL at the end; a NUL in the text is invalid
   anywhere, so the two need not be distinguished. */
static char hd__npy_next(hd__npy_parser *parser)
{
    while (parser->at < parser->end && strchr(" \t\r\n", *parser->at) != NULL &&
           *parser->at != '\0')
        parser->at++;
    return parser->at < parser->end ? *parser->at : '\0';
}

/* Consumes the character if it is next. */
static bool hd__npy_take(hd__npy_parser *parser, char c)
{
    if (hd__npy_next(parser) != c)
        return false;
    parser->at++;
    return true;
}

/* A quoted string without escapes: no key and no supported dtype needs one. */
static int hd__npy_string(hd__npy_parser *parser, const char **text_out, size_t *length_out)
{
    char quote = hd__npy_next(parser);
    const char *text, *close;

    if (quote != '\'' && quote != '"')
        return hd__npy_bad(parser, "a quoted string is missing");
    text = parser->at + 1;
    close = memchr(text, quote, (size_t)(parser->end - text));
    if (close == NULL)
        return hd__npy_bad(parser, "a string has no closing quote");
    if (memchr(text, '\\', (size_t)(close - text)) != NULL)
        return hd__npy_bad(parser, "a string has a backslash");
    parser->at = close + 1;
    *text_out = text;
    *length_out = (size_t)(close - text);
    return 0;
}

static hd__io_type hd__npy_type(char kind, const char *size)
{
    static const struct {
        char name[4];
        hd__io_type type;
    } known[] = {
        {"b1", HD__IO_U8},  {"u1", HD__IO_U8},  {"u2", HD__IO_U16}, {"u4", HD__IO_U32},
        {"u8", HD__IO_U64}, {"i1", HD__IO_I8},  {"i2", HD__IO_I16}, {"i4", HD__IO_I32},
        {"i8", HD__IO_I64}, {"f2", HD__IO_F16}, {"f4", HD__IO_F32}, {"f8", HD__IO_F64},
    };
    size_t i;

    for (i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].name[0] == kind && known[i].name[1] == size[0])
            return known[i].type;
    }
    return HD__IO_DEFAULT;
}

static const char *hd__npy_kind(char kind)
{
    switch (kind) {
    case 'c':
        return "complex numbers";
    case 'O':
        return "Python objects";
    case 'S':
    case 'a':
    case 'U':
    case 'T':
        return "strings";
    case 'V':
        return "untyped bytes";
    case 'M':
    case 'm':
        return "dates or times";
    default:
        return "a type that is not known";
    }
}

static int hd__npy_descr(hd__npy_parser *parser, hd__npy *npy)
{
    const char *text;
    char shown[HD__IO_CELL];
    size_t length;
    int status;

    if (hd__npy_next(parser) == '[' || hd__npy_next(parser) == '(')
        return hd__io_fail(parser->message, HD__IO_ERR_CONTENT, parser->name,
                           "structured dtype; save one field of it as an array of its own");
    status = hd__npy_string(parser, &text, &length);
    if (status != 0)
        return status;
    hd__io_printable(text, length, shown, sizeof shown);
    if (length < 2 || strchr("<>|=", text[0]) == NULL || text[0] == '\0')
        return hd__io_fail(parser->message, HD__IO_ERR_CONTENT, parser->name,
                           "dtype '%s' is not a byte order and a type, such as '<f4'", shown);
    npy->type = length == 3 ? hd__npy_type(text[1], text + 2) : HD__IO_DEFAULT;
    if (npy->type == HD__IO_DEFAULT)
        return hd__io_fail(
            parser->message, HD__IO_ERR_CONTENT, parser->name,
            "dtype '%s' is %s; supported are u8 to u64, i8 to i64, f16, f32, f64", shown,
            text[1] == 'f' || text[1] == 'i' || text[1] == 'u' ? "a width that is not known"
                                                               : hd__npy_kind(text[1]));
    if (hd__io_type_size(npy->type) == 1 || text[0] == '<')
        return 0;
    if (text[0] == '>')
        return hd__io_fail(parser->message, HD__IO_ERR_CONTENT, parser->name,
                           "dtype '%s' is big-endian data; save it as '<%c%c'", shown, text[1],
                           text[2]);
    return hd__io_fail(parser->message, HD__IO_ERR_CONTENT, parser->name,
                       "dtype '%s' does not say which byte order it has", shown);
}

static int hd__npy_order(hd__npy_parser *parser, hd__npy *npy)
{
    size_t left;

    hd__npy_next(parser);
    left = (size_t)(parser->end - parser->at);
    if (left >= 4 && memcmp(parser->at, "True", 4) == 0) {
        npy->fortran_order = true;
        parser->at += 4;
    } else if (left >= 5 && memcmp(parser->at, "False", 5) == 0) {
        npy->fortran_order = false;
        parser->at += 5;
    } else {
        return hd__npy_bad(parser, "fortran_order is neither True nor False");
    }
    return 0;
}

/* One length of the shape. Python 2 appended an L. */
static int hd__npy_axis(hd__npy_parser *parser, uint64_t *axis_out)
{
    uint64_t axis = 0;
    const char *first;

    if (hd__npy_next(parser) == '-')
        return hd__npy_bad(parser, "shape has a negative length");
    first = parser->at;
    while (parser->at < parser->end && *parser->at >= '0' && *parser->at <= '9') {
        axis = axis * 10 + (uint64_t)(*parser->at++ - '0');
        if (axis > (uint64_t)INT64_MAX / 16)
            return hd__npy_bad(parser, "shape has an absurd length");
    }
    if (parser->at == first)
        return hd__npy_bad(parser, "shape is not a tuple of whole numbers");
    if (parser->at < parser->end && *parser->at == 'L')
        parser->at++;
    *axis_out = axis;
    return 0;
}

static int hd__npy_shape(hd__npy_parser *parser, hd__npy *npy)
{
    bool comma = true;

    npy->axes = 0;
    if (!hd__npy_take(parser, '('))
        return hd__npy_bad(parser, "shape is not a tuple");
    while (!hd__npy_take(parser, ')')) {
        int status;
        if (!comma)
            return hd__npy_bad(parser, "shape is not a tuple of whole numbers");
        if (npy->axes == HD__IO_MAX_AXES)
            return hd__npy_bad(parser, "shape has more than 64 axes");
        status = hd__npy_axis(parser, &npy->shape[npy->axes]);
        if (status != 0)
            return status;
        npy->axes++;
        comma = hd__npy_take(parser, ',');
    }
    if (npy->axes == 1 && !comma)
        return hd__npy_bad(parser, "shape is not a tuple: (n) lacks its comma");
    return 0;
}

/* One "key: value" pair of the dict. */
static int hd__npy_entry(hd__npy_parser *parser, hd__npy *npy)
{
    static const struct {
        const char *name;
        int bit;
        int (*read)(hd__npy_parser *, hd__npy *);
    } keys[3] = {{"descr", HD__NPY_DESCR, hd__npy_descr},
                 {"fortran_order", HD__NPY_ORDER, hd__npy_order},
                 {"shape", HD__NPY_SHAPE, hd__npy_shape}};
    const char *key;
    size_t length, i;
    int status = hd__npy_string(parser, &key, &length);

    if (status != 0)
        return status;
    for (i = 0; i < 3; i++) {
        if (length == strlen(keys[i].name) && memcmp(key, keys[i].name, length) == 0)
            break;
    }
    if (i == 3)
        return hd__npy_bad(parser, "a key is not descr, fortran_order or shape");
    if ((parser->seen & keys[i].bit) != 0)
        return hd__npy_bad(parser, "a key stands there twice");
    parser->seen |= keys[i].bit;
    if (!hd__npy_take(parser, ':'))
        return hd__npy_bad(parser, "a ':' is missing");
    return keys[i].read(parser, npy);
}

static int hd__npy_dict(hd__npy_parser *parser, hd__npy *npy)
{
    bool comma = true;

    if (!hd__npy_take(parser, '{'))
        return hd__npy_bad(parser, "it is not a dict");
    while (!hd__npy_take(parser, '}')) {
        int status;
        if (!comma)
            return hd__npy_bad(parser, "a ',' or '}' is missing");
        status = hd__npy_entry(parser, npy);
        if (status != 0)
            return status;
        comma = hd__npy_take(parser, ',');
    }
    hd__npy_next(parser);
    if (parser->at != parser->end)
        return hd__npy_bad(parser, "something follows the dict");
    if (parser->seen != (HD__NPY_DESCR | HD__NPY_ORDER | HD__NPY_SHAPE))
        return hd__npy_bad(parser, "descr, fortran_order or shape is missing");
    return 0;
}

/* Computes the product of the shape; an axis of length 0 makes the array empty, however long the
   others are. */
static int hd__npy_multiply(hd__npy *npy, const char *name, char *message)
{
    uint64_t limit = (uint64_t)INT64_MAX / hd__io_type_size(npy->type);
    size_t i;

    npy->count = 1;
    for (i = 0; i < npy->axes; i++) {
        if (npy->shape[i] == 0) {
            npy->count = 0;
            return 0;
        }
    }
    for (i = 0; i < npy->axes; i++) {
        if (npy->shape[i] > limit / npy->count)
            return hd__io_fail(message, HD__IO_ERR_CONTENT, name,
                               "bad .npy header: the shape has more elements than can be counted");
        npy->count *= npy->shape[i];
    }
    return 0;
}

/* Checks the file's size against the header. */
static int hd__npy_check_size(const hd__npy *npy, const hd__bytes *bytes, char *message)
{
    uint64_t promised = npy->count * hd__io_type_size(npy->type);
    uint64_t present = bytes->size - npy->data;

    if (present < promised)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, bytes->name,
                           "truncated: %" PRIu64 " elements of %s need %" PRIu64
                           " bytes, the file has %" PRIu64,
                           npy->count, hd__io_type_name(npy->type), promised, present);
    if (present > promised)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, bytes->name,
                           "%" PRIu64 " bytes too many: %" PRIu64 " elements of %s need %" PRIu64
                           " bytes, the file has %" PRIu64,
                           present - promised, npy->count, hd__io_type_name(npy->type), promised,
                           present);
    return 0;
}

bool hd__npy_is_magic(const unsigned char *bytes, size_t size)
{
    return size >= 6 && memcmp(bytes, HD__NPY_MAGIC, 6) == 0;
}

/* Reads magic, version and header length; the next byte is the first character of the dict. */
static int hd__npy_preamble(hd__bytes *bytes, uint32_t *length_out, char *message)
{
    unsigned char head[12];
    size_t got, more = 0;
    int status = hd__bytes_read(bytes, head, 10, &got, message);

    if (status != 0)
        return status;
    if (got >= 6 && !hd__npy_is_magic(head, got))
        return hd__io_fail(message, HD__IO_ERR_CONTENT, bytes->name, "no .npy file");
    if (got == 10 && (head[6] < 1 || head[6] > 3 || head[7] != 0))
        return hd__io_fail(message, HD__IO_ERR_CONTENT, bytes->name,
                           ".npy format %d.%d is not known; 1.0, 2.0 and 3.0 are", head[6],
                           head[7]);
    if (got == 10 && head[6] > 1)
        status = hd__bytes_read(bytes, head + 10, 2, &more, message);
    if (status != 0)
        return status;
    if (got < 10 || (head[6] > 1 && more < 2))
        return hd__io_fail(message, HD__IO_ERR_CONTENT, bytes->name,
                           got + more == 0 ? "empty, no .npy file" : "truncated .npy header");
    *length_out = (uint32_t)head[8] | (uint32_t)head[9] << 8;
    if (head[6] > 1)
        *length_out |= (uint32_t)head[10] << 16 | (uint32_t)head[11] << 24;
    return 0;
}

/* Reads the dict's text and parses it. */
static int hd__npy_header(hd__bytes *bytes, uint32_t length, hd__npy *npy, char *message)
{
    hd__npy_parser parser = {.name = bytes->name, .message = message};
    size_t got = 0;
    int status;
    char *text = malloc((size_t)length + 1);

    if (text == NULL)
        return hd__io_fail(message, HD__IO_ERR_MEMORY, bytes->name, "out of memory");
    status = hd__bytes_read(bytes, text, length, &got, message);
    if (status == 0 && got < length)
        status = hd__io_fail(message, HD__IO_ERR_CONTENT, bytes->name, "truncated .npy header");
    if (status == 0) {
        parser.at = text;
        parser.end = text + length;
        status = hd__npy_dict(&parser, npy);
    }
    free(text);
    return status;
}

int hd__npy_open(hd__bytes *bytes, hd__npy *npy_out, char *message)
{
    hd__npy npy = {.type = HD__IO_DEFAULT};
    uint32_t length = 0;
    int status;

    if (!bytes->regular)
        return hd__io_fail(message, HD__IO_ERR_FILE, bytes->name,
                           "a .npy file must be a regular file, not a pipe or a device");
    status = hd__npy_preamble(bytes, &length, message);
    if (status != 0)
        return status;
    if (length > HD__NPY_MAX_HEADER)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, bytes->name,
                           "bad .npy header: %" PRIu32 " bytes long, more than 1 MiB", length);
    status = hd__npy_header(bytes, length, &npy, message);
    if (status == 0)
        status = hd__npy_multiply(&npy, bytes->name, message);
    npy.data = bytes->position;
    if (status == 0)
        status = hd__npy_check_size(&npy, bytes, message);
    if (status == 0)
        *npy_out = npy;
    return status;
}
