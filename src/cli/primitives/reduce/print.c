/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - the results of `heddle reduce` as aligned text, JSON or CSV. */
#include <inttypes.h>
#include <string.h>

#include "mean.h"
#include "cli/app/table.h"
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

/* For integers the exact quotient, rounded once; for floats the sum divided by the count. */
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

/* Why a quantity has no value; NULL if it has one. */
static const char *no_number(const reduce_job *job, reduce_quantity quantity)
{
    return job->undefined & 1u << quantity ? "undefined"
           : job->unfit & 1u << quantity   ? "does not fit 64 bits"
                                           : NULL;
}

/* The value, or the text `nothing`. */
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

/* The index of an argmin or argmax in an array with several axes; "" for one axis. */
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

/* The column's name, or the option's text if the table has no header; "" without a column. */
static const char *column_text(const reduce_job *job)
{
    const char *name = hd__source_column_name(job->input.source);

    return name[0] || !job->input.options.column ? name : job->input.options.column;
}

/* "0,1": the devices that hold the array. */
static void devices_text(const reduce_job *job, char text[CLI_DEVICES_TEXT])
{
    const cli_devices one = {1, {job->device}};

    cli_devices_text(job->devices.count ? &job->devices : &one, text);
}

/* "0, 1" for an array with several axes, for JSON and CSV. */
static cli_cell index_cell(const reduce_job *job, reduce_quantity quantity,
                           char place[HD__IO_INDEX])
{
    place_text(job, quantity, place);
    if (!place[0])
        return cell_none();
    place[strlen(place) - 1] = '\0';
    return cell_list(place + 1);
}

static int print_fields(const reduce_job *job)
{
    char text[CLI_NUMBER], place[HD__IO_INDEX], devices[CLI_DEVICES_TEXT];
    cli_result result;

    cli_result_begin(&result, job->arguments->command, job->format, job->device);
    for (reduce_quantity q = 0; q < QUANTITY_COUNT_; q++)
        if (job->quantities & 1u << q) {
            quantity_text(job, q, "", text);
            cli_field(&result, reduce_quantity_name(q), cell_if(text[0], cell_digits(text)));
        }
    cli_field_digits(&result, "seconds", job->reduce_seconds, 9);
    cli_field(&result, "gbps", cell_number(gigabytes_per_second(job)));
    cli_field(&result, "file", cell_text(job->path));
    cli_field(&result, "format", cell_text(format_text(job)));
    cli_field(&result, "type", cell_text(hd_type_name(job->type)));
    cli_field(&result, "column", cell_if(column_text(job)[0], cell_text(column_text(job))));
    devices_text(job, devices);
    cli_field(&result, "devices", cell_list(devices));
    for (reduce_quantity q = QUANTITY_ARGMIN; q <= QUANTITY_ARGMAX; q++)
        if (job->quantities & 1u << q)
            cli_field(&result, q == QUANTITY_ARGMIN ? "argmin_index" : "argmax_index",
                      index_cell(job, q, place));
    return cli_result_end(&result);
}

/* The input: format, type, shape or column, size of the numbers. */
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
    /* text and compressed pictures have a different size in the file */
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
    printf("%-10s %-10s %8.2f GB/s  with reading and copies\n", "total", text,
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

int reduce_print(const reduce_job *job)
{
    if (job->format != CLI_TEXT)
        return print_fields(job);
    print_text(job);
    return cli_flush(job->arguments->command);
}
