/* SPDX-License-Identifier: Apache-2.0 */
/* references.h - published measurements and peak rates of devices, the table of
   docs/lab-references.md. */
#ifndef HEDDLE_CLI_LAB_EXPERIMENT_REFERENCES_H
#define HEDDLE_CLI_LAB_EXPERIMENT_REFERENCES_H

/* X(device, word of --device-model, part of the name that the driver reports, column of the table).
   A device of heddle is one die of an MI250X. */
#define LAB_DEVICE_LIST(X)                                                                         \
    X(LAB_H100_PCIE, "h100-pcie", "H100 PCIe", "h100_pcie")                                        \
    X(LAB_H100, "h100", "H100 80GB HBM3", "h100")                                                  \
    X(LAB_H200, "h200", "NVIDIA H200", "h200")                                                     \
    X(LAB_MI210, "mi210", "MI210", "mi210")                                                        \
    X(LAB_MI250X, "mi250x", "MI250X", "mi250x")                                                    \
    X(LAB_MI300X, "mi300x", "MI300X", "mi300x")

typedef enum lab_device {
#define LAB_DEVICE_ENUM_(device, word, name, column) device,
    LAB_DEVICE_LIST(LAB_DEVICE_ENUM_)
#undef LAB_DEVICE_ENUM_
        LAB_DEVICES,
    LAB_NO_DEVICE = -1
} lab_device;

/* X(quantity, key, unit, six values in the order of the devices, meaning). A value is P(number,
   source) or NO if none is published. The sources are listed in docs/lab-references.md. */
#define LAB_QUANTITY_LIST(X, P, NO)                                                                \
    X(LAB_LATENCY_L1, "latency_l1", "cycles", P(34.0, a), NO, NO, P(129.6, b), NO, P(120.8, b),    \
      "pointer chase through 4 kB")                                                                \
    X(LAB_LATENCY_L2, "latency_l2", "cycles", P(266.0, a), NO, NO, P(250.5, b), NO, P(213.9, b),   \
      "pointer chase through 1 MB")                                                                \
    X(LAB_LATENCY_MEMORY, "latency_memory", "cycles", P(657.2, a), NO, NO, P(686.6, b), NO,        \
      P(882.0, b), "pointer chase through 0.94 GB")                                                \
    X(LAB_L1, "l1", "GB/s", P(25251.5, a), NO, NO, P(10518.7, b), NO, P(38174.6, b),               \
      "16 kB per compute unit, read again and again")                                              \
    X(LAB_L2, "l2", "GB/s", P(7121.5, a), NO, P(10619.2, a), P(5064.1, a), NO, NO,                 \
      "4 MB that all compute units read")                                                          \
    X(LAB_WRITE, "write", "GB/s", P(2016, a), NO, P(3884, a), P(1511, b), NO, P(4801, b),          \
      "device memory: a[i] = c, full occupancy")                                                   \
    X(LAB_READ, "read", "GB/s", P(1942, a), NO, P(2756, a), P(1370, b), NO, P(4199, b),            \
      "device memory: sum of a[i], full occupancy")                                                \
    X(LAB_READ_EIGHTH, "read_eighth", "GB/s", P(368, a), NO, P(485, a), P(345, b), NO, P(1049, b), \
      "the same at 12.5 % occupancy")                                                              \
    X(LAB_SCALE, "scale", "GB/s", P(1704, a), NO, P(3165, a), P(1362, b), NO, P(3997, b),          \
      "device memory: a[i] = c b[i]")                                                              \
    X(LAB_TRIAD, "triad", "GB/s", P(1832, a), NO, P(3534, a), P(1225, b), NO, P(3866, b),          \
      "device memory: a[i] = b[i] + c d[i]")                                                       \
    X(LAB_STREAM_COPY, "stream_copy", "GB/s", NO, P(2900, c), P(4010, c), NO, NO, P(4150, c),      \
      "BabelStream: copy")                                                                         \
    X(LAB_STREAM_TRIAD, "stream_triad", "GB/s", NO, P(2970, c), P(4180, c), NO, NO, P(4100, c),    \
      "BabelStream: triad")                                                                        \
    X(LAB_STREAM_DOT, "stream_dot", "GB/s", NO, P(3180, c), P(4570, c), NO, NO, P(4000, c),        \
      "BabelStream: dot product")                                                                  \
    X(LAB_L1_STRIDE_1, "l1_stride_1", "B/cycle", NO, NO, P(126, a), P(59, a), NO, NO,              \
      "a compute unit's reads from L1, 4 bytes per lane, contiguous")                              \
    X(LAB_L1_STRIDE_2, "l1_stride_2", "B/cycle", NO, NO, P(64, a), P(7.9, a), NO, NO,              \
      "the same, stride 2")                                                                        \
    X(LAB_L1_STRIDE_4, "l1_stride_4", "B/cycle", NO, NO, P(32, a), P(3.97, a), NO, NO,             \
      "the same, stride 4")                                                                        \
    X(LAB_L1_STRIDE_8, "l1_stride_8", "B/cycle", NO, NO, P(16, a), P(3.97, a), NO, NO,             \
      "the same, stride 8")                                                                        \
    X(LAB_FLOPS_F32, "flops_f32", "GFLOP/s", NO, NO, P(42558, a), NO, NO, P(83022, b),             \
      "multiply-adds in f32 at 100 (H200) and 234 flop/byte")                                      \
    X(LAB_PEAK_F32, "peak_f32", "GFLOP/s", P(51000, d), P(66900, d), P(66900, d), P(22600, d),     \
      P(23950, d), P(163400, d), "data sheet: f32 without matrix units")                           \
    X(LAB_PEAK_F64, "peak_f64", "GFLOP/s", P(26000, d), P(33500, d), P(33500, d), P(22600, d),     \
      P(23950, d), NO, "data sheet: f64 without matrix units")                                     \
    X(LAB_PEAK_MEMORY, "peak_memory", "GB/s", P(2040, d), P(3350, d), P(4800, d), P(1638, d),      \
      P(1638, d), P(5300, d), "data sheet: device memory")

typedef enum lab_quantity {
#define LAB_QUANTITY_ENUM_(quantity, ...) quantity,
    LAB_QUANTITY_LIST(LAB_QUANTITY_ENUM_, , )
#undef LAB_QUANTITY_ENUM_
        LAB_QUANTITIES
} lab_quantity;

extern const char *const lab_device_words[LAB_DEVICES];

/* The published value in the unit of the table; 0 if there is none, or for LAB_NO_DEVICE. */
double lab_reference(lab_device device, lab_quantity of);
/* Reading of device memory: LAB_STREAM_DOT, otherwise LAB_READ. */
double lab_reference_read(lab_device device);
/* The device of the table that has this name; LAB_NO_DEVICE if there is none, as for other forms of
   the same product and parts of a device. */
lab_device lab_device_find(const char *name);

#endif
