/* SPDX-License-Identifier: Apache-2.0 */
/* bench_reduce.c - `heddle bench reduce`: hd_reduce against what memory can deliver and against the
   peer, for types, operations and sizes. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/reduce.h>

#include "kernels/bench.h"
#include "output.h"
#include "peers.h"
#include "timing.h"

enum {
    SIZES_MAX = 64,
    CACHES_READ = 4, /* rotated copies are this many times the cache */
    RESULT_BYTES = 64,
    DEFAULT_ROUNDS = 25,
    SIDES = 3
};
#define PEER_TOLERANCE 1e-2 /* of a plain f32 sum of 2^30 numbers; catches nonsense only */

typedef enum data_kind { DATA_WARM, DATA_ROTATED, DATA_MEMORY } data_kind;
static const char *const data_names[] = {"warm", "rotated", "memory"};

/* One benchmark: everything that a run of a side needs. */
typedef struct bench {
    const cli_arguments *arguments;
    timing clock;
    int device, ordinal;
    unsigned types, ops; /* bits */
    size_t sizes[SIZES_MAX], size_count;
    size_t cache_bytes;
    cli_format format;
    int compare, rows;
    cli_peers peers;
    char device_name[128];
    /* memory */
    unsigned char *data;
    size_t data_bytes;
    unsigned char *out; /* heddle's, the peer's and the ceiling's results */
    hd_workspace workspace;
    void *native_stream;
    /* the case that runs */
    size_t n, stride, copies;
    hd_type type;
    hd_reduce_op op;
    heddle_peer_reduce *peer;
} bench;

typedef struct row {
    data_kind data;
    timing_spread heddle, peer, ceiling;
    int has_peer;
} row;

static int failed_peer(bench *b)
{
    snprintf(b->clock.message, sizeof b->clock.message, "%s: %s", b->peers.name(),
             b->peers.error());
    return -1;
}

static const unsigned char *input(const bench *b, size_t turn)
{
    return b->data + turn % b->copies * b->stride;
}

/* ---- the sides ------------------------------------------------------------------------------ */

static int run_heddle(void *state, size_t turn)
{
    bench *b = state;

    if (hd_reduce(input(b, turn), b->n, b->type, b->op, b->out, &b->workspace, b->clock.stream) < 0)
        return timing_failed_call(&b->clock);
    return 0;
}

static int run_peer(void *state, size_t turn)
{
    bench *b = state;

    if (b->peers.reduce_run(b->peer, input(b, turn), b->out + RESULT_BYTES, b->native_stream) != 0)
        return failed_peer(b);
    return 0;
}

static int run_ceiling(void *state, size_t turn)
{
    bench *b = state;
    size_t vectors = b->n * hd_type_bytes(b->type) / sizeof(hd_u32x4);
    size_t blocks = (vectors + CEILING_VECTORS - 1) / CEILING_VECTORS;
    hd_launch_config config = hd_launch_with(hd_dim(blocks ? (unsigned)blocks : 1, 1, 1),
                                             hd_dim(CEILING_THREADS, 1, 1), 0, b->clock.stream);

    if (hd_launch(ceiling_read, config, vectors, (const hd_u32x4 *)(const void *)input(b, turn),
                  (uint32_t *)(void *)(b->out + 2 * RESULT_BYTES)) < 0)
        return timing_failed_call(&b->clock);
    return 0;
}

/* ---- options -------------------------------------------------------------------------------- */

/* Sets the bits of the words in a list, or those of `fallback` without one. */
static int read_words(const bench *b, const char *option, const char *fallback,
                      const char *(*name)(int), int count, unsigned *bits)
{
    const char *text = cli_option_value(b->arguments, option);

    *bits = 0;
    for (text = text ? text : fallback; text; text = *text ? text + 1 : NULL) {
        size_t length = strcspn(text, ",");
        int i = 0;

        while (i < count && (strlen(name(i)) != length || memcmp(name(i), text, length) != 0))
            i++;
        if (i == count)
            return cli_misused(b->arguments->command, "--%s: unknown '%.*s'", option, (int)length,
                               text);
        *bits |= 1u << i;
        text += length;
    }
    return CLI_DONE;
}

