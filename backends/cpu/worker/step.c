/* SPDX-License-Identifier: Apache-2.0 */
/* step.c - traces the thread of a worker for a moment, instruction by instruction: with the
   processor's trap flag set, each one raises SIGTRAP. An event of the trace (cycle.h) consists of
   all registers (of vector registers the lower 128 bits) and of the first 8-byte word of memory
   that the instruction is about to access. Only on x86-64 Linux; elsewhere nothing is traced.

   Instructions whose effect an event would not show end the trace: system calls, timers, x87. A
   trace grows with the time that the block has run, so that long iterations are recognised, too,
   later. Those in which the whole block meets are not. Programs under a debugger are not traced,
   because the debugger uses the signal. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* names of registers, dladdr */
#endif
#include "observe.h"
#include "worker/step.h"

#include "worker/cycle.h"

#if !HD_OBSERVED && !HD_CPU_SANITIZED && defined(__x86_64__) && defined(__linux__)

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    TRAP_FLAG = 0x100,
    RESULT_FLAGS = 0xcd5, /* carry, parity, adjust, zero, sign, direction, overflow */
    STEPS = 1 << 10,      /* of the first traces; a step takes 1 to 10 microseconds */
    STEPS_MAX = 1 << 16
};

/* ---- instructions ---------------------------------------------------------------------------- */

enum { RSI = 6, RDI = 7 }; /* register numbers */

typedef enum use { USES_NOTHING, USES_MEMORY, USES_MORE } use;

typedef struct code {
    const uint8_t *at;
    const greg_t *registers;
    unsigned rex; /* 4: extends the register, 2: the index, 1: the base */
    int segment;  /* fs or gs prefix: thread-local variables */
} code;

static uintptr_t register_at(const code *c, unsigned number)
{
    static const int order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15};

    return (uintptr_t)c->registers[order[number]];
}

static intptr_t displacement(const uint8_t *at, unsigned bytes)
{
    int32_t wide;

    if (bytes == 1)
        return (int8_t)*at;
    memcpy(&wide, at, sizeof wide);
    return wide;
}

/* The operand after the opcode. Memory of the program itself and of the OS thread is not reported:
   kernels keep no data there. */
static use operand(const code *c, uintptr_t *address)
{
    const uint8_t *at = c->at;
    unsigned mod = *at >> 6, rm = *at & 7, bytes = mod == 1 ? 1 : mod == 2 ? 4 : 0, sib;

    at++;
    if (mod == 3 || (mod == 0 && rm == 5) || c->segment)
        return USES_NOTHING;
    if (rm != 4) {
        *address = register_at(c, rm | (c->rex & 1) << 3);
    } else {
        unsigned index, base;

        sib = *at++;
        index = (sib >> 3 & 7) | (c->rex & 2) << 2;
        base = (sib & 7) | (c->rex & 1) << 3;
        *address = 0;
        if (mod == 0 && (sib & 7) == 5)
            bytes = 4;
        else
            *address = register_at(c, base);
        if (index != 4)
            *address += register_at(c, index) << (sib >> 6);
    }
    if (bytes)
        *address += (uintptr_t)displacement(at, bytes);
    return USES_MEMORY;
}

/* Opcodes after 0f. */
static use two_bytes(code *c, uintptr_t *address)
{
    const unsigned op = *c->at++;

    if (op == 0x38 || op == 0x3a) {
        c->at++;
        return operand(c, address);
    }
    if (op <= 0x0b || op == 0x30 || op == 0x31 || op == 0x33 || op == 0x34 || op == 0xa2)
        return USES_MORE; /* system calls, timers */
    if (op == 0x0d || (op >= 0x18 && op <= 0x1f) || op == 0x77 || (op & 0xf0) == 0x80 ||
        (op >= 0xc8 && op <= 0xcf))
        return USES_NOTHING;
    if (op == 0xc7 && *c->at >> 6 == 3)
        return USES_MORE; /* random numbers */
    return operand(c, address);
}

