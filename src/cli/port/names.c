/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - looks up every name of CUDA, its libraries and its intrinsics in the tables names.inc
   and refused.inc; what is in neither, and is not the program's own, is an error. */
#include "port.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct known {
    const char *name;
} known;

#define PORT_MACRO(name) {#name},
#define PORT_TYPE(name) {#name},
#define PORT_FUNCTION(name) {#name},
#define PORT_VALUE(name) {#name},
#define PORT_HALF(name) {#name},
#define PORT_COMPLEX(name) {#name},
#define PORT_THRUST(name) {"thrust::" #name},
#define PORT_CUB(name) {"cub::" #name},
#define PORT_GROUPS(name) {"cooperative_groups::" #name},
static known names[] = {
#include "names.inc"
};
#undef PORT_MACRO
#undef PORT_TYPE
#undef PORT_FUNCTION
#undef PORT_VALUE
#undef PORT_HALF
#undef PORT_COMPLEX
#undef PORT_THRUST
#undef PORT_CUB
#undef PORT_GROUPS

typedef struct refusal {
    const char *name; /* or its beginning, if it ends with '*' */
    const char *reason, *page;
} refusal;

static const refusal refused[] = {
#define PORT_REFUSE(name, reason, page) {name, reason, page},
#include "refused.inc"
#undef PORT_REFUSE
};

static int compare(const void *a, const void *b)
{
    return strcmp(((const known *)a)->name, ((const known *)b)->name);
}

static bool is_known(const char *name)
{
    static bool sorted;
    const known key = {name};

    if (!sorted)
        qsort(names, sizeof names / sizeof *names, sizeof *names, compare);
    sorted = true;
    return bsearch(&key, names, sizeof names / sizeof *names, sizeof *names, compare) != NULL;
}

/* Names of C, C++ and their compilers that begin with two underscores. */
static bool is_compilers(const char *name)
{
    static const char *const begins[] = {
        "__builtin_", "__STD",     "__cpp_",  "__GNU",   "__SIZEOF_", "__has_", "__sync_",
        "__atomic_",  "__x86",     "__linux", "__clang", "__HIP",     "__AMD",  "__AVX",
        "__SSE",      "__unix",    "__APPLE", "__INTEL", "__CUDA",    "__NVCC", "__BYTE_ORDER",
        "__ORDER_",   "__PRETTY_", "__glibc", "__INT_",  "__LONG_",   "__FLT",  "__DBL",
        "__OPT",      "__FAST_",   "__m128",  "__m256",  "__ATOMIC_"};
    static const char *const whole[] = {
        "__attribute__", "__attribute",  "__FILE__",      "__LINE__",        "__func__",
        "__FUNCTION__",  "__DATE__",     "__TIME__",      "__VA_ARGS__",     "__VA_OPT__",
        "__COUNTER__",   "__cplusplus",  "__extension__", "__typeof__",      "__typeof",
        "__asm__",       "__asm",        "__volatile__",  "__volatile",      "__restrict",
        "__inline",      "__const",      "__signed__",    "__int128",        "__int128_t",
        "__uint128_t",   "__alignof__",  "__thread",      "__pragma",        "__declspec",
        "__cdecl",       "__stdcall",    "__WIN32__",     "__MINGW32__",     "__CYGWIN__",
        "__int64",       "__float128",   "__TIMESTAMP__", "__BASE_FILE__",   "__label__",
        "__complex__",   "__real__",     "__imag__",      "__forceinline",   "__hpux",
        "__sgi",         "__sun",        "__irix",        "__ia64",          "__stat64",
        "__arm__",       "__ARM_NEON__", "__ARM_NEON",    "__aarch64__",     "__amd64__",
        "__i386__",      "__FreeBSD__",  "__gcount__",    "__LITTLE_ENDIAN", "__BIG_ENDIAN",
        "__packed__",    "__const__",    "__rdtsc"};

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(name, whole[i]) == 0)
            return true;
    return false;
}

bool port_is_hip(const char *name)
{
    return (strncmp(name, "hip", 3) == 0 && name[3] >= 'A' && name[3] <= 'Z') ||
           strncmp(name, "make_hip", 8) == 0 || strcmp(name, "hip_bfloat16") == 0 ||
           strcmp(name, "__hip_bfloat16") == 0 || strcmp(name, "__hip_bfloat162") == 0;
}

bool port_looks_foreign(const char *name)
{
    static const char *const begins[] = {
        "cuda", "cublas", "cufft", "cusparse", "cusolver", "curand", "cudnn", "nccl",
        "hip",  "atomic", "tex",   "surf",     "nvtx",     "cu",     "CU",    "wmma"};

    if (name[0] == '_' && name[1] == '_')
        return !is_compilers(name) || is_known(name);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const size_t length = strlen(begins[i]);
        const unsigned char next = strncmp(name, begins[i], length) == 0
                                       ? (unsigned char)name[length]
                                       : '\0';

        if (isupper(next) && strcmp(begins[i], "CU") != 0 && strcmp(begins[i], "tex") != 0)
            return true;
        if (strcmp(begins[i], "tex") == 0 && isdigit(next))
            return true;
        if (strcmp(begins[i], "CU") == 0 && islower(next))
            return true;
    }
    return is_known(name);
}

port_fate port_name_fate(const char *name, const char **reason_out, const char **page_out)
{
    *reason_out = *page_out = NULL;
    if (is_known(name) || strcmp(name, "__shared__") == 0) /* shared.c translates it */
        return PORT_MAPPED;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const size_t length = strlen(refused[i].name);
        const bool begin = refused[i].name[length - 1] == '*';

        if (strncmp(name, refused[i].name, begin ? length - 1 : length + 1) != 0)
            continue;
        *reason_out = refused[i].reason;
        *page_out = refused[i].page;
        return PORT_REFUSED;
    }
    return PORT_UNKNOWN;
}

