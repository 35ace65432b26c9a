/* SPDX-License-Identifier: Apache-2.0 */
/* polling.c - loops that poll memory, found by what the hooks see. stall.c asks for a trace
   when a block has run for long; from then on all accesses come here. An event of the trace
   (../cycle.h) is the place of an access, the bytes there before it, and the stack of the
   thread with the registers that outlive a call: all that the thread goes on with. */
#include "worker/cycle.h"
#include "worker/step.h"
#include "check/check.h"

#include <stdio.h>
#include <string.h>

enum {
    EVENTS = 1 << 16,      /* of a trace */
    CONTENT = 64,          /* bytes of an access that are looked at */
    REGISTERS = 40,        /* bytes of them below the frame pointer (x86-64) */
    STALLS_UNTIL_ERROR = 3 /* looks of stall.c; the host may have something to say first */
};

int hd_check_traces;

static struct {
    hd_cpu_cycle cycle;
    unsigned left;
    uint32_t serial;       /* of the block; 0: not known yet */
    uintptr_t address, pc; /* of the first atomic of this turn, or else the first access */
    int atomic;
} trace;

void hd_check_trace(hd_cpu_worker *worker, int end)
{
    (void)end;
    hd_check_divert();
    if (hd_check_traces)
        return;
    memset(&trace, 0, sizeof trace);
    trace.left = EVENTS;
    __atomic_store_n(&hd_check_traces, worker->stalls, __ATOMIC_RELEASE);
}

static void stop(void)
{
    hd_check_traces = 0;
    if (hd_check_me.check && !hd_check_me.sampled && !hd_check_replaying)
        hd_check_me.when = hd_check_when(hd_check_me.check);
}

static uint64_t bytes_hash(uint64_t hash, uintptr_t from, uintptr_t to)
{
    uint64_t word;

    for (; from + sizeof word <= to; from += sizeof word) {
        memcpy(&word, (const void *)from, sizeof word);
        hash = hd_cpu_cycle_mix(hash, word);
    }
    if (from < to) {
        word = 0;
        memcpy(&word, (const void *)from, to - from);
        hash = hd_cpu_cycle_mix(hash, word);
    }
    return hash;
}

/* The stack of the running thread, from this frame on, which begins with its registers. */
static uint64_t __attribute__((noinline)) stack_hash(void)
{
    const hd_check_now *now = &hd_check_me;
    uintptr_t frame;

    __builtin_unwind_init();
    frame = (uintptr_t)__builtin_frame_address(0);
#ifdef __x86_64__
    frame -= REGISTERS;
#endif
    if (frame - now->stack >= now->stack_bytes)
        return 0;
    return bytes_hash(now->linear, frame & ~(uintptr_t)7, now->stack + now->stack_bytes);
}

void __attribute__((noinline)) hd_check_trace_wipe(void)
{
    volatile uint64_t rest[128];

    for (unsigned i = 0; i < sizeof rest / sizeof *rest; i++)
        rest[i] = 0;
}

static void remember(uintptr_t address, int atomic, uintptr_t pc)
{
    if (!trace.cycle.length)
        trace.address = 0;
    if (trace.address && (trace.atomic || !atomic))
        return;
    trace.address = address;
    trace.pc = pc;
    trace.atomic = atomic;
}

static void __attribute__((noreturn)) report(void)
{
    const uintptr_t address = trace.address, pc = trace.pc; /* stall.c may ask for another trace */
    hd_cpu_resident *block = hd_check_me.block;
    hd_check_finding f = hd_check_finding_here(HD_CHECK_POLLING, "polls", pc);
    const char *file, *function;
    char place[512];
    int line;

    stop();
    hd_check_describe(address, f.object, sizeof f.object);
    (void)snprintf(f.detail, sizeof f.detail,
                   "address %#lx; the loop changes nothing, and nobody else can run meanwhile",
                   (unsigned long)address);
    hd_check_report(&f);
    if (hd_check_locate(pc, &file, &line, &function))
        (void)snprintf(place, sizeof place, "%s:%d", file, line);
    else
        (void)snprintf(place, sizeof place, "%s", file);
    hd_cpu_poll_fail(block, (const void *)address, place);
    block->state = HD_CPU_BROKEN;
    hd_cpu_block_leave(block);
}

static void __attribute__((noinline))
advance(uintptr_t address, size_t bytes, int atomic, uintptr_t pc, uint64_t state)
{
    const uint32_t serial = hd_check_me.check->serial;
    uint64_t event = hd_cpu_cycle_mix(hd_cpu_cycle_mix(state, pc), address);
    int closes;

    if (trace.serial && trace.serial != serial) {
        stop();
        return;
    }
    trace.serial = serial;
    if (hd_check_inside(address))
        event = bytes_hash(event, address, address + (bytes < CONTENT ? bytes : CONTENT));
    remember(address, atomic, pc);
    closes = hd_cpu_cycle_closes(&trace.cycle, event);
    if (!closes && trace.left--)
        return;
    if (closes && hd_check_traces >= STALLS_UNTIL_ERROR &&
        !__atomic_load_n(&hd_cpu.executing, __ATOMIC_ACQUIRE))
        report();
    stop();
}

void hd_check_trace_access(uintptr_t address, size_t bytes, int atomic, uintptr_t pc)
{
    uint64_t state;

    hd_check_trace_wipe();
    state = stack_hash();
    advance(address, bytes, atomic, pc, state);
}