static const char *type_name(int type)
{
    return hd_type_name((hd_type)type);
}

static const char *op_name(int op)
{
    return hd_reduce_op_name((hd_reduce_op)op);
}

/* Adds "N", "2^K", or "2^A..2^B" in steps of four, which always contain 2^B. */
static int add_sizes(bench *b, const char *text, size_t length)
{
    const char *dots = strstr(text, "..");
    uint64_t first, last;

    if (!dots || (size_t)(dots - text) >= length) {
        if (!cli_size_read(text, length, &first) || b->size_count == SIZES_MAX)
            return -1;
        b->sizes[b->size_count++] = (size_t)first;
        return 0;
    }
    if (!cli_size_read(text, (size_t)(dots - text), &first) || first == 0 ||
        !cli_size_read(dots + 2, length - (size_t)(dots + 2 - text), &last) || first > last)
        return -1;
    for (; first <= last && b->size_count < SIZES_MAX; first *= 4) {
        b->sizes[b->size_count++] = (size_t)first;
        if (first > last / 4)
            break;
    }
    if (b->sizes[b->size_count - 1] != last && b->size_count < SIZES_MAX)
        b->sizes[b->size_count++] = (size_t)last;
    return 0;
}

static int read_sizes(bench *b)
{
    const char *text = cli_option_value(b->arguments, "sizes");

    if (!text)
        text = b->clock.host_clock ? "2^10..2^26" : "2^10..2^30";
    for (; text; text = *text ? text + 1 : NULL) {
        size_t length = strcspn(text, ",");

        if (add_sizes(b, text, length) < 0)
            return cli_misused(b->arguments->command, "--sizes: '%.*s' is no size or range",
                               (int)length, text);
        text += length;
    }
    for (size_t i = 0; i < b->size_count; i++)
        if (b->sizes[i] == 0 || b->sizes[i] > SIZE_MAX / 32)
            return cli_misused(b->arguments->command, "--sizes: %zu is out of range", b->sizes[i]);
    return CLI_DONE;
}

static int read_rounds(const bench *b, size_t *rounds)
{
    const char *text = cli_option_value(b->arguments, "rounds");
    uint64_t value = DEFAULT_ROUNDS;

    if (text &&
        (!cli_size_read(text, strlen(text), &value) || value < 3 || value > TIMING_ROUNDS_MAX))
        return cli_misused(b->arguments->command, "--rounds: '%s' is not from 3 to %d", text,
                           (int)TIMING_ROUNDS_MAX);
    *rounds = (size_t)value;
    return CLI_DONE;
}

static int read_options(bench *b, size_t *rounds)
{
    int status = cli_format_read(b->arguments, &b->format);

    b->compare = cli_option_given(b->arguments, "peers");
    b->clock.host_clock = strcmp(hd_backend_name(), "cpu") == 0;
    if (status == CLI_DONE)
        status = read_words(b, "types", "f32,f64,i32", type_name, HD_TYPE_COUNT_, &b->types);
    if (status == CLI_DONE)
        status = read_words(b, "ops", "sum,min,argmin", op_name, HD_REDUCE_COUNT_, &b->ops);
    if (status == CLI_DONE)
        status = read_sizes(b);
    return status == CLI_DONE ? read_rounds(b, rounds) : status;
}

/* ---- memory --------------------------------------------------------------------------------- */

static size_t largest_type(unsigned types)
{
    size_t largest = 1;

    for (int type = 0; type < HD_TYPE_COUNT_; type++)
        if (types & 1u << type && hd_type_bytes((hd_type)type) > largest)
            largest = hd_type_bytes((hd_type)type);
    return largest;
}

static hd_status fill_data(bench *b)
{
    size_t words = b->data_bytes / sizeof(uint32_t);

    HD_TRY(hd_launch(ceiling_fill, hd_launch_loop(words, 256, b->clock.stream), words,
                     (uint32_t *)(void *)b->data));
    return hd_stream_synchronize(b->clock.stream);
}

