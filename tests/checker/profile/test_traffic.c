/* SPDX-License-Identifier: Apache-2.0 */
/* test_traffic.c - sectors and bank conflicts against values counted by hand.
   labels: once */
#include "backends/cpu/check/profile/traffic.h"

#include "test.h"

static hd_check_request request;

/* Lanes [0, lanes) access `bytes` bytes each, `stride` bytes apart from `base` on. */
static void strided(unsigned lanes, uint64_t base, uint64_t stride, unsigned bytes)
{
    request.lanes = lanes == 64 ? ~(uint64_t)0 : ((uint64_t)1 << lanes) - 1;
    for (unsigned lane = 0; lane < lanes; lane++) {
        request.address[lane] = base + lane * stride;
        request.bytes[lane] = (uint16_t)bytes;
    }
}

#define CHECK_GLOBAL(sectors, least, of_128)                                                       \
    do {                                                                                           \
        hd_check_traffic t = hd_check_traffic_global(&request);                                    \
        CHECK_EQ_I64(t.transactions, sectors);                                                     \
        CHECK_EQ_I64(t.ideal, least);                                                              \
        CHECK_EQ_I64(t.lines, of_128);                                                             \
    } while (0)

#define CHECK_SHARED(passes, least, worst)                                                         \
    do {                                                                                           \
        hd_check_traffic t = hd_check_traffic_shared(&request);                                    \
        CHECK_EQ_I64(t.transactions, passes);                                                      \
        CHECK_EQ_I64(t.ideal, least);                                                              \
        CHECK_EQ_I64(t.degree, worst);                                                             \
    } while (0)

/* ---- global memory --------------------------------------------------------------------------- */

TEST(neighbours_share_sectors)
{
    strided(32, 4096, 4, 4); /* 128 bytes */
    CHECK_GLOBAL(4, 4, 1);
    strided(64, 4096, 4, 4); /* 256 bytes */
    CHECK_GLOBAL(8, 8, 2);
    strided(32, 4096, 8, 8);
    CHECK_GLOBAL(8, 8, 2);
    strided(32, 4096, 16, 16); /* 512 bytes */
    CHECK_GLOBAL(16, 16, 4);
    strided(32, 4096, 1, 1);
    CHECK_GLOBAL(1, 1, 1);
}

TEST(a_shifted_row_takes_one_more)
{
    strided(32, 4096 + 4, 4, 4); /* bytes 4 to 131 */
    CHECK_GLOBAL(5, 4, 2);
    strided(32, 4096 + 31, 1, 1); /* bytes 31 to 62 */
    CHECK_GLOBAL(2, 1, 1);
}

TEST(strides_waste_sectors)
{
    strided(32, 4096, 8, 4); /* 256 bytes, half of them used */
    CHECK_GLOBAL(8, 4, 2);
    strided(32, 4096, 12, 4); /* 376 bytes from the first to the last */
    CHECK_GLOBAL(12, 4, 3);
    strided(32, 4096, 4096, 4);
    CHECK_GLOBAL(32, 4, 32);
    strided(64, 4096, 32, 4);
    CHECK_GLOBAL(64, 8, 16);
}

static void check_words(unsigned words)
{
    CHECK_EQ_I64(hd_check_traffic_global(&request).words, words);
}

TEST(words_are_counted_once)
{
    strided(32, 4096, 0, 4);
    check_words(1);
    strided(64, 4096, 4, 4);
    check_words(64);
    strided(32, 4096, 128, 8);
    check_words(64);
    strided(32, 4096, 1, 1); /* four lanes in each */
    check_words(8);
    strided(1, 4096 + 30, 0, 4); /* half of one and half of the next */
    check_words(2);
}

TEST(one_address_is_one_sector)
{
    strided(32, 4096, 0, 4);
    CHECK_GLOBAL(1, 1, 1);
    strided(1, 4096 + 30, 0, 4); /* over the edge of a sector */
    CHECK_GLOBAL(2, 1, 1);
}

