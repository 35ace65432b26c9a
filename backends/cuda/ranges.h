/* SPDX-License-Identifier: Apache-2.0 */
/* ranges.h (CUDA) - profiler ranges through NVTX 3, which is a header of the toolkit with almost no
   cost unless a profiler is attached. Toolkits without NVTX have no ranges. */
#ifndef HEDDLE_GPU_RANGES_H
#define HEDDLE_GPU_RANGES_H

#if defined(__has_include)
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define GPU_HAS_RANGES 1
#endif
#endif

#ifdef GPU_HAS_RANGES
#define GPU_RangePush(text) ((void)nvtxRangePushA(text))
#define GPU_RangePop() ((void)nvtxRangePop())
#define GPU_RangeMark(text) nvtxMarkA(text)
#else
#define GPU_RangePush(text) ((void)(text))
#define GPU_RangePop() ((void)0)
#define GPU_RangeMark(text) ((void)(text))
#endif

#endif