/* Bytes of the host's third-level cache; 0 where the system does not tell. */
static int64_t host_cache(void)
{
    FILE *stream = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
    char text[32] = "";
    uint64_t bytes = 0;

    if (!stream)
        return 0;
    if (!fgets(text, sizeof text, stream) || !cli_size_read(text, strcspn(text, "\n"), &bytes))
        bytes = 0;
    fclose(stream);
    return (int64_t)bytes;
}

/* Bytes of the largest cache between the device's memory and its cores; on the CPU backend a last
   level that the device's attributes do not tell of counts too. */
static hd_status find_cache(bench *b)
{
    int64_t cache;

    HD_TRY(hd_device_get(b->device, HD_ATTR_L2_BYTES, &cache));
    if (b->clock.host_clock && host_cache() > cache)
        cache = host_cache();
    b->cache_bytes = cache > 0 ? (size_t)cache : (size_t)32 << 20;
    return HD_OK;
}

/* Room for the largest input or for enough copies of the others, as memory allows; inputs that it
   does not allow are left out. */
static hd_status make_memory(bench *b)
{
    size_t free_bytes, total_bytes, most = 0, largest = largest_type(b->types);

    HD_TRY(find_cache(b));
    HD_TRY(hd_device_memory(b->device, &free_bytes, &total_bytes));
    for (size_t i = 0; i < b->size_count; i++)
        if (hd_bytes(b->sizes[i], largest) > most)
            most = hd_bytes(b->sizes[i], largest);
    if (most < CACHES_READ * b->cache_bytes)
        most = CACHES_READ * b->cache_bytes;
    if (most > free_bytes / 8 * 7)
        most = free_bytes / 8 * 7;
    b->data_bytes = (most + 255) / 256 * 256;
    HD_TRY(hd_alloc(&b->data, b->data_bytes, b->device));
    HD_TRY(hd_alloc(&b->out, SIDES * RESULT_BYTES, b->device));
    return fill_data(b);
}

/* The largest workspace of all cases. */
static hd_status make_workspace(bench *b)
{
    size_t most = 0;

    for (int type = 0; type < HD_TYPE_COUNT_; type++)
        for (int op = 0; op < HD_REDUCE_COUNT_; op++)
            for (size_t i = 0; i < b->size_count; i++) {
                size_t bytes;

                if (!(b->types & 1u << type) || !(b->ops & 1u << op))
                    continue;
                HD_TRY(hd_reduce_workspace(b->sizes[i], (hd_type)type, (hd_reduce_op)op, &bytes));
                most = bytes > most ? bytes : most;
            }
    b->workspace.bytes = most;
    return hd_alloc_bytes(&b->workspace.memory, most, 1, HD_MEM_DEVICE, b->device);
}

static int open_bench(bench *b, size_t rounds)
{
    if (hd_device_select(cli_option_value(b->arguments, "device"), &b->device) < 0 ||
        hd_device_name(b->device, b->device_name, sizeof b->device_name) < 0)
        return timing_failed_call(&b->clock);
    if (timing_open(&b->clock, b->device, rounds) < 0)
        return -1;
    if (b->compare && cli_peers_load(&b->peers, b->clock.message, sizeof b->clock.message) < 0)
        return -1;
    if (!b->clock.host_clock && (hd_stream_native(b->clock.stream, &b->native_stream) < 0 ||
                                 hd_device_native(b->device, &b->ordinal) < 0))
        return timing_failed_call(&b->clock);
    if (make_memory(b) < 0 || make_workspace(b) < 0)
        return timing_failed_call(&b->clock);
    return 0;
}

static void close_bench(bench *b)
{
    hd_free(b->workspace.memory);
    hd_free(b->out);
    hd_free(b->data);
    timing_close(&b->clock);
}

/* ---- one case ------------------------------------------------------------------------------- */

static double result_value(hd_result result, const void *bytes)
{
    hd_arg arg;
    hd_i128 wide;
    float f32;
    double f64;
    uint64_t u64;

    memcpy(&f32, bytes, sizeof f32);
    memcpy(&f64, bytes, sizeof f64);
    memcpy(&u64, bytes, sizeof u64);
    memcpy(&wide, bytes, sizeof wide);
    memcpy(&arg, bytes, sizeof arg);
    switch (result) {
    case HD_RESULT_U64:
        return (double)u64;
    case HD_RESULT_I64:
        return (double)(int64_t)u64;
    case HD_RESULT_I128:
        return (double)wide.high * 0x1p64 + (double)wide.low;
    case HD_RESULT_F32:
        return (double)f32;
    case HD_RESULT_F64:
        return f64;
    case HD_RESULT_ARG:
        return (double)arg.index;
    }
    return 0;
}

