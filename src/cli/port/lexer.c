/* SPDX-License-Identifier: Apache-2.0 */
/* lexer.c - C++ tokens with CUDA's `<<<`, comments skipped, brackets paired.

   `>` is always a token of its own, because `>>>` may close a launch or three template argument
   lists. Brackets in a directive are paired within it. The branches of #if may each open or close
   brackets: at #elif and #else the state at the #if returns. */
#include "port.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, CONDITIONS = 64 };

typedef struct lexer {
    port_job *job;
    port_file *file;
    size_t room;
    const char *at, *end;
    uint32_t line, directive, directives;
    bool fresh;          /* nothing but blanks since the line began */
    bool failed;         /* a report was made after which pairing is pointless */
    uint32_t open;       /* innermost open bracket */
    uint32_t outer_open; /* that of the code while a directive is read */
    uint32_t conditions[CONDITIONS];
    int condition_count;
} lexer;

bool port_is(const port_file *file, uint32_t token, const char *text)
{
    const port_token *t = &file->tokens[token < file->count ? token : file->count - 1];

    return t->length == strlen(text) && memcmp(file->text + t->at, text, t->length) == 0;
}

bool port_is_name(const port_file *file, uint32_t token)
{
    return token < file->count && file->tokens[token].kind == PORT_NAME;
}

const char *port_text(const port_file *file, uint32_t token)
{
    static char buffers[4][256];
    static unsigned next;
    char *buffer = buffers[next++ % 4];
    const port_token *t = &file->tokens[token < file->count ? token : file->count - 1];
    const size_t length = t->length < 255 ? t->length : 255;

    memcpy(buffer, file->text + t->at, length);
    buffer[length] = '\0';
    return buffer;
}

