/* SPDX-License-Identifier: Apache-2.0 */
/* version.c - the version of the library. */
#include <heddle/heddle.h>

#define TEXT_OF_(x) #x
#define TEXT_OF(x) TEXT_OF_(x)

const char *hd_version(void)
{
    return TEXT_OF(HD_VERSION_MAJOR) "." TEXT_OF(HD_VERSION_MINOR) "." TEXT_OF(HD_VERSION_PATCH);
}