/* heddle's sums of integers are exact. A peer may add them in the elements' own type, where sums
   wrap: then it has to find the low bits, read as that type. */
static double wrapped_sum(hd_type type, const void *bytes)
{
    uint64_t low;

    memcpy(&low, bytes, sizeof low);
    switch (type) {
    case HD_I32:
        return (double)(int32_t)(uint32_t)low;
    case HD_U32:
        return (double)(uint32_t)low;
    case HD_I64:
        return (double)(int64_t)low;
    default:
        return (double)low;
    }
}

static int agree(hd_result result, double ours, double theirs)
{
    double tolerance = result == HD_RESULT_ARG ? 0.0 : PEER_TOLERANCE * fabs(theirs);

    return fabs(ours - theirs) <= tolerance;
}

/* Both sides reduce the same input once; what they find has to agree. */
static int check_peer(bench *b)
{
    unsigned char bytes[RESULT_BYTES];
    double ours, theirs, index;
    hd_result result;
    size_t size;

    if (run_heddle(b, 0) < 0 || run_peer(b, 0) < 0)
        return -1;
    if (hd_reduce_result(b->type, b->op, &result, &size) < 0 ||
        hd_copy_blocking_bytes(bytes, b->out, sizeof bytes, 1, b->clock.stream) < 0)
        return timing_failed_call(&b->clock);
    if (b->peers.reduce_read(b->peer, b->out + RESULT_BYTES, b->native_stream, &theirs, &index) !=
        0)
        return failed_peer(b);
    ours = result_value(result, bytes);
    if (result == HD_RESULT_ARG)
        theirs = index;
    if (agree(result, ours, theirs))
        return 0;
    if (b->op == HD_SUM && result != HD_RESULT_F32 && result != HD_RESULT_F64 &&
        agree(result, wrapped_sum(b->type, bytes), theirs))
        return 0;
    snprintf(b->clock.message, sizeof b->clock.message,
             "%s of %zu %s: heddle has %.17g, %s has %.17g", hd_reduce_op_name(b->op), b->n,
             hd_type_name(b->type), ours, b->peers.name(), theirs);
    return -1;
}

/* Makes the peer of the case, where it has one. */
static int make_peer(bench *b)
{
    int status;

    b->peer = NULL;
    if (!b->compare)
        return 0;
    status = b->peers.reduce_create(b->ordinal, hd_type_name(b->type), hd_reduce_op_name(b->op),
                                    b->n, &b->peer);
    if (status == HEDDLE_PEER_UNSUPPORTED)
        return 0;
    return status == HEDDLE_PEER_OK ? check_peer(b) : failed_peer(b);
}

static int measure(bench *b, row *r)
{
    timing_side *sides = calloc(SIDES, sizeof *sides);
    size_t count = b->peer ? 3 : 2;
    int status;

    if (!sides) {
        snprintf(b->clock.message, sizeof b->clock.message, "out of memory");
        return -1;
    }
    for (size_t i = 0; i < SIDES; i++)
        sides[i].state = b;
    sides[0].run = run_heddle;
    sides[1].run = run_ceiling;
    sides[2].run = run_peer;
    r->has_peer = b->peer != NULL;
    status = timing_measure(&b->clock, sides, count);
    if (status == 0) {
        r->heddle = timing_spread_of(&sides[0], b->clock.rounds);
        r->ceiling = timing_spread_of(&sides[1], b->clock.rounds);
        if (r->has_peer)
            r->peer = timing_spread_of(&sides[2], b->clock.rounds);
    }
    free(sides);
    return status;
}

/* ---- printing ------------------------------------------------------------------------------- */

static double gbps(const bench *b, double seconds)
{
    return (double)b->n * (double)hd_type_bytes(b->type) / seconds * 1e-9;
}

