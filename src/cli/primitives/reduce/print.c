/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - the results of `heddle reduce` as aligned text, JSON or CSV. */
#include <inttypes.h>
#include <string.h>

#include "mean.h"
#include "job.h"

static hd_result result_of(const reduce_job *job, hd_reduce_op op)
{
    hd_result result = HD_RESULT_F64;
    size_t bytes;

    hd_reduce_result(job->type, op, &result, &bytes);
    return result;
}

static void value_text(hd_result result, const reduce_value *value, char text[CLI_NUMBER])
{
    switch (result) {
    case HD_RESULT_U64:
        snprintf(text, CLI_NUMBER, "%" PRIu64, value->u64);
        break;
    case HD_RESULT_I64:
        snprintf(text, CLI_NUMBER, "%" PRId64, value->i64);
        break;
    case HD_RESULT_I128:
        cli_text_i128(value->i128, text);
        break;
    case HD_RESULT_F32:
        cli_text_f32(value->f32, text);
        break;
    case HD_RESULT_F64:
        cli_text_f64(value->f64, text);
        break;
    case HD_RESULT_ARG:
        snprintf(text, CLI_NUMBER, "%" PRIu64, value->arg.index);
        break;
    }
}

/* Of integers the exact quotient, rounded once; of floats the sum, divided by the count. */
static double mean_of(const reduce_job *job)
{
    const reduce_value *sum = &job->results[HD_SUM];
    const hd_i128 natural = {.low = sum->u64, .high = 0};
    const hd_i128 integer = {.low = sum->u64, .high = sum->i64 < 0 ? -1 : 0};

    switch (result_of(job, HD_SUM)) {
    case HD_RESULT_U64:
        return cli_mean(natural, job->n);
    case HD_RESULT_I64:
        return cli_mean(integer, job->n);
    case HD_RESULT_I128:
        return cli_mean(sum->i128, job->n);
    case HD_RESULT_F32:
        return (double)sum->f32 / (double)job->n;
    default:
        return sum->f64 / (double)job->n;
    }
}

/* Why a quantity has no number; NULL where it has one. */
static const char *no_number(const reduce_job *job, reduce_quantity quantity)
{
    return job->undefined & 1u << quantity ? "undefined"
           : job->unfit & 1u << quantity   ? "does not fit 64 bits"
                                           : NULL;
}

/* The number, or else what stands for it. */
static void quantity_text(const reduce_job *job, reduce_quantity quantity, const char *nothing,
                          char text[CLI_NUMBER])
{
    hd_reduce_op op = reduce_quantity_op(quantity);

    if (no_number(job, quantity))
        snprintf(text, CLI_NUMBER, "%s", nothing);
    else if (quantity == QUANTITY_COUNT)
        snprintf(text, CLI_NUMBER, "%zu", job->n);
    else if (quantity == QUANTITY_MEAN)
        cli_text_f64(mean_of(job), text);
    else
        value_text(result_of(job, op), &job->results[op], text);
}

/* Where an argmin or argmax stands in an array of several axes; "" for one axis. */
static void place_text(const reduce_job *job, reduce_quantity quantity, char text[HD__IO_INDEX])
{
    size_t axes = 0;

    text[0] = '\0';
    if (quantity != QUANTITY_ARGMIN && quantity != QUANTITY_ARGMAX)
        return;
    hd__source_shape(job->input.source, &axes);
    if (axes > 1 && !no_number(job, quantity))
        hd__source_unravel(job->input.source, job->results[reduce_quantity_op(quantity)].arg.index,
                           text);
}

static double bytes_reduced(const reduce_job *job)
{
    double bytes = (double)job->n * (double)hd_type_bytes(job->type);

    return bytes * __builtin_popcount(job->ops);
}

static double gigabytes_per_second(const reduce_job *job)
{
    return job->reduce_seconds > 0 ? bytes_reduced(job) / job->reduce_seconds * 1e-9 : 0.0;
}

static const char *format_text(const reduce_job *job)
{
    static const char *const formats[] = {"", "npy", "raw", "csv", "png"};

    return formats[hd__source_format(job->input.source)];
}

/* The column's name, or what was asked for where the table has no header; "" for none. */
static const char *column_text(const reduce_job *job)
{
    const char *name = hd__source_column_name(job->input.source);

    return name[0] || !job->input.options.column ? name : job->input.options.column;
}

/* "0,1": the devices that the array was on. */
static void devices_text(const reduce_job *job, char text[CLI_DEVICES_TEXT])
{
    const cli_devices one = {1, {job->device}};

    cli_devices_text(job->devices.count ? &job->devices : &one, text);
}

