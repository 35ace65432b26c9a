/* SPDX-License-Identifier: Apache-2.0 */
/* ipc.c - maps device memory of one process into another process on the same node. */
#include <string.h>

#include "gpu.h"

hd_status hdb_share_name(const char *call, int ordinal, void *memory, void *name)
{
    GPU(IpcMemHandle_t) handle;
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    memset(&handle, 0, sizeof handle);
    status = hd_gpu_check(call, GPU(IpcGetMemHandle)(&handle, memory));
    hd_gpu_leave(ordinal, previous);
    memcpy(name, &handle, sizeof handle);
    return status;
}

hd_status hdb_share_open(const char *call, int ordinal, const void *name, void **memory)
{
    GPU(IpcMemHandle_t) handle;
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    memcpy(&handle, name, sizeof handle);
    *memory = NULL;
    status = hd_gpu_check(call,
                          GPU(IpcOpenMemHandle)(memory, handle, GPU(IpcMemLazyEnablePeerAccess)));
    hd_gpu_leave(ordinal, previous);
    return status;
}

void hdb_share_close(int ordinal, void *memory)
{
    int previous;

    if (!memory || hd_gpu_enter("hd_mpi_destroy", ordinal, &previous) < 0)
        return;
    (void)hd_gpu_answer(GPU(IpcCloseMemHandle)(memory));
    hd_gpu_leave(ordinal, previous);
}
