/* SPDX-License-Identifier: Apache-2.0 */
/* fault.c - an invalid access by a kernel ends its launch, not the process. The signal handler
   switches from the thread's stack to the worker's, and the block is abandoned. A faulting copy or
   fill ends likewise (hd_cpu_guarded). Other signals go to the previous handlers. Sanitizers
   install handlers of their own, which are kept. */
#include "worker/step.h"
#include "worker/worker.h"

#include "observe.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HANDLER_STACK = 64 << 10 };

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction before[NSIG];
static pthread_once_t host_once = PTHREAD_ONCE_INIT;
static pthread_key_t host_key; /* signal stacks of host threads */
static int host_key_made;

/* For a host thread that executes a copy or fill. */
static _Thread_local sigjmp_buf host_jump;
static _Thread_local volatile int host_guarded;
static _Thread_local const void *volatile host_fault;

static void handle(int number, siginfo_t *info, void *context)
{
    hd_cpu_worker *worker = hd_cpu_self;

    (void)context;
    if (host_guarded && (number == SIGSEGV || number == SIGBUS)) {
        host_guarded = 0;
        host_fault = info->si_addr;
        siglongjmp(host_jump, 1);
    }
    if (worker && worker->polling) {
        worker->polling = 0;
        worker->fault = number;
        worker->fault_address = info->si_addr;
        siglongjmp(worker->poll, 1);
    }
    if (worker && worker->inside) {
        worker->inside = 0;
        worker->fault = number;
        worker->fault_address = info->si_addr;
        hd_cpu_switch(&worker->gone.sp, HD_CPU_TARGET(&worker->main));
    }
    /* The fault recurs and then reaches the previous handler. */
    (void)sigaction(number, &before[number], NULL);
}

void hd_cpu_signals_install(void)
{
    struct sigaction action;

    if (HD_CPU_SANITIZED)
        return;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
        (void)sigaction(caught[i], &action, &before[caught[i]]);
}

void hd_cpu_signals_thread(hd_cpu_worker *worker)
{
    stack_t stack;

    if (HD_CPU_SANITIZED)
        return;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = worker->handler_stack = malloc(HANDLER_STACK);
    stack.ss_size = HANDLER_STACK;
    if (stack.ss_sp)
        (void)sigaltstack(&stack, NULL);
}

static void host_stack_free(void *stack)
{
    stack_t none = {.ss_flags = SS_DISABLE};

    (void)sigaltstack(&none, NULL);
    free(stack);
}

static void host_key_make(void)
{
    host_key_made = pthread_key_create(&host_key, host_stack_free) == 0;
}

/* User threads that already have a signal stack keep it. */
void hd_cpu_signals_host(void)
{
    static _Thread_local int ready;
    stack_t stack;

    if (HD_CPU_SANITIZED || ready)
        return;
    ready = 1;
    (void)pthread_once(&host_once, host_key_make);
    if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE) || !host_key_made)
        return;
    stack.ss_flags = 0;
    stack.ss_sp = malloc(HANDLER_STACK);
    stack.ss_size = HANDLER_STACK;
    if (!stack.ss_sp || pthread_setspecific(host_key, stack.ss_sp) != 0)
        free(stack.ss_sp);
    else
        (void)sigaltstack(&stack, NULL);
}

int hd_cpu_waits_poll_guarded(hd_cpu_worker *worker, hd_cpu_resident *block, int may_give_up)
{
    int over;

    if (sigsetjmp(worker->poll, 0))
        return -1;
    worker->polling = 1;
    over = (int)hd_cpu_waits_poll(block, may_give_up);
    worker->polling = 0;
    return over;
}

int hd_cpu_guarded(void (*work)(void *), void *argument, const void **fault)
{
    if (sigsetjmp(host_jump, 0)) {
        *fault = host_fault;
        return 0;
    }
    host_guarded = !HD_CPU_SANITIZED;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    work(argument);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    host_guarded = 0;
    return 1;
}

static const char *reason(const hd_cpu_worker *worker)
{
    if (worker->fault == SIGFPE)
        return "integer division by zero or overflow";
    if (worker->fault == SIGILL)
        return "illegal instruction";
    if (hd_cpu_stack_guards(&worker->fibers, worker->fault_address))
        return "stack overflow: local variables need more than HEDDLE_CPU_STACK bytes";
    return "read or write of an address that is not there";
}

void hd_cpu_fault_report(hd_cpu_worker *worker, hd_cpu_resident *block)
{
    const hd_dim3 *b = &block->view.dims.block;

    if (worker->fault == SIGTRAP) {
        hd_cpu_poll_report(worker, block);
        worker->fault = 0;
        return;
    }
    HD_OBSERVE(block.faulted(block, reason(worker), worker->fault_address,
                             worker->fault == SIGFPE || worker->fault == SIGILL));
    hd_cpu_launch_fail(block->launch, HD_ERR_ILLEGAL_ADDRESS,
                       "kernel %s, block (%u,%u,%u): %s (0x%" PRIxPTR ")",
                       block->launch->kernel->name, b->x, b->y, b->z, reason(worker),
                       (uintptr_t)worker->fault_address);
    worker->fault = 0;
}
