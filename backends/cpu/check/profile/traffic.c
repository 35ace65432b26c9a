/* SPDX-License-Identifier: Apache-2.0 */
/* traffic.c - counts sectors and bank conflicts of a request. */
#include "traffic.h"

/* ---- vectors --------------------------------------------------------------------------------- */

enum { VECTOR = 16 };

/* Whether b continues a in every lane, within 16 aligned bytes. */
static int follows(const hd_check_request *b, const hd_check_request *a)
{
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint64_t end = b->address[lane] + b->bytes[lane];

        if (a->address[lane] + a->bytes[lane] != b->address[lane] ||
            a->address[lane] / VECTOR != (end - 1) / VECTOR)
            return 0;
    }
    return 1;
}

int hd_check_request_join(hd_check_request *request, const hd_check_request *other)
{
    int behind;

    if (!request->lanes || request->lanes != other->lanes)
        return 0;
    behind = follows(other, request);
    if (!behind && !follows(request, other))
        return 0;
    for (uint64_t left = request->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);

        if (!behind)
            request->address[lane] = other->address[lane];
        request->bytes[lane] = (uint16_t)(request->bytes[lane] + other->bytes[lane]);
    }
    return 1;
}

/* ---- global memory --------------------------------------------------------------------------- */

enum { SECTOR = 32, LINE = 128, BYTES_MAX = 128, BANKS = 32, WORD = 4, PIECE = 16 };
enum { SECTORS_MAX = HD_CHECK_REQUEST_LANES * (BYTES_MAX / SECTOR + 1) };

typedef struct sectors {
    unsigned count;
    uint64_t number[SECTORS_MAX];
    uint32_t used[SECTORS_MAX]; /* mask of used bytes */
} sectors;

/* Neighbouring lanes usually access the same sectors: searches from the last one. */
static void sector_use(sectors *s, uint64_t number, uint32_t bytes)
{
    unsigned i = s->count;

    while (i > 0 && s->number[i - 1] != number)
        i--;
    if (i == 0) {
        s->number[s->count] = number;
        s->used[s->count++] = bytes;
    } else {
        s->used[i - 1] |= bytes;
    }
}

static void sectors_of(sectors *s, uint64_t address, unsigned bytes)
{
    uint64_t end = address + (bytes < BYTES_MAX ? bytes : BYTES_MAX);

    while (address < end) {
        unsigned from = (unsigned)(address % SECTOR);
        unsigned size = end - address < SECTOR - from ? (unsigned)(end - address) : SECTOR - from;

        sector_use(s, address / SECTOR, ~(uint32_t)0 >> (SECTOR - size) << from);
        address += size;
    }
}

static unsigned lines_of(const sectors *s)
{
    const unsigned per_line = LINE / SECTOR;
    unsigned lines = 0;

    for (unsigned i = 0; i < s->count; i++) {
        unsigned j = 0;

        while (j < i && s->number[j] / per_line != s->number[i] / per_line)
            j++;
        lines += j == i;
    }
    return lines;
}

/* Number of words of a sector of which a byte is used. */
static unsigned words_in(uint32_t used)
{
    uint32_t pairs = used | used >> 1;

    return (unsigned)__builtin_popcount((pairs | pairs >> 2) & 0x11111111u);
}

hd_check_traffic hd_check_traffic_global(const hd_check_request *request)
{
    hd_check_traffic traffic = {0, 0, 0, 0, 0};
    unsigned bytes = 0;
    sectors s;

    s.count = 0;
    for (uint64_t left = request->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);

        sectors_of(&s, request->address[lane], request->bytes[lane]);
    }
    for (unsigned i = 0; i < s.count; i++) {
        bytes += (unsigned)__builtin_popcount(s.used[i]);
        traffic.words += words_in(s.used[i]);
    }
    traffic.transactions = s.count;
    traffic.ideal = (bytes + SECTOR - 1) / SECTOR;
    traffic.lines = lines_of(&s);
    return traffic;
}

/* ---- shared memory --------------------------------------------------------------------------- */

typedef struct words {
    unsigned count, most;
    unsigned in_bank[BANKS];
    uint64_t number[HD_CHECK_REQUEST_LANES * (PIECE / WORD + 1)];
} words;

static void word_use(words *w, uint64_t number)
{
    unsigned in_bank;

    for (unsigned i = w->count; i > 0; i--)
        if (w->number[i - 1] == number)
            return;
    w->number[w->count++] = number;
    in_bank = ++w->in_bank[number % BANKS];
    if (w->most < in_bank)
        w->most = in_bank;
}

/* Passes for the lanes of one phase, for the piece of their accesses at offset `from`. */
static unsigned phase_passes(const hd_check_request *request, uint64_t lanes, unsigned from)
{
    words w;

    w.count = w.most = 0;
    for (unsigned i = 0; i < BANKS; i++)
        w.in_bank[i] = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left), bytes = request->bytes[lane];
        uint64_t address = request->address[lane] + from, end;

        if (bytes <= from)
            continue;
        end = address + (bytes - from < PIECE ? bytes - from : PIECE);
        for (uint64_t word = address / WORD; word * WORD < end; word++)
            word_use(&w, word);
    }
    return w.most;
}

static unsigned largest(const hd_check_request *request)
{
    unsigned bytes = 0;

    for (uint64_t left = request->lanes; left; left &= left - 1) {
        unsigned mine = request->bytes[__builtin_ctzll(left)];

        bytes = bytes < mine ? mine : bytes;
    }
    return bytes < BYTES_MAX ? bytes : BYTES_MAX;
}

hd_check_traffic hd_check_traffic_shared(const hd_check_request *request)
{
    hd_check_traffic traffic = {0, 0, 0, 0, 0};
    unsigned bytes = largest(request);
    unsigned size = bytes <= WORD ? 32 : bytes <= 2 * WORD ? 16 : 8; /* lanes per phase */

    for (unsigned from = 0; from < bytes; from += PIECE) {
        for (unsigned first = 0; first < HD_CHECK_REQUEST_LANES; first += size) {
            uint64_t lanes = request->lanes & (((uint64_t)1 << size) - 1) << first;
            unsigned passes = phase_passes(request, lanes, from);

            traffic.transactions += passes;
            traffic.ideal += passes != 0;
            traffic.degree = traffic.degree < passes ? passes : traffic.degree;
        }
    }
    return traffic;
}
