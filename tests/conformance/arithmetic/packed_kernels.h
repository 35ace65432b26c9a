/* SPDX-License-Identifier: Apache-2.0 */
/* packed_kernels.h - declares the kernel of kern_packed.c. */
#ifndef HEDDLE_TESTS_PACKED_KERNELS_H
#define HEDDLE_TESTS_PACKED_KERNELS_H

#include <heddle/kernel_decl.h>

/* clang-format off */
/* X(name): operations on two words, for bytes and halves. */
#define PACKED_BINARY(X)                                                                           \
    X(vadd)                                                                                        \
    X(vsub)                                                                                        \
    X(vaddss)                                                                                      \
    X(vsubss)                                                                                      \
    X(vaddus)                                                                                      \
    X(vsubus)                                                                                      \
    X(vmaxs) X(vmaxu) X(vmins) X(vminu) X(vabsdiffs) X(vabsdiffu) X(vsads) X(vsadu) X(vavgu)       \
        X(vhaddu) X(vavgs) X(vcmpeq) X(vcmpne) X(vcmplts) X(vcmpltu) X(vcmples) X(vcmpleu)         \
            X(vcmpgts) X(vcmpgtu) X(vcmpges) X(vcmpgeu) X(vseteq) X(vsetne) X(vsetlts) X(vsetltu)  \
                X(vsetles) X(vsetleu) X(vsetgts) X(vsetgtu) X(vsetges) X(vsetgeu)
/* On one word. */
#define PACKED_UNARY(X) X(vabs) X(vneg) X(vabsss) X(vnegss)
/* On three words. */
#define PACKED_WORDS(X)                                                                            \
    X(dp4a_i32)                                                                                    \
    X(dp4a_u32)                                                                                    \
    X(byte_perm)                                                                                   \
    X(funnel_shift_left)                                                                           \
    X(funnel_shift_right)                                                                          \
    X(funnel_shift_left_clamp)                                                                     \
    X(funnel_shift_right_clamp)

#define PACKED_ENUM_PARTS(name) PACKED_##name##2, PACKED_##name##4,
#define PACKED_ENUM(name) PACKED_##name,
enum {
    PACKED_BINARY(PACKED_ENUM_PARTS)
    PACKED_UNARY(PACKED_ENUM_PARTS)
    PACKED_WORDS(PACKED_ENUM)
    PACKED_OPS
};

/* clang-format on */

/* n words each of a, b and c; out: a row of n per operation. */
HD_DECLARE(packed_operations, size_t, const uint32_t *, const uint32_t *, const uint32_t *,
           uint32_t *)

#endif
