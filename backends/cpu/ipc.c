/* SPDX-License-Identifier: Apache-2.0 */
/* ipc.c - memory of virtual devices cannot be opened by another process; ranks use shared memory
   instead. */
#include "runtime/backend.h"

hd_status hdb_share_name(const char *call, int ordinal, void *memory, void *name)
{
    (void)ordinal;
    (void)memory;
    (void)name;
    return hd__fail(HD_ERR_UNSUPPORTED, call, "processes cannot share memory of virtual devices");
}

hd_status hdb_share_open(const char *call, int ordinal, const void *name, void **memory)
{
    (void)ordinal;
    (void)name;
    (void)memory;
    return hd__fail(HD_ERR_UNSUPPORTED, call, "processes cannot share memory of virtual devices");
}

void hdb_share_close(int ordinal, void *memory)
{
    (void)ordinal;
    (void)memory;
}
