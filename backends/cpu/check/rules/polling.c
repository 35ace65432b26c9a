/* SPDX-License-Identifier: Apache-2.0 */
/* polling.c - finds loops that poll memory. When a block has run for long, stall.c requests a
   trace, and all accesses are then passed to this file. An event of the trace (../cycle.h) consists
   of the place of an access, the bytes there before it, and a hash of the thread's stack and
   callee-saved registers: the complete state of the thread. If events repeat, the loop cannot end
   by itself.

   A loop that also counts its iterations has a different stack in each. If everything else repeats,
   the thread either polls or computes. It is then held (hold.c): it polls if another thread changes
   the memory that it reads in the meantime. */
#include "worker/cycle.h"
#include "worker/step.h"
#include "check/check.h"

#include <stdio.h>
#include <string.h>

enum {
    EVENTS = 1 << 16,      /* maximum events of a trace */
    REGISTERS = 40,        /* bytes of callee-saved registers below the frame pointer (x86-64) */
    ALIKE = 1 << 14,       /* events in iterations that differ in the stack only */
    ALIKE_AGAIN = 1 << 8,  /* likewise at an address for which a thread has already been held */
    RECENT = 8,            /* places of the last accesses, among them those of a short loop */
    STALLS_UNTIL_ERROR = 3 /* checks by stall.c first: the host may still change the memory */
};

/* Changed by the checker's only worker, under hd_check_lock. The thread of stall.c requests a trace
   by setting hd_check_traces only. */
static struct {
    int begun;                /* since hd_check_traces was set */
    hd_cpu_cycle cycle, seen; /* of events with and without the stack */
    unsigned left;
    unsigned alike;        /* events in equal iterations of `seen` */
    uint32_t serial;       /* serial of the block; 0: not known yet */
    uintptr_t address, pc; /* first atomic of this iteration, or else its first access */
    size_t bytes;
    hd_check_look how;
    uintptr_t recent[RECENT];
    unsigned at;
    int held; /* a thread is held: the next block may be the one that polls */
} trace;

/* A thread that was held until the memory that it reads changed; serial 0: none. */
static struct {
    uintptr_t address, pc, recent[RECENT];
    uint32_t serial;
    unsigned linear;
    unsigned left; /* accesses left in the loop before the change counts as not having ended it */
} back;

static struct {
    uintptr_t address; /* address for which a thread is or was held */
    uint32_t serial;   /* block of which a thread was found not to poll; 0: none */
} suspect;

void hd_check_trace(hd_cpu_worker *worker, int end)
{
    int none = 0;

    (void)end;
    (void)__atomic_compare_exchange_n(&hd_check_traces, &none, (int)worker->stalls, 0,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    hd_check_divert();
}

static void begin(void)
{
    memset(&trace, 0, sizeof trace);
    trace.begun = 1;
    trace.left = EVENTS;
}

static void stop(void)
{
    trace.begun = 0;
    __atomic_store_n(&hd_check_traces, 0, __ATOMIC_RELAXED);
    if (hd_check_me.check && !hd_check_me.sampled && !hd_check_replaying)
        hd_check_me.when = hd_check_when(hd_check_me.check);
}

/* Hash of the running thread's stack from this frame on; the frame begins with the registers. */
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
    return hd_check_bytes_hash(now->linear, frame & ~(uintptr_t)7, now->stack + now->stack_bytes);
}

void __attribute__((noinline)) hd_check_trace_wipe(void)
{
    volatile uint64_t rest[128];

    for (unsigned i = 0; i < sizeof rest / sizeof *rest; i++)
        rest[i] = 0;
}

static void remember(uintptr_t address, size_t bytes, hd_check_look how, uintptr_t pc)
{
    if (!trace.cycle.length || !trace.seen.length)
        trace.address = 0;
    if (trace.address && (trace.how != HD_CHECK_LOOKS || how == HD_CHECK_LOOKS))
        return;
    trace.address = address;
    trace.bytes = bytes;
    trace.pc = pc;
    trace.how = how;
}

static void find(const hd_cpu_resident *block, unsigned thread, uintptr_t address, uintptr_t pc,
                 const char *evidence)
{
    const hd_check_block *b = block->check;
    hd_check_finding f;

    memset(&f, 0, sizeof f);
    f.code = HD_CHECK_POLLING;
    f.side[0] = (hd_check_side){.verb = "polls",
                                .op = b->op,
                                .block = b->serial - b->op->serial,
                                .thread = thread,
                                .pc = pc};
    hd_check_describe_of(block, address, f.object, sizeof f.object);
    (void)snprintf(f.detail, sizeof f.detail, "address %#lx; %s", (unsigned long)address, evidence);
    hd_check_report(&f);
}

