/* SPDX-License-Identifier: Apache-2.0 */
/* ccl.c - collective communication library of the backend: the CPU has none. */
#include "runtime/backend.h"

hd_status hdb_ccl_open(const char *call, const char *file, const int *ordinals, unsigned count,
                       void **communicators)
{
    (void)file;
    (void)ordinals;
    (void)count;
    (void)communicators;
    return hd__fail(HD_ERR_UNSUPPORTED, call, "the CPU has no library of collectives");
}

hd_status hdb_ccl_identify(const char *call, const char *file, void *id)
{
    (void)file;
    (void)id;
    return hd__fail(HD_ERR_UNSUPPORTED, call, "the CPU has no library of collectives");
}

hd_status hdb_ccl_join(const char *call, const void *id, int ordinal, unsigned count, unsigned rank,
                       void **communicator)
{
    (void)id;
    (void)ordinal;
    (void)count;
    (void)rank;
    (void)communicator;
    return hd__fail(HD_ERR_UNSUPPORTED, call, "the CPU has no library of collectives");
}

void hdb_ccl_close(void *communicator, int aborted)
{
    (void)communicator;
    (void)aborted;
}

int hdb_ccl_has(hd_type type)
{
    (void)type;
    return 0;
}

hd_status hdb_ccl_together(const char *call, int begin)
{
    (void)begin;
    return hd__fail(HD_ERR_UNSUPPORTED, call, "the CPU has no library of collectives");
}

hd_status hdb_ccl_run(const char *call, const hd__ccl_work *work)
{
    (void)work;
    return hd__fail(HD_ERR_UNSUPPORTED, call, "the CPU has no library of collectives");
}