static void print_json(const reduce_job *job)
{
    char text[CLI_NUMBER], json[CLI_NUMBER], place[HD__IO_INDEX], devices[CLI_DEVICES_TEXT];
    cli_json object;

    devices_text(job, devices);
    cli_json_begin(&object);
    for (int i = 0; i < QUANTITY_COUNT_; i++) {
        reduce_quantity q = (reduce_quantity)i;

        if (!(job->quantities & 1u << i))
            continue;
        quantity_text(job, q, "null", text);
        cli_json_number(text, json);
        cli_json_raw(&object, reduce_quantity_name(q), json);
    }
    cli_json_text(&object, "backend", hd_backend_name());
    cli_json_text(&object, "device", job->device_name);
    cli_json_f64(&object, "warp", (double)job->warp, 9);
    cli_json_f64(&object, "seconds", job->reduce_seconds, 9);
    cli_json_f64(&object, "gbps", gigabytes_per_second(job), 6);
    cli_json_text(&object, "file", job->path);
    cli_json_text(&object, "format", format_text(job));
    cli_json_text(&object, "type", hd_type_name(job->type));
    cli_json_text(&object, "devices", devices);
    if (column_text(job)[0])
        cli_json_text(&object, "column", column_text(job));
    for (int i = QUANTITY_ARGMIN; i <= QUANTITY_ARGMAX; i++) {
        place_text(job, (reduce_quantity)i, place);
        if (!(job->quantities & 1u << i) || !place[0])
            continue;
        place[0] = '[';
        place[strlen(place) - 1] = ']';
        cli_json_raw(&object, i == QUANTITY_ARGMIN ? "argmin_index" : "argmax_index", place);
    }
    cli_json_end();
    putchar('\n');
}

static void print_csv(const reduce_job *job)
{
    char text[CLI_NUMBER], devices[CLI_DEVICES_TEXT];

    for (int i = 0; i < QUANTITY_COUNT_; i++)
        if (job->quantities & 1u << i)
            printf("%s,", reduce_quantity_name((reduce_quantity)i));
    puts("backend,device,warp,seconds,gbps,file,format,type,column,devices");
    for (int i = 0; i < QUANTITY_COUNT_; i++)
        if (job->quantities & 1u << i) {
            quantity_text(job, (reduce_quantity)i, "", text);
            printf("%s,", text);
        }
    printf("%s,", hd_backend_name());
    cli_csv_cell(job->device_name);
    printf(",%" PRId64 ",%.9g,%.6g,", job->warp, job->reduce_seconds, gigabytes_per_second(job));
    cli_csv_cell(job->path);
    printf(",%s,%s,", format_text(job), hd_type_name(job->type));
    cli_csv_cell(column_text(job));
    devices_text(job, devices);
    putchar(',');
    cli_csv_cell(devices);
    putchar('\n');
}

/* What was read: format, type, shape or column, size of the numbers. */
static void print_input(const reduce_job *job)
{
    char bytes[CLI_NUMBER], name[HD__IO_NAME];
    const hd__io_format format = hd__source_format(job->input.source);
    const char *column = column_text(job);
    size_t axes = 0;

    hd__source_shape(job->input.source, &axes);
    cli_text_bytes((double)job->n * (double)hd_type_bytes(job->type), bytes);
    hd__io_printable_path(job->path, name, sizeof name);
    printf("%-10s %s  (%s, %s", "file", name, format_text(job), hd_type_name(job->type));
    if (column[0])
        printf(", column %s", column);
    if (axes > 0)
        printf(", shape %s%s", hd__source_shape_text(job->input.source),
               axes > 1 && hd__source_fortran_order(job->input.source) ? " in Fortran order" : "");
    /* text and packed pictures are of another size */
    printf(", %s%s)\n", bytes, format == HD__IO_CSV || format == HD__IO_PNG ? " in memory" : "");
}

static void print_times(const reduce_job *job)
{
    char text[CLI_NUMBER];
    double bytes = (double)job->n * (double)hd_type_bytes(job->type);
    int passes = __builtin_popcount(job->ops);

    if (passes == 0)
        return;
    cli_text_seconds(job->reduce_seconds, text);
    printf("%-10s %-10s %8.2f GB/s  %d reduction%s, data on the device\n", "reduced", text,
           gigabytes_per_second(job), passes, passes == 1 ? "" : "s");
    cli_text_seconds(job->total_seconds, text);
    printf("%-10s %-10s %8.2f GB/s  with reading and copies\n", "in all", text,
           job->total_seconds > 0 ? bytes / job->total_seconds * 1e-9 : 0.0);
}

static void print_text(const reduce_job *job)
{
    char text[CLI_NUMBER], place[HD__IO_INDEX], devices[CLI_DEVICES_TEXT];

    print_input(job);
    for (int i = 0; i < QUANTITY_COUNT_; i++) {
        if (!(job->quantities & 1u << i))
            continue;
        quantity_text(job, (reduce_quantity)i, no_number(job, (reduce_quantity)i), text);
        place_text(job, (reduce_quantity)i, place);
        printf("%-10s %s%s%s\n", reduce_quantity_name((reduce_quantity)i), text,
               place[0] ? "  " : "", place);
    }
    devices_text(job, devices);
    printf("\n%-10s %s: %s (backend %s, warp %" PRId64 ")\n",
           job->devices.count > 1 ? "devices" : "device", devices, job->device_name,
           hd_backend_name(), job->warp);
    if (job->chunks > 0)
        printf("%-10s %zu of at most %zu elements\n", "chunks", job->chunks, job->chunk_elements);
    print_times(job);
}

void reduce_print(const reduce_job *job)
{
    void (*const printers[])(const reduce_job *) = {print_text, print_json, print_csv};

    printers[job->format](job);
}
