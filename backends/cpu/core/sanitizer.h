/* SPDX-License-Identifier: Apache-2.0 */
/* sanitizer.h - the compiler's sanitizers that this is built with: 0 or 1 each. */
#ifndef HEDDLE_CPU_CORE_SANITIZER_H
#define HEDDLE_CPU_CORE_SANITIZER_H

#include "observe.h"

#if defined(__SANITIZE_ADDRESS__)
#define HD_CPU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HD_CPU_ASAN 1
#endif
#endif
#ifndef HD_CPU_ASAN
#define HD_CPU_ASAN 0
#endif

/* The checker compiles kernels with -fsanitize=thread for its own hooks, not for
   ThreadSanitizer. */
#if HD_OBSERVED
#define HD_CPU_TSAN 0
#elif defined(__SANITIZE_THREAD__)
#define HD_CPU_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HD_CPU_TSAN 1
#endif
#endif
#ifndef HD_CPU_TSAN
#define HD_CPU_TSAN 0
#endif

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define HD_CPU_MSAN 1
#endif
#endif
#ifndef HD_CPU_MSAN
#define HD_CPU_MSAN 0
#endif

/* These sanitizers install signal handlers of their own, or defer signals. */
#define HD_CPU_SANITIZED (HD_CPU_ASAN || HD_CPU_TSAN || HD_CPU_MSAN)

#endif