static void __attribute__((noreturn)) report(uintptr_t address, uintptr_t pc, const char *evidence)
{
    hd_cpu_resident *block = hd_check_me.block;
    const char *file, *function;
    char place[512];
    int line;

    stop();
    find(block, hd_check_me.linear, address, pc, evidence);
    if (hd_check_locate(pc, &file, &line, &function))
        (void)snprintf(place, sizeof place, "%s:%d", file, line);
    else
        (void)snprintf(place, sizeof place, "%s", file);
    hd_cpu_poll_fail(block, (const void *)address, place);
    block->state = HD_CPU_BROKEN;
    hd_cpu_block_leave(block);
}

/* Continues the trace, or starts a new one if it has ended. */
static void go_on(void)
{
    int none = 0;

    if (!trace.begun)
        begin();
    trace.held = 1;
    trace.left = EVENTS;
    (void)__atomic_compare_exchange_n(&hd_check_traces, &none, 1, 0, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED);
    hd_check_me.when = 0;
}

/* Holds the thread so that others run. A thread that takes a lock by compare and swap does not poll
   if it fails only because the holder is held just before releasing the lock. */
static void hold(void)
{
    const uintptr_t address = trace.address, pc = trace.pc; /* others start traces meanwhile */
    const int is_lock = trace.how == HD_CHECK_LOOKS_TO_SWAP && hd_check_held_raise(address);
    uintptr_t recent[RECENT];

    memcpy(recent, trace.recent, sizeof recent);
    suspect.address = address;
    trace.held = 1;
    trace.alike = 0;
    trace.left = EVENTS;
    if (!hd_check_hold_poll(address,
                            trace.bytes < HD_CHECK_CONTENT ? trace.bytes : HD_CHECK_CONTENT)) {
        suspect.serial = hd_check_me.check->serial;
        return;
    }
    if (is_lock || back.serial)
        return;
    back.address = address;
    back.pc = pc;
    memcpy(back.recent, recent, sizeof recent);
    back.serial = hd_check_me.check->serial;
    back.linear = hd_check_me.linear;
    back.left = 2 * RECENT;
    go_on();
}

static const char waited[] =
    "the loop ended when another thread, which had to run first, changed it";

/* The held thread continues: in the loop, or outside. */
static void is_back(uintptr_t pc)
{
    for (unsigned i = 0; i < RECENT; i++) {
        if (back.recent[i] != pc)
            continue;
        if (!back.left--) {
            suspect.serial = back.serial;
            back.serial = 0;
        }
        return;
    }
    back.serial = 0;
    report(back.address, back.pc, waited);
}

void hd_check_trace_ends(hd_cpu_resident *block)
{
    if (!back.serial || back.serial != block->check->serial)
        return;
    back.serial = 0;
    if (!__atomic_load_n(&block->launch->failed, __ATOMIC_ACQUIRE))
        find(block, back.linear, back.address, back.pc, waited);
}

/* Whether this iteration equals the previous one except for the stack, and so did many before. */
static int is_alike(uint64_t event)
{
    if (hd_cpu_cycle_closes(&trace.seen, event))
        trace.alike += trace.seen.complete_length;
    else if (!trace.seen.length)
        trace.alike = 0;
    return trace.alike >= (trace.address == suspect.address ? ALIKE_AGAIN : ALIKE) &&
           suspect.serial != trace.serial && hd_check_inside(trace.address);
}

static void __attribute__((noinline))
advance(uintptr_t address, size_t bytes, hd_check_look how, uintptr_t pc, uint64_t state)
{
    const uint32_t serial = hd_check_me.check->serial;
    uint64_t event = hd_cpu_cycle_mix(hd_cpu_cycle_mix(0, pc), address);
    int closes, alike;

    if (back.serial == serial && back.linear == hd_check_me.linear)
        is_back(pc);
    if (trace.serial && trace.serial != serial) {
        if (!trace.held) {
            stop();
            return;
        }
        memset(&trace.cycle, 0, sizeof trace.cycle);
        memset(&trace.seen, 0, sizeof trace.seen);
        trace.alike = 0;
    }
    trace.serial = serial;
    trace.recent[trace.at++ % RECENT] = pc;
    if (hd_check_inside(address))
        event = hd_cpu_cycle_mix(event, hd_check_content(address, bytes));
    remember(address, bytes, how, pc);
    alike = is_alike(event);
    closes = hd_cpu_cycle_closes(&trace.cycle, hd_cpu_cycle_mix(state, event));
    if (alike ||
        (closes && trace.how == HD_CHECK_LOOKS_TO_SWAP && hd_check_held_raise(trace.address)))
        hold();
    else if (closes && hd_check_traced() >= STALLS_UNTIL_ERROR &&
             !__atomic_load_n(&hd_cpu.executing, __ATOMIC_ACQUIRE))
        report(trace.address, trace.pc,
               "the loop changes nothing, and nobody else can run meanwhile");
    else if (closes || !trace.left--)
        stop();
}

static void trace_access(uintptr_t address, size_t bytes, hd_check_look how, uintptr_t pc)
{
    uint64_t state;

    if (!trace.begun)
        begin();
    hd_check_trace_wipe();
    state = stack_hash();
    advance(address, bytes, how, pc, state);
}

void hd_check_trace_start(void)
{
    hd_check_trace_access = trace_access;
}
