/* SPDX-License-Identifier: Apache-2.0 */
/* switch.c - the switch between stacks: in assembly on x86-64 and aarch64, ucontext elsewhere.

       hd_cpu_switch(&a->sp, b->sp)
       stack a   ... | return address | registers |   a->sp stored
       stack b   ... | return address | registers |   b->sp loaded, registers popped, then a jump

   Only the callee-saved registers are saved. The switch ends with an indirect jump instead of a
   return: switching stacks would make the processor's return predictions wrong. */
#include "switch.h"

#include <string.h>

#if HD_CPU_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if HD_CPU_TSAN
#include <sanitizer/tsan_interface.h>
#endif

/* Tells the sanitizer about an empty stack. */
static void fiber_reset_sanitizer(hd_cpu_fiber *fiber)
{
#if HD_CPU_ASAN
    __asan_unpoison_memory_region(fiber->base, fiber->bytes);
#endif
#if HD_CPU_TSAN
    if (fiber->sanitizer)
        __tsan_destroy_fiber(fiber->sanitizer);
    fiber->sanitizer = __tsan_create_fiber(0);
#endif
    (void)fiber;
}

#if !HD_CPU_SWITCH_BY_UCONTEXT

#if HD_CPU_SWITCH_WRAPPED
#define SWITCH_NAME "hd_cpu_switch_bare"
void hd_cpu_switch_bare(void **save, void *load);
#else
#define SWITCH_NAME "hd_cpu_switch"
#endif

#if defined(__x86_64__)

__asm__(".text\n"
        ".globl " SWITCH_NAME "\n"
        ".type " SWITCH_NAME ",@function\n"
        ".p2align 4\n" SWITCH_NAME ":\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    popq %rcx\n"
        "    jmp *%rcx\n"
        ".size " SWITCH_NAME ", .-" SWITCH_NAME "\n");

enum { FRAME = 6 }; /* number of saved registers */

static void *frame_make(char *top, void (*entry)(void))
{
    void **sp = (void **)(void *)((uintptr_t)top & ~(uintptr_t)15);

    *--sp = NULL; /* entry() expects the stack pointer of a called function: 8 modulo 16 */
    memcpy(--sp, &entry, sizeof entry);
    sp -= FRAME;
    memset(sp, 0, FRAME * sizeof *sp);
    return sp;
}

#else

__asm__(".text\n"
        ".globl " SWITCH_NAME "\n"
        ".type " SWITCH_NAME ",%function\n"
        ".p2align 4\n" SWITCH_NAME ":\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    mov x16, x30\n"
        "    br x16\n"
        ".size " SWITCH_NAME ", .-" SWITCH_NAME "\n");

enum { FRAME = 20, LINK = 11 };

static void *frame_make(char *top, void (*entry)(void))
{
    void **sp = (void **)(void *)((uintptr_t)top & ~(uintptr_t)15) - FRAME;

    memset(sp, 0, FRAME * sizeof *sp);
    memcpy(&sp[LINK], &entry, sizeof entry);
    return sp;
}

#endif

void hd_cpu_fiber_prepare(hd_cpu_fiber *fiber, void (*entry)(void))
{
    fiber_reset_sanitizer(fiber);
    fiber->sp = frame_make(fiber->base + fiber->bytes, entry);
}

#else

void hd_cpu_fiber_prepare(hd_cpu_fiber *fiber, void (*entry)(void))
{
    fiber_reset_sanitizer(fiber);
    (void)getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->base;
    fiber->context.uc_stack.ss_size = fiber->bytes;
    fiber->context.uc_link = NULL;
    makecontext(&fiber->context, entry, 0);
}

#endif

#if HD_CPU_SWITCH_WRAPPED

static void change(hd_cpu_fiber *from, hd_cpu_fiber *to)
{
#if HD_CPU_SWITCH_BY_UCONTEXT
    (void)swapcontext(&from->context, &to->context);
#else
    hd_cpu_switch_bare(&from->sp, to->sp);
#endif
}

void hd_cpu_switch(void **save, void *load)
{
    hd_cpu_fiber *from = (hd_cpu_fiber *)(void *)save, *to = (hd_cpu_fiber *)load;

#if HD_CPU_ASAN
    __sanitizer_start_switch_fiber(&from->fake_stack, to->base, to->bytes);
#endif
#if HD_CPU_TSAN
    from->sanitizer = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->sanitizer, 0);
#endif
    change(from, to);
#if HD_CPU_ASAN
    __sanitizer_finish_switch_fiber(from->fake_stack, NULL, NULL);
#endif
}

#endif

void hd_cpu_fiber_entered(hd_cpu_fiber *from)
{
#if HD_CPU_ASAN
    const void *base;
    size_t bytes;

    __sanitizer_finish_switch_fiber(NULL, &base, &bytes);
    if (!from->base) { /* the OS thread's own stack: its bounds are first known here */
        from->base = (char *)(uintptr_t)base;
        from->bytes = bytes;
    }
#else
    (void)from;
#endif
}
