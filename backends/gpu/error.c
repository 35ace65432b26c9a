/* SPDX-License-Identifier: Apache-2.0 */
/* error.c - maps the vendor's errors to statuses, and sets the current device. */
#include "gpu.h"

const char *hdb_name(void)
{
    return GPU_BACKEND_NAME;
}

hd_status hdb_native_supported(void)
{
    return HD_OK;
}

void hdb_handle_refused(const char *call, const void *handle, const char *what)
{
    (void)call;
    (void)handle;
    (void)what;
}

static hd_status status_of(GPU(Error_t) error)
{
    switch ((int)error) {
#define STATUS_OF(vendor, status)                                                                  \
    case vendor:                                                                                   \
        return status;
        GPU_ERROR_LIST(STATUS_OF)
#undef STATUS_OF
    default:
        return HD_ERR_BACKEND;
    }
}

/* Clears the vendor's last error if the failed call set it; the error of a faulted device persists
   anyway. */
static void forget(GPU(Error_t) error)
{
    if (GPU(PeekAtLastError)() == error)
        (void)GPU(GetLastError)();
}

hd_status hd_gpu_answer(GPU(Error_t) error)
{
    if (error == GPU(Success))
        return HD_OK;
    forget(error);
    return status_of(error);
}

hd_status hd_gpu_check(const char *call, GPU(Error_t) error)
{
    hd_status status = hd_gpu_answer(error);
    if (status >= 0)
        return status;
    return hd__fail_native(status, call, (int)error, GPU(GetErrorName)(error),
                           GPU(GetErrorString)(error));
}

hd_status hd_gpu_restate(hd_status status, const char *call)
{
    return hd__fail(status, call, "%s", hd_error_last()->message);
}

hd_status hd_gpu_enter(const char *call, int ordinal, int *previous)
{
    GPU(Error_t) error = GPU(GetDevice)(previous);
    if (error == GPU(Success) && *previous != ordinal)
        error = GPU(SetDevice)(ordinal);
    return hd_gpu_check(call, error);
}

void hd_gpu_leave(int ordinal, int previous)
{
    if (previous != ordinal)
        (void)GPU(SetDevice)(previous);
}