char *port_range(const port_file *file, uint32_t first, uint32_t last)
{
    const uint32_t from = file->tokens[first].at;
    const uint32_t to = last < first ? from : file->tokens[last].at + file->tokens[last].length;
    char *text = malloc(to - from + 1);

    if (text) {
        memcpy(text, file->text + from, to - from);
        text[to - from] = '\0';
    }
    return text;
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_word(char c)
{
    return is_letter(c) || isdigit((unsigned char)c);
}

/* A character of the text, or 0 behind its end. */
static char peek(const lexer *l, size_t ahead)
{
    return (size_t)(l->end - l->at) > ahead ? l->at[ahead] : '\0';
}

static uint32_t add(lexer *l, port_kind kind, const char *from)
{
    port_file *file = l->file;
    const uint32_t i = file->count;

    if (!port_grow(l->job, &file->tokens, file->count, &l->room, sizeof *file->tokens))
        return NONE;
    file->tokens[i] = (port_token){(uint32_t)(from - file->text),
                                   (uint32_t)(l->at - from),
                                   l->line,
                                   i,
                                   NONE,
                                   l->directive,
                                   kind};
    file->count++;
    return i;
}

/* ---- brackets -------------------------------------------------------------------------------- */

static char partner(char c)
{
    return c == ')' ? '(' : c == ']' ? '[' : '{';
}

static void open_bracket(lexer *l, uint32_t token)
{
    if (token == NONE)
        return;
    l->file->tokens[token].outer = l->open;
    l->open = token;
}

static void close_bracket(lexer *l, uint32_t token, char c)
{
    port_token *tokens = l->file->tokens;

    if (token == NONE || l->failed)
        return;
    if (l->open == NONE || l->file->text[tokens[l->open].at] != partner(c)) {
        if (l->directive) /* a macro may hold half of a pair */
            return;
        l->failed = true;
        if (l->open == NONE)
            port_report(l->job, PORT_ERROR, "brackets", l->file, l->line, port_page,
                        "'%c' closes nothing", c);
        else
            port_report(l->job, PORT_ERROR, "brackets", l->file, l->line, port_page,
                        "'%c' does not close the '%c' of line %u", c,
                        l->file->text[tokens[l->open].at], (unsigned)tokens[l->open].line);
        return;
    }
    tokens[l->open].match = token;
    tokens[token].match = l->open;
    l->open = tokens[l->open].outer;
}

/* ---- directives ------------------------------------------------------------------------------ */

static bool word_at(const lexer *l, const char *from, const char *word)
{
    const size_t length = strlen(word);

    return (size_t)(l->end - from) >= length && memcmp(from, word, length) == 0 &&
           ((size_t)(l->end - from) == length || !is_word(from[length]));
}

/* `from` is the directive's name. */
static void condition(lexer *l, const char *from)
{
    const int innermost = l->condition_count - 1;

    if (word_at(l, from, "if") || word_at(l, from, "ifdef") || word_at(l, from, "ifndef")) {
        if (l->condition_count < CONDITIONS)
            l->conditions[l->condition_count] = l->outer_open;
        l->condition_count++;
    } else if (innermost >= 0 && innermost < CONDITIONS &&
               (word_at(l, from, "else") || word_at(l, from, "elif"))) {
        l->outer_open = l->conditions[innermost];
    } else if (innermost >= 0 && word_at(l, from, "endif")) {
        l->condition_count--;
    }
}

static void begin_directive(lexer *l)
{
    const char *from;

    l->directive = ++l->directives;
    l->outer_open = l->open;
    l->open = NONE;
    l->at++;
    add(l, PORT_PUNCT, l->at - 1);
    while (peek(l, 0) == ' ' || peek(l, 0) == '\t')
        l->at++;
    from = l->at;
    condition(l, from);
}

static void end_directive(lexer *l)
{
    l->open = l->outer_open;
    l->directive = 0;
}

/* ---- literals -------------------------------------------------------------------------------- */

/* Skips the literal in quotes that begins at l->at; it ends at the line's end at the latest. */
static bool skip_quoted(lexer *l, char quote)
{
    l->at++;
    while (l->at < l->end && *l->at != quote && *l->at != '\n') {
        if (*l->at == '\\' && l->at + 1 < l->end) {
            l->at++;
            if (*l->at == '\r' && peek(l, 1) == '\n')
                l->at++;
            l->line += *l->at == '\n';
        }
        l->at++;
    }
    if (l->at < l->end && *l->at == quote) {
        l->at++;
        return true;
    }
    return false;
}

/* R"delimiter( ... )delimiter" */
static bool skip_raw(lexer *l)
{
    enum { DELIMITER = 16 };
    const char *from = l->at + 1, *open = from;
    size_t length;

    while (open < l->end && open - from <= DELIMITER && *open != '(' && *open != '"' &&
           *open != '\n')
        open++;
    if (open == l->end || *open != '(')
        return false;
    length = (size_t)(open - from);
    for (const char *c = open; c < l->end; c++) {
        l->line += *c == '\n';
        if (*c == ')' && (size_t)(l->end - c) > length + 1 && memcmp(c + 1, from, length) == 0 &&
            c[1 + length] == '"') {
            l->at = c + length + 2;
            return true;
        }
    }
    l->at = l->end;
    return false;
}

static void literal(lexer *l, const char *from, bool raw)
{
    const uint32_t line = l->line;
    const char quote = *l->at;
    const bool whole = raw ? skip_raw(l) : skip_quoted(l, quote);
    uint32_t token;

    if (raw && !whole && *l->at == '"') /* no delimiter: an ordinary string */
        (void)skip_quoted(l, quote);
    /* An apostrophe in the text of #error is no literal. */
    if (!whole && !l->directive)
        port_report(l->job, PORT_ERROR, "literal", l->file, line, port_page,
                    quote == '"' ? "a string does not end" : "a character literal does not end");
    token = add(l, PORT_TEXT, from);
    if (token != NONE)
        l->file->tokens[token].line = line;
}

static void number(lexer *l)
{
    const char *from = l->at;

    while (l->at < l->end &&
           (is_word(*l->at) || *l->at == '.' || (*l->at == '\'' && is_word(peek(l, 1))) ||
            ((*l->at == '+' || *l->at == '-') && strchr("eEpP", l->at[-1]) &&
             !(from[0] == '0' && l->at - from > 1 && (from[1] | 32) == 'x' &&
               (l->at[-1] | 32) == 'e'))))
        l->at++;
    add(l, PORT_NUMBER, from);
}

static void word(lexer *l)
{
    static const char *const prefixes[] = {"R", "u8R", "uR", "UR", "LR", "u8", "u", "U", "L"};
    const char *from = l->at;
    size_t length;

    while (l->at < l->end && is_word(*l->at))
        l->at++;
    length = (size_t)(l->at - from);
    if (l->at < l->end && (*l->at == '"' || *l->at == '\''))
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
            if (strlen(prefixes[i]) == length && memcmp(prefixes[i], from, length) == 0) {
                literal(l, from, from[length - 1] == 'R' && *l->at == '"');
                return;
            }
    add(l, PORT_NAME, from);
}

/* ---- everything else ------------------------------------------------------------------------- */

static void skip_comment(lexer *l)
{
    const uint32_t line = l->line;

    if (l->at[1] == '/') {
        while (l->at < l->end && *l->at != '\n') {
            if (*l->at == '\\' && peek(l, 1) == '\n') {
                l->line++;
                l->at++;
            }
            l->at++;
        }
        return;
    }
    for (l->at += 2; l->at < l->end; l->at++) {
        if (*l->at == '*' && peek(l, 1) == '/') {
            l->at += 2;
            return;
        }
        l->line += *l->at == '\n';
    }
    port_report(l->job, PORT_ERROR, "comment", l->file, line, port_page, "a comment does not end");
}

static void punctuation(lexer *l)
{
    static const char *const longer[] = {
        "<<<", "<<=", "...", "->*", "::", "->", "==", "!=", "<=", ">=", "&&", "||",
        "<<",  "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};
    const char *from = l->at, c = *from;
    size_t length = 1;
    uint32_t token;

    for (size_t i = 0; i < sizeof longer / sizeof *longer && length == 1; i++) {
        const size_t n = strlen(longer[i]);

        if ((size_t)(l->end - from) >= n && memcmp(from, longer[i], n) == 0)
            length = n;
    }
    l->at += length;
    token = add(l, PORT_PUNCT, from);
    if (c == '(' || c == '[' || c == '{')
        open_bracket(l, token);
    else if (c == ')' || c == ']' || c == '}')
        close_bracket(l, token, c);
}

static void newline(lexer *l)
{
    l->at++;
    if (l->directive)
        end_directive(l);
    l->line++;
    l->fresh = true;
}

static void step(lexer *l)
{
    const char c = *l->at, next = peek(l, 1);

    if (c == '\n') {
        newline(l);
        return;
    }
    if (c == '\\' && (next == '\n' || (next == '\r' && peek(l, 2) == '\n'))) {
        l->at += next == '\n' ? 2 : 3;
        l->line++;
        return;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
        l->at++;
        return;
    }
    if (c == '/' && (next == '/' || next == '*')) {
        skip_comment(l);
        return;
    }
    if (c == '#' && l->fresh && !l->directive)
        begin_directive(l);
    else if (c == '"' || c == '\'')
        literal(l, l->at, false);
    else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)next)))
        number(l);
    else if (is_letter(c))
        word(l);
    else
        punctuation(l);
    l->fresh = false;
}

void port_lex(port_job *job, port_file *file)
{
    lexer l = {.job = job,
               .file = file,
               .at = file->text,
               .end = file->text + file->size,
               .line = 1,
               .fresh = true,
               .open = NONE,
               .outer_open = NONE};
    uint32_t ahead = 0;

    if (file->size >= 3 && memcmp(file->text, "\xef\xbb\xbf", 3) == 0)
        l.at += 3;
    while (l.at < l.end && !job->no_memory)
        step(&l);
    if (l.directive)
        end_directive(&l);
    if (l.open != NONE && !l.failed)
        port_report(job, PORT_ERROR, "brackets", file, file->tokens[l.open].line, port_page,
                    "'%c' is never closed", file->text[file->tokens[l.open].at]);
    if (add(&l, PORT_END, l.at) != NONE)
        while (ahead < PORT_AHEAD && add(&l, PORT_END, l.at) != NONE)
            ahead++;
    file->count -= ahead;
}
