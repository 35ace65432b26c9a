/* SPDX-License-Identifier: Apache-2.0 */
/* c11.h - `heddle port --c`: the output is C11 over <heddle/cuda_names.h>, which the GPU backends
   still compile as C++. What C writes differently is rewritten; what C does not have is an error.
   A construct that is neither recognised nor valid C is left to the compiler, so the passes need to
   find only what C would silently understand in another way. */
#ifndef HEDDLE_CLI_PORT_C11_C11_H
#define HEDDLE_CLI_PORT_C11_C11_H

#include "cli/port/port.h"

/* Reports that the token needs C++, `what` in the plural; in each file the first one. */
void c11_needs_cxx(port_job *job, const port_file *file, uint32_t i, const char *what);
/* The first token of the declaration that the token, one of its specifiers, belongs to. */
uint32_t c11_begin(const port_file *file, uint32_t i);
/* The innermost `{` around the token that is not of extern "C"; 0: it is at file scope. */
uint32_t c11_scope(const port_file *file, uint32_t i);
/* Whether the `{` begins the members of a struct, union or enum. */
bool c11_is_members(const port_file *file, uint32_t brace);
/* Whether the token is a word of a built-in type: unsigned, int, float, size_t ... */
bool c11_is_type(const port_file *file, uint32_t i);
/* Whether the token is one of these words, of which the last is NULL. */
bool c11_is_one_of(const port_file *file, uint32_t i, const char *const *words);

/* The clocks of <chrono>. */
void c11_times(port_job *job, port_file *file);
/* Reports what C does not have: templates, references, methods ...; f() becomes f(void). */
void c11_find_cxx(port_job *job, port_file *file);
/* Kernels are declared to the launches, by HD_PORT_KERNEL, and defined, by HD_PORT_DEFINE. */
void c11_kernels(port_job *job, port_file *file);
/* dim3 has constructors in C++. */
void c11_dims(port_job *job, port_file *file);
/* Tags are types in C++, and constant integers are constant expressions. */
void c11_types(port_job *job, port_file *file);
/* Gathers macros and names of types that c11_types() and c11_words() have to know. */
void c11_survey_types(port_job *job, const port_file *file);
/* Casts, extern "C", inline, nullptr. */
void c11_words(port_job *job, port_file *file);

#endif