/* "2^20" or "1000" */
static void size_text(size_t n, char text[CLI_NUMBER])
{
    if (n && !(n & (n - 1)))
        snprintf(text, CLI_NUMBER, "2^%d", __builtin_ctzll((unsigned long long)n));
    else
        snprintf(text, CLI_NUMBER, "%zu", n);
}

static void print_head(const bench *b)
{
    int64_t warp = 0;
    cli_json object;

    hd_device_get(b->device, HD_ATTR_WARP_SIZE, &warp);
    if (b->format == CLI_CSV) {
        puts("type,op,n,data,seconds,min,p10,p90,gbps,ceiling_seconds,ceiling_ratio,peer_seconds,"
             "peer_ratio");
    } else if (b->format == CLI_JSON) {
        cli_json_begin(&object);
        cli_json_text(&object, "backend", hd_backend_name());
        cli_json_text(&object, "device", b->device_name);
        cli_json_f64(&object, "warp", (double)warp, 9);
        cli_json_text(&object, "peer", b->compare ? b->peers.name() : "");
        cli_json_raw(&object, "rows", "[");
    } else {
        printf("%s, backend %s, warp %" PRId64 "; peer: %s\n"
               "median of %zu batches; ceiling: a kernel that only reads, its time / ours; "
               "peer: its time / ours\n\n"
               "%-4s %-7s %-7s %-8s %10s %10s %10s %10s %9s %8s %7s\n",
               b->device_name, hd_backend_name(), warp,
               b->compare ? b->peers.name() : "not asked for (--peers)", b->clock.rounds, "type",
               "op", "n", "data", "median us", "min", "p10", "p90", "GB/s", "ceiling", "peer");
    }
}

static void print_row_json(bench *b, const row *r)
{
    cli_json object;

    fputs(b->rows ? ",\n " : "\n ", stdout);
    cli_json_begin(&object);
    cli_json_text(&object, "type", hd_type_name(b->type));
    cli_json_text(&object, "op", hd_reduce_op_name(b->op));
    cli_json_f64(&object, "n", (double)b->n, 17);
    cli_json_text(&object, "data", data_names[r->data]);
    cli_json_f64(&object, "seconds", r->heddle.median, 6);
    cli_json_f64(&object, "min", r->heddle.least, 6);
    cli_json_f64(&object, "p10", r->heddle.p10, 6);
    cli_json_f64(&object, "p90", r->heddle.p90, 6);
    cli_json_f64(&object, "gbps", gbps(b, r->heddle.median), 6);
    cli_json_f64(&object, "ceiling_seconds", r->ceiling.median, 6);
    cli_json_f64(&object, "ceiling_ratio", r->ceiling.median / r->heddle.median, 4);
    if (r->has_peer) {
        cli_json_f64(&object, "peer_seconds", r->peer.median, 6);
        cli_json_f64(&object, "peer_ratio", r->peer.median / r->heddle.median, 4);
    } else {
        cli_json_raw(&object, "peer_seconds", "null");
        cli_json_raw(&object, "peer_ratio", "null");
    }
    cli_json_end();
}

static void print_row_csv(const bench *b, const row *r)
{
    printf("%s,%s,%zu,%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.4g", hd_type_name(b->type),
           hd_reduce_op_name(b->op), b->n, data_names[r->data], r->heddle.median, r->heddle.least,
           r->heddle.p10, r->heddle.p90, gbps(b, r->heddle.median), r->ceiling.median,
           r->ceiling.median / r->heddle.median);
    if (r->has_peer)
        printf(",%.6g,%.4g\n", r->peer.median, r->peer.median / r->heddle.median);
    else
        puts(",,");
}

static void print_row_text(const bench *b, const row *r)
{
    char size[CLI_NUMBER], peer[CLI_NUMBER] = "-";

    size_text(b->n, size);
    if (r->has_peer)
        snprintf(peer, sizeof peer, "%.3f", r->peer.median / r->heddle.median);
    printf("%-4s %-7s %-7s %-8s %10.2f %10.2f %10.2f %10.2f %9.1f %8.3f %7s\n",
           hd_type_name(b->type), hd_reduce_op_name(b->op), size, data_names[r->data],
           1e6 * r->heddle.median, 1e6 * r->heddle.least, 1e6 * r->heddle.p10, 1e6 * r->heddle.p90,
           gbps(b, r->heddle.median), r->ceiling.median / r->heddle.median, peer);
}

