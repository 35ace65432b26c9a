/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.h - characters of UTF-8 in texts of unknown origin. */
#ifndef HEDDLE_BASE_UTF8_H
#define HEDDLE_BASE_UTF8_H

#include <stddef.h>

/* Bytes of the UTF-8 character at text, which ends in NUL; 0 if it is invalid. */
size_t hd__utf8_length(const unsigned char *text);

#endif
