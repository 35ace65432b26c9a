/* SPDX-License-Identifier: Apache-2.0 */
/* probe.c - data-integrity check of a link: sends patterns between two devices by a copy, by loads
   and by stores of a kernel, and compares. Some links accept all of these but deliver wrong data
   (misconfigured address translation between the devices). */
#include "peer.h"

#include <stdio.h>

#include "pattern.h"

/* An odd number of words, so that copies end within a vector. */
enum { WORDS = (64 << 10) / 4 - 3 };

typedef struct side {
    int device;
    hd_stream *stream;
    uint32_t *data;
    uint32_t *wrong; /* one counter per test */
} side;

typedef enum probe_test { BY_COPY, BY_LOADS, BY_STORES, TESTS } probe_test;

static hd_status side_open(side *s, int device)
{
    s->device = device;
    HD_TRY(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, 0, &s->stream));
    HD_TRY(hd_alloc(&s->data, WORDS, device));
    return hd_alloc(&s->wrong, TESTS, device);
}

static void side_close(side *s)
{
    (void)hd_free(s->wrong);
    (void)hd_free(s->data);
    (void)hd_stream_destroy(s->stream);
}

static hd_status pattern_write(const side *by, const side *in, uint32_t seed)
{
    HD_TRY(hd__pattern_write(WORDS, seed, in->data, by->stream));
    return hd_stream_synchronize(by->stream);
}

/* Asynchronous: until the host has waited for by->stream, no other stream may write to the memory
   that is compared. */
static hd_status pattern_look(const side *by, const side *in, uint32_t seed, probe_test test)
{
    return hd__pattern_compare(WORDS, seed, in->data, by->wrong + test, by->stream);
}

/* All accesses of `near` to memory of `far`. */
static hd_status probe_direction(const side *near, const side *far, uint32_t seed)
{
    HD_TRY(hd_fill_zero(near->wrong, TESTS, near->stream));
    HD_TRY(hd_fill_zero(far->wrong, TESTS, far->stream));
    HD_TRY(pattern_write(far, far, seed));
    HD_TRY(hd_copy_peer(near->data, near->device, far->data, far->device, WORDS * sizeof(uint32_t),
                        near->stream));
    HD_TRY(pattern_look(near, near, seed, BY_COPY));
    HD_TRY(pattern_look(near, far, seed, BY_LOADS));
    HD_TRY(pattern_write(near, far, ~seed));
    return pattern_look(far, far, ~seed, BY_STORES);
}

/* Reports the first test with mismatches. */
static hd_status first_mismatch(const side *near, const side *far, char *reason, size_t size)
{
    static const char *const names[] = {"copies", "loads", "stores"};
    uint32_t wrong[TESTS], stored = 0;

    HD_TRY(hd_copy_blocking(wrong, (const uint32_t *)near->wrong, TESTS, near->stream));
    HD_TRY(hd_copy_blocking(&stored, (const uint32_t *)far->wrong + BY_STORES, 1, far->stream));
    wrong[BY_STORES] = stored;
    for (int test = 0; test < TESTS; test++)
        if (wrong[test]) {
            (void)snprintf(reason, size,
                           "the pattern came back wrong: %s %s device %d by device "
                           "%d, %u of %d words",
                           names[test], test == BY_STORES ? "to" : "from", far->device,
                           near->device, (unsigned)wrong[test], (int)WORDS);
            break;
        }
    return HD_OK;
}

hd_status hd__peer_probe(int a, int b, int *right, char *reason, size_t size)
{
    side sides[2] = {{0, NULL, NULL, NULL}, {0, NULL, NULL, NULL}};
    hd_status status = side_open(&sides[0], a);

    reason[0] = '\0';
    if (status >= 0)
        status = side_open(&sides[1], b);
    for (int direction = 0; direction < 2 && status >= 0 && !reason[0]; direction++) {
        const side *near = &sides[direction], *far = &sides[1 - direction];
        status = probe_direction(near, far, 0x9e3779b9u + (uint32_t)direction);
        if (status >= 0)
            status = first_mismatch(near, far, reason, size);
    }
    side_close(&sides[0]);
    side_close(&sides[1]);
    if (status >= 0)
        *right = !reason[0];
    return status;
}