bool port_needs_cxx(const char *name)
{
    static const char *const cxx[] = {
#define PORT_NEEDS_CXX(name) #name,
#include "names_cxx.inc"
#undef PORT_NEEDS_CXX
    };

    for (size_t i = 0; i < sizeof cxx / sizeof *cxx; i++)
        if (strcmp(name, cxx[i]) == 0)
            return true;
    return false;
}

/* ---- the pass -------------------------------------------------------------------------------- */

static void refuse(port_job *job, port_file *file, uint32_t i, const char *name)
{
    const char *reason, *page;
    const port_fate fate = port_name_fate(name, &reason, &page);

    if (fate == PORT_REFUSED)
        port_report(job, PORT_ERROR, "refused-name", file, file->tokens[i].line, page, "%s: %s",
                    name, reason);
    else if (job->c11 && fate == PORT_MAPPED && port_needs_cxx(name))
        port_report(job, PORT_ERROR, "needs-cxx", file, file->tokens[i].line,
                    "docs/port.md#c-instead-of-c", "%s: is not offered in C: translate without --c",
                    name);
    else if (fate == PORT_UNKNOWN)
        port_report(job, PORT_ERROR, "unknown-name", file, file->tokens[i].line, port_page_names,
                    "%s: is not translated", name);
}

/* Names of libraries: thrust::sort, cub::BlockReduce, cg::reduce. */
static bool judge_qualified(port_job *job, port_file *file, uint32_t i)
{
    static const char *const spaces[] = {"thrust", "cub", "cooperative_groups"};
    const char *space = NULL;
    char name[600];

    if (!port_is(file, i + 1, "::") || !port_is_name(file, i + 2) || port_is(file, i - 1, "::"))
        return false;
    for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++)
        if (port_is(file, i, spaces[k]))
            space = spaces[k];
    if (!space && port_is(file, i, "cg") &&
        !port_names_has(job->declared, job->declared_count, "cg"))
        space = "cooperative_groups";
    if (port_is(file, i, "hipcub"))
        space = "cub";
    if (space) {
        const bool inner = port_is(file, i + 2, "cuda") && port_is(file, i + 3, "::");

        snprintf(name, sizeof name, "%s::%s%s%s", space, port_text(file, i + 2), inner ? "::" : "",
                 inner ? port_text(file, i + 4) : "");
        refuse(job, file, i, name);
        return true;
    }
    if ((port_is(file, i, "cuda") || port_is(file, i, "nvcuda") || port_is(file, i, "rocprim")) &&
        !port_names_has(job->declared, job->declared_count, port_text(file, i))) {
        port_report(job, PORT_ERROR, "library", file, file->tokens[i].line, port_page,
                    "%s::%s: this library has no counterpart", port_text(file, i),
                    port_text(file, i + 2));
        return true;
    }
    return false;
}

static void judge_assembly(port_job *job, port_file *file, uint32_t i)
{
    if (!port_is(file, i, "asm") && !port_is(file, i, "__asm__") && !port_is(file, i, "__asm"))
        return;
    if (port_is(file, i + 1, "(") || port_is(file, i + 1, "volatile") ||
        port_is(file, i + 1, "__volatile__"))
        port_report(job, PORT_ERROR, "ptx", file, file->tokens[i].line,
                    "docs/port.md#what-is-an-error",
                    "inline PTX: write what it computes in C++, or a function of the dialect "
                    "(docs/dialect.md)");
}

/* A branch for device code that the CPU engine does not take. */
static void judge_architecture(port_job *job, port_file *file, uint32_t i)
{
    if (port_is(file, i, "__CUDA_ARCH__"))
        port_report(job, PORT_WARNING, "architecture", file, file->tokens[i].line,
                    "docs/port.md#what-a-translation-cannot-find",
                    "__CUDA_ARCH__ is not defined on the CPU engine, which takes the branch of "
                    "host code in kernels too");
}

/* Within #if or #elif, where a name that is defined nowhere is 0. */
static bool in_condition(const port_file *file, uint32_t i)
{
    const uint32_t directive = file->tokens[i].directive;

    while (directive && i > 0 && file->tokens[i - 1].directive == directive)
        i--;
    return directive && (port_is(file, i + 1, "if") || port_is(file, i + 1, "elif"));
}

/* Within __attribute__((...)), whose words belong to the compiler. */
static bool in_attribute(const port_file *file, uint32_t i)
{
    while (i > 0 && (port_is_name(file, i - 1) || port_is(file, i - 1, ",")))
        i--;
    return i > 2 && port_is(file, i - 1, "(") && port_is(file, i - 2, "(") &&
           (port_is(file, i - 3, "__attribute__") || port_is(file, i - 3, "__attribute"));
}

void port_pass_names(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i < file->count; i++) {
        const char *name;

        if (!port_is_name(file, i))
            continue;
        judge_architecture(job, file, i);
        if (file->tokens[i].directive && !port_is(file, i, "asm") &&
            (port_is(file, i - 1, "defined") || port_is(file, i - 1, "ifdef") ||
             port_is(file, i - 1, "ifndef") || port_is(file, i - 1, "undef")))
            continue;
        judge_assembly(job, file, i);
        if (judge_qualified(job, file, i))
            continue;
        name = port_text(file, i);
        if (!port_looks_foreign(name) || port_is_hip(name)) /* hip.c judges the latter */
            continue;
        if (port_is(file, i - 1, ".") || port_is(file, i - 1, "->"))
            continue;
        if (name[0] == '_' && (in_condition(file, i) || in_attribute(file, i)))
            continue;
        if (!port_names_has(job->declared, job->declared_count, name))
            refuse(job, file, i, name);
    }
}
