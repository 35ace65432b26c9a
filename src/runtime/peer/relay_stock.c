/* SPDX-License-Identifier: Apache-2.0 */
/* relay_stock.c - page-locked memory of captured staged transfers: owned by a graph until no launch
   can use it, then available to the next capture. */
#include "peer.h"

#include <stdlib.h>

#include "runtime/runtime.h"

typedef struct stock {
    void *memory;
    size_t bytes;
    int device;
    struct stock *next;
} stock;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static stock *stocks; /* memory of destroyed graphs */

static void stock_return(void *pointer)
{
    stock *mine = pointer;

    (void)pthread_mutex_lock(&lock);
    mine->next = stocks;
    stocks = mine;
    (void)pthread_mutex_unlock(&lock);
}

/* The first one that is large enough and not far too large. */
static stock *stock_find(int device, size_t bytes)
{
    stock *found = NULL;

    (void)pthread_mutex_lock(&lock);
    for (stock **link = &stocks; *link; link = &(*link)->next)
        if ((*link)->device == device && (*link)->bytes >= bytes && (*link)->bytes / 4 <= bytes) {
            found = *link;
            *link = found->next;
            break;
        }
    (void)pthread_mutex_unlock(&lock);
    return found;
}

static hd_status stock_make(const char *call, int device, size_t bytes, stock **out)
{
    stock *made = malloc(sizeof *made);

    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a staged transfer");
    *made = (stock){NULL, bytes, device, NULL};
    hd_status status = hd_alloc_bytes(&made->memory, bytes, 1, HD_MEM_PINNED, device);
    if (status < 0) {
        free(made);
        return status;
    }
    hdb_memory_keep(made->memory);
    *out = made;
    return HD_OK;
}

hd_status hd__relay_stock(const char *call, hd_stream *stream, int device, size_t bytes,
                          unsigned char **memory)
{
    hd__tasks **tasks = hd__capture_tasks(stream);
    stock *mine = stock_find(device, bytes);

    if (!tasks) {
        if (mine)
            stock_return(mine);
        return hd__fail(HD_ERR_STATE, call,
                        "the stream is captured, but not by hd_stream_capture_begin: nobody would "
                        "own the memory of a staged transfer");
    }
    if (!mine)
        HD_TRY(stock_make(call, device, bytes, &mine));
    hd_status status = hd__tasks_own(call, tasks, stock_return, mine);
    if (status < 0)
        stock_return(mine);
    else
        *memory = mine->memory;
    return status;
}

void hd__relay_stock_trim(void)
{
    (void)pthread_mutex_lock(&lock);
    stock *spare = stocks;
    stocks = NULL;
    (void)pthread_mutex_unlock(&lock);
    for (stock *next; spare; spare = next) {
        next = spare->next;
        (void)hd_free(spare->memory);
        free(spare);
    }
}

void hd__relay_stock_gone(int device)
{
    (void)pthread_mutex_lock(&lock);
    for (stock **link = &stocks; *link;) {
        stock *at = *link;
        if (at->device == device) {
            *link = at->next;
            free(at);
        } else {
            link = &at->next;
        }
    }
    (void)pthread_mutex_unlock(&lock);
}