static use one_byte(code *c, unsigned op, uintptr_t *address)
{
    if (op < 0x40)
        return (op & 7) < 4 ? operand(c, address) : (op & 7) < 6 ? USES_NOTHING : USES_MORE;
    if ((op >= 0x50 && op <= 0x5f) || op == 0x68 || op == 0x6a || (op & 0xf0) == 0x70 ||
        op == 0x8d || (op >= 0x90 && op <= 0x99) || op == 0xa8 || op == 0xa9 ||
        (op & 0xf0) == 0xb0 || op == 0xc2 || op == 0xc3 || op == 0xc9 ||
        (op >= 0xe0 && op <= 0xe3) || op == 0xe8 || op == 0xe9 || op == 0xeb || op == 0xf5 ||
        op == 0xf8 || op == 0xf9 || op == 0xfc || op == 0xfd)
        return USES_NOTHING;
    if (op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op <= 0x8b) || op == 0x8f ||
        op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op <= 0xd3) ||
        op == 0xf6 || op == 0xf7 || op == 0xfe || op == 0xff)
        return operand(c, address);
    if ((op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf)) { /* once per repetition of rep */
        *address = register_at(c, op == 0xaa || op == 0xab || op >= 0xae ? RDI : RSI);
        return USES_MEMORY;
    }
    return USES_MORE;
}

static use vex(code *c, unsigned first, uintptr_t *address)
{
    unsigned map = 1;

    if (first == 0xc4) {
        c->rex = (unsigned)~*c->at >> 5 & 7;
        map = *c->at++ & 31;
    }
    c->at++;
    if (map == 1 && *c->at == 0x77)
        return USES_NOTHING;
    c->at++;
    return operand(c, address);
}

/* The memory that the next instruction accesses, apart from pushes to the stack. */
static use memory_of(const greg_t *registers, uintptr_t *address)
{
    code c = {(const uint8_t *)(uintptr_t)registers[REG_RIP], registers, 0, 0};
    unsigned op;

    for (;;) {
        op = *c.at++;
        if (op == 0x64 || op == 0x65)
            c.segment = 1;
        else if (op != 0x66 && op != 0xf2 && op != 0xf3 && op != 0xf0 && op != 0x2e && op != 0x36 &&
                 op != 0x3e && op != 0x26)
            break;
    }
    if ((op & 0xf0) == 0x40) {
        c.rex = op & 7;
        op = *c.at++;
    }
    if (op == 0xc4 || op == 0xc5)
        return vex(&c, op, address);
    return op == 0x0f ? two_bytes(&c, address) : one_byte(&c, op, address);
}

/* ---- the trace ------------------------------------------------------------------------------- */

/* State of the traced thread. */
typedef struct trace {
    hd_cpu_cycle cycle;
    uint64_t serial; /* the traced block; 0: none */
    unsigned steps, left;
    const uint64_t *polled; /* first memory of this iteration outside stack and engine */
    uintptr_t polled_at;    /* address of the instruction that accesses it */
} trace;

/* The handler reads it after hd_cpu_self, which is in the same TLS block, so the block has been
   allocated. Model initial-exec would make dlopen refuse the shared library, whose TLS block is too
   large. */
static _Thread_local trace traces;
static struct sigaction before;

/* The aligned word that contains the address: never crosses a page. */
static const uint64_t *word_of(uintptr_t address)
{
    return (const uint64_t *)(address & ~(uintptr_t)7);
}

static int is_own(const hd_cpu_worker *worker, uintptr_t address, uintptr_t stack)
{
    const hd_cpu_resident *block = worker->running;
    const size_t most = hd_cpu_config_get()->stack;

    return address - (stack - most) < 2 * most || address - (uintptr_t)block < sizeof *block ||
           address - (uintptr_t)worker < sizeof *worker;
}

static void remember(trace *t, const hd_cpu_worker *worker, uintptr_t address,
                     const greg_t *registers)
{
    if (!t->cycle.length)
        t->polled = NULL;
    if (t->polled || is_own(worker, address, (uintptr_t)registers[REG_RSP]))
        return;
    t->polled = word_of(address);
    t->polled_at = (uintptr_t)registers[REG_RIP];
}

/* 1: the thread polls; 0: undecided; -1: it does something else. */
static int step(trace *t, const hd_cpu_worker *worker, const ucontext_t *context)
{
    const greg_t *registers = context->uc_mcontext.gregs;
    uint64_t event = (uint64_t)registers[REG_EFL] & RESULT_FLAGS;
    const struct _libc_fpstate *vectors = context->uc_mcontext.fpregs;
    uintptr_t address;
    use uses = memory_of(registers, &address);

    if (uses == USES_MORE)
        return -1;
    for (int i = REG_R8; i <= REG_RIP; i++)
        event = hd_cpu_cycle_mix(event, (uint64_t)registers[i]);
    for (int i = 0; vectors && i < 16; i++)
        for (int part = 0; part < 4; part++)
            event = hd_cpu_cycle_mix(event, vectors->_xmm[i].element[part]);
    if (uses == USES_MEMORY) {
        event = hd_cpu_cycle_mix(event, __atomic_load_n(word_of(address), __ATOMIC_RELAXED));
        remember(t, worker, address, registers);
    }
    if (hd_cpu_cycle_closes(&t->cycle, event) && t->polled)
        return 1;
    return t->left-- ? 0 : -1;
}