static void print_row(bench *b, const row *r)
{
    if (b->format == CLI_JSON)
        print_row_json(b, r);
    else if (b->format == CLI_CSV)
        print_row_csv(b, r);
    else
        print_row_text(b, r);
    b->rows++;
}

/* ---- all cases ------------------------------------------------------------------------------ */

/* Measures the case with the input in cache and with inputs that rotate through memory. */
static int run_data(bench *b)
{
    size_t bytes = b->n * hd_type_bytes(b->type);
    int cached = bytes < CACHES_READ * b->cache_bytes;

    b->stride = (bytes + 255) / 256 * 256;
    for (int kind = cached ? DATA_WARM : DATA_MEMORY; kind <= (cached ? DATA_ROTATED : DATA_MEMORY);
         kind++) {
        row r;

        memset(&r, 0, sizeof r);
        r.data = (data_kind)kind;
        b->copies = kind == DATA_ROTATED ? b->data_bytes / b->stride : 1;
        if (measure(b, &r) < 0)
            return -1;
        print_row(b, &r);
        if (cli_flush(b->arguments->command) != CLI_DONE)
            return -1;
    }
    return 0;
}

static int run_case(bench *b)
{
    int status;

    if (hd_bytes(b->n, hd_type_bytes(b->type)) > b->data_bytes)
        return 0;
    b->workspace.prepared = 0;
    b->copies = 1;
    b->stride = 0;
    status = make_peer(b);
    if (status == 0)
        status = run_data(b);
    if (b->peer)
        b->peers.reduce_destroy(b->peer);
    return status;
}

static int run_cases(bench *b)
{
    print_head(b);
    for (int type = 0; type < HD_TYPE_COUNT_; type++)
        for (int op = 0; op < HD_REDUCE_COUNT_; op++)
            for (size_t i = 0; i < b->size_count; i++) {
                b->type = (hd_type)type;
                b->op = (hd_reduce_op)op;
                b->n = b->sizes[i];
                if (b->types & 1u << type && b->ops & 1u << op && run_case(b) < 0)
                    return -1;
            }
    if (b->format == CLI_JSON)
        puts("\n]}");
    return 0;
}

static int run(const cli_arguments *arguments)
{
    bench b;
    size_t rounds = 0;
    int status;

    memset(&b, 0, sizeof b);
    b.arguments = arguments;
    status = read_options(&b, &rounds);
    if (status != CLI_DONE)
        return status;
    status = open_bench(&b, rounds);
    if (status == 0)
        status = run_cases(&b);
    close_bench(&b);
    if (status < 0 && b.clock.message[0])
        return cli_failed(arguments->command, "%s", b.clock.message);
    return status < 0 ? CLI_FAILED : cli_flush(arguments->command);
}

static const cli_option options[] = {
    {"peers", NULL, "compare with the peer too"},
    {"types", "LIST", "element types, as f32,f64,i32 (the default)"},
    {"ops", "LIST", "operations, as sum,min,argmin (the default)"},
    {"sizes", "LIST", "elements: 1000, 2^20, or 2^10..2^30 in steps of four"},
    {"rounds", "N", "batches per number, 25 by default"},
    {"device", "DEVICE", "index, bus id, 'fastest' or 'free'"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print comma-separated rows"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_bench_reduce = {
    "bench reduce",
    "time reductions against the read ceiling and a peer",
    NULL,
    options,
    "Every number is the median of many batches; the sides take turns in the same run and are\n"
    "timed alike. 'warm' reads one input again and again; 'rotated' goes through copies that\n"
    "together are four times the cache; 'memory' is an input larger than that. Ratios above 1\n"
    "mean that heddle takes less time. The peer is the vendor's library (libheddle_peers.so\n"
    "beside the tool, or HEDDLE_PEERS), on the CPU a plain vectorised loop on one thread.\n",
    "  heddle bench reduce --peers\n"
    "  heddle bench reduce --types f32 --ops sum --sizes 2^10..2^30 --json\n",
    run,
};