TEST(lanes_that_stay_away_do_not_count)
{
    strided(32, 4096, 4, 4);
    request.lanes = 0x0000ff00; /* bytes 32 to 63 */
    CHECK_GLOBAL(1, 1, 1);
    request.lanes = 0x80000001;
    CHECK_GLOBAL(2, 1, 1);
}

TEST(whole_structs)
{
    strided(32, 4096, 128, 128);
    CHECK_GLOBAL(128, 128, 32);
    strided(64, 4096 + 16, 1024, 1024); /* 128 bytes of each, off by half a sector: 5 sectors */
    CHECK_GLOBAL(320, 256, 128);
}

/* ---- vectors --------------------------------------------------------------------------------- */

/* The lanes' accesses of the same size that begin `by` bytes further on. */
static hd_check_request moved(int by)
{
    hd_check_request other = request;

    for (unsigned lane = 0; lane < HD_CHECK_REQUEST_LANES; lane++)
        other.address[lane] = request.address[lane] + (uint64_t)(int64_t)by;
    return other;
}

TEST(elements_of_a_vector_are_one_access)
{
    hd_check_request y, z, w;

    strided(32, 4096, 16, 4);
    y = moved(4), z = moved(8), w = moved(12);
    CHECK(!hd_check_request_join(&request, &z)); /* not neighbours yet */
    CHECK(hd_check_request_join(&w, &z));
    CHECK(hd_check_request_join(&request, &y));
    CHECK(hd_check_request_join(&request, &w));
    CHECK_EQ_I64(request.bytes[31], 16);
    CHECK_EQ_I64(request.address[31], 4096 + 31 * 16);
    CHECK_GLOBAL(16, 16, 4);
}

TEST(neighbours_of_a_stencil_are_not)
{
    hd_check_request left;

    strided(32, 4096 + 4, 4, 4);
    left = moved(-4);
    CHECK(!hd_check_request_join(&request, &left));
    left.lanes = 1; /* other lanes */
    CHECK(!hd_check_request_join(&request, &left));
}

/* ---- shared memory --------------------------------------------------------------------------- */

TEST(a_row_has_no_conflict)
{
    strided(32, 4096, 4, 4);
    CHECK_SHARED(1, 1, 1);
    strided(64, 4096, 4, 4);
    CHECK_SHARED(2, 2, 1);
    strided(32, 4096 + 52, 4, 4); /* wherever it begins */
    CHECK_SHARED(1, 1, 1);
    strided(32, 4096, 1, 1); /* four lanes to a word */
    CHECK_SHARED(1, 1, 1);
}

TEST(the_same_word_is_read_once)
{
    strided(32, 4096, 0, 4);
    CHECK_SHARED(1, 1, 1);
    strided(32, 4096, 0, 16);
    CHECK_SHARED(4, 4, 1);
}

TEST(strides_conflict)
{
    strided(32, 4096, 8, 4); /* 16 banks, two words each */
    CHECK_SHARED(2, 1, 2);
    strided(32, 4096, 16, 4);
    CHECK_SHARED(4, 1, 4);
    strided(32, 4096, 128, 4); /* a column of 32 words */
    CHECK_SHARED(32, 1, 32);
    strided(32, 4096, 132, 4); /* padded by a word */
    CHECK_SHARED(1, 1, 1);
    strided(64, 4096, 128, 4);
    CHECK_SHARED(64, 2, 32);
    strided(32, 4096, 12, 4); /* no common factor with 32 */
    CHECK_SHARED(1, 1, 1);
}

TEST(wide_accesses_go_in_phases)
{
    strided(32, 4096, 8, 8); /* two half-warps of 128 bytes */
    CHECK_SHARED(2, 2, 1);
    strided(32, 4096, 16, 16); /* four phases of eight lanes */
    CHECK_SHARED(4, 4, 1);
    strided(32, 4096, 16, 8); /* of 16 lanes every other pair of banks: two words each */
    CHECK_SHARED(4, 2, 2);
    strided(32, 4096, 256, 8); /* all 16 lanes of a phase on the same two banks */
    CHECK_SHARED(32, 2, 16);
    strided(8, 4096, 32, 32); /* two pieces of 16 bytes, each hits half of the banks twice */
    CHECK_SHARED(4, 2, 2);
}

TEST_MAIN
