/* SPDX-License-Identifier: Apache-2.0 */
/* Error messages about files, and escaping of foreign text for printing. */
#ifndef HEDDLE_IO_MESSAGE_H
#define HEDDLE_IO_MESSAGE_H

#include <stddef.h>

#define HD__IO_NAME 80 /* maximum bytes of a file name in a message */
#define HD__IO_CELL 48 /* maximum bytes of a cell, a column or a dtype in a message */

/* Writes "name: text" and returns status, so that callers can return the result. */
__attribute__((format(printf, 4, 5))) int hd__io_fail(char *message, int status, const char *name,
                                                      const char *format, ...);

/* Copies foreign bytes as one printable line: control characters and invalid UTF-8 become escapes
   such as \n or \x1b; text that is too long is truncated and ends with "...". size is at least
   8. */
void hd__io_printable(const char *bytes, size_t length, char *text, size_t size);

/* The same for a path, which is truncated at its beginning. */
void hd__io_printable_path(const char *path, char *text, size_t size);

#endif
