/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.c - characters of UTF-8. */
#include "utf8.h"

size_t hd__utf8_length(const unsigned char *text)
{
    size_t length = text[0] < 0x80                       ? 1
                    : text[0] >= 0xc2 && text[0] < 0xe0  ? 2
                    : text[0] >= 0xe0 && text[0] < 0xf0  ? 3
                    : text[0] >= 0xf0 && text[0] <= 0xf4 ? 4
                                                         : 0;

    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}
