/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - names of reductions, and their result types. */
#include <heddle/reduce.h>

#include "runtime/backend.h"

#define OP_NAME(name, text) text,
static const char *const op_names[] = {HD_REDUCE_LIST(OP_NAME)};

const char *hd_reduce_op_name(hd_reduce_op op)
{
    return (int)op >= 0 && op < HD_REDUCE_COUNT_ ? op_names[op] : "unknown reduction";
}

static hd_result float_result(hd_type type)
{
    return type == HD_F64 ? HD_RESULT_F64 : HD_RESULT_F32;
}

static int is_signed(hd_type type)
{
    return type == HD_I8 || type == HD_I16 || type == HD_I32 || type == HD_I64;
}

static hd_result result_of(hd_type type, hd_reduce_op op)
{
    const int is_float = type == HD_F16 || type == HD_F32 || type == HD_F64;
    if (op == HD_ARGMIN || op == HD_ARGMAX)
        return HD_RESULT_ARG;
    if (is_float)
        return float_result(type);
    if (op == HD_NORM1 || op == HD_NORM2 || op == HD_NORM_INF)
        return HD_RESULT_F64;
    if (op == HD_SUM && hd_type_bytes(type) == 8)
        return HD_RESULT_I128;
    return is_signed(type) ? HD_RESULT_I64 : HD_RESULT_U64;
}

hd_status hd_reduce_result(hd_type type, hd_reduce_op op, hd_result *result, size_t *bytes)
{
    static const char call[] = "hd_reduce_result";
    static const unsigned char result_bytes[] = {
        [HD_RESULT_U64] = 8, [HD_RESULT_I64] = 8, [HD_RESULT_I128] = sizeof(hd_i128),
        [HD_RESULT_F32] = 4, [HD_RESULT_F64] = 8, [HD_RESULT_ARG] = sizeof(hd_arg)};
    if ((int)type < 0 || type >= HD_TYPE_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown element type %d", (int)type);
    if (type == HD_BF16)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "elements of type bf16");
    if ((int)op < 0 || op >= HD_REDUCE_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown reduction %d", (int)op);
    if (!result || !bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", result ? "bytes" : "result");
    *result = result_of(type, op);
    *bytes = result_bytes[*result];
    return HD_OK;
}