static void give_up(hd_cpu_worker *worker, const trace *t)
{
    worker->inside = 0;
    worker->fault = SIGTRAP;
    worker->fault_address = (void *)(uintptr_t)t->polled;
    worker->fault_pc = (void *)t->polled_at;
    hd_cpu_switch(&worker->gone.sp, HD_CPU_TARGET(&worker->main));
}

static void begin(trace *t, const hd_cpu_worker *worker)
{
    memset(t, 0, sizeof *t);
    t->serial = worker->running->view.dims.serial;
    t->steps = t->left = worker->trace_steps;
    t->cycle.limit = t->steps / 3;
}

static void traced(hd_cpu_worker *worker, ucontext_t *context)
{
    trace *t = &traces;
    int polls = worker && worker->inside ? step(t, worker, context) : -1;

    if (polls == 0) {
        context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
        return;
    }
    context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    t->serial = 0;
    if (polls < 0)
        return;
    worker->poll_steps = t->steps;
    __atomic_store_n(&worker->polls, worker->running->view.dims.serial, __ATOMIC_RELEASE);
    if (worker->trace_ends)
        give_up(worker, t);
}

static void handle(int number, siginfo_t *info, void *given)
{
    hd_cpu_worker *worker = hd_cpu_self;

    if (info->si_code == SI_TKILL && info->si_pid == getpid()) {
        if (worker && worker->inside && traces.serial != worker->running->view.dims.serial) {
            begin(&traces, worker);
            traced(worker, given);
        }
    } else if (info->si_code == TRAP_TRACE) {
        traced(worker, given);
    } else {
        /* The signal, raised again, reaches the previous handler. */
        (void)sigaction(number, &before, NULL);
        (void)raise(number);
    }
}

/* ---- requests -------------------------------------------------------------------------------- */

static int is_debugged(void)
{
    FILE *file = fopen("/proc/self/status", "re");
    char line[256];
    int debugged = 0;

    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "TracerPid:", 10) == 0)
            debugged = strtol(line + 10, NULL, 10) != 0;
    if (file)
        (void)fclose(file);
    return debugged;
}

static int install(void)
{
    static int done;
    struct sigaction action;

    if (done)
        return 1;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    (void)sigemptyset(&action.sa_mask);
    done = sigaction(SIGTRAP, &action, &before) == 0;
    return done;
}

/* Longer whenever the time in the block has doubled: about one per cent of it, however long. A loop
   that was found is traced as long as then. */
static unsigned steps_for(const hd_cpu_worker *worker, int found)
{
    const unsigned stalls = worker->stalls;

    if (found)
        return worker->poll_steps;
    if (stalls & (stalls - 1))
        return STEPS;
    return stalls < STEPS_MAX / STEPS ? STEPS * stalls : STEPS_MAX;
}

void hd_cpu_trace(hd_cpu_worker *worker, int end)
{
    const int found = worker->polls == worker->stall_serial;

    if (is_debugged() || !install())
        return;
    worker->trace_ends = end && found;
    worker->trace_steps = steps_for(worker, found);
    (void)pthread_kill(worker->runner, SIGTRAP);
}

void hd_cpu_poll_report(hd_cpu_worker *worker, hd_cpu_resident *block)
{
    char place[512];
    Dl_info info;
    uintptr_t pc = (uintptr_t)worker->fault_pc;

    if (dladdr(worker->fault_pc, &info) && info.dli_fname)
        (void)snprintf(place, sizeof place, "%s+0x%lx", info.dli_fname,
                       (unsigned long)(pc - (uintptr_t)info.dli_fbase));
    else
        (void)snprintf(place, sizeof place, "0x%lx", (unsigned long)pc);
    hd_cpu_poll_fail(block, worker->fault_address, place);
}

#else

void hd_cpu_trace(hd_cpu_worker *worker, int end)
{
    HD_OBSERVE(block.trace(worker, end));
}

void hd_cpu_poll_report(hd_cpu_worker *worker, hd_cpu_resident *block)
{
    (void)worker;
    (void)block;
}

#endif
