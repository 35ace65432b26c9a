/* SPDX-License-Identifier: Apache-2.0 */
/* amd_port_names.hpp (HIP) - names of CUDA's kernel language that HIP's headers give another
   meaning (warps of 64 lanes, masks of 64 bits) or other types: they stand for heddle's from here
   on. */
#ifndef HEDDLE_BACKEND_AMD_PORT_NAMES_HPP
#define HEDDLE_BACKEND_AMD_PORT_NAMES_HPP

#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim
#undef warpSize
#undef __syncthreads_count
#undef __syncthreads_or
#undef __syncthreads_and
#undef __threadfence
#undef __threadfence_block
#undef __threadfence_system
#undef __syncthreads
#undef __ballot
#undef __any
#undef __all
#define warpSize hd_port_warp_size_
#define __shfl_sync hd_port_shfl_sync_
#define __shfl_up_sync hd_port_shfl_up_sync_
#define __shfl_down_sync hd_port_shfl_down_sync_
#define __shfl_xor_sync hd_port_shfl_xor_sync_
#define __shfl hd_port_shfl_
#define __shfl_up hd_port_shfl_up_
#define __shfl_down hd_port_shfl_down_
#define __shfl_xor hd_port_shfl_xor_
#define __match_any_sync hd_port_match_any_sync_
#define __match_all_sync hd_port_match_all_sync_
#define __reduce_add_sync hd_port_reduce_add_sync_
#define __reduce_min_sync hd_port_reduce_min_sync_
#define __reduce_max_sync hd_port_reduce_max_sync_
#define __reduce_and_sync hd_port_reduce_and_sync_
#define __reduce_or_sync hd_port_reduce_or_sync_
#define __reduce_xor_sync hd_port_reduce_xor_sync_
#define atomicAdd hd_port_atomicAdd_
#define atomicAdd_block hd_port_atomicAdd_block_
#define atomicAdd_system hd_port_atomicAdd_system_
#define atomicSub hd_port_atomicSub_
#define atomicSub_block hd_port_atomicSub_block_
#define atomicSub_system hd_port_atomicSub_system_
#define atomicMin hd_port_atomicMin_
#define atomicMin_block hd_port_atomicMin_block_
#define atomicMin_system hd_port_atomicMin_system_
#define atomicMax hd_port_atomicMax_
#define atomicMax_block hd_port_atomicMax_block_
#define atomicMax_system hd_port_atomicMax_system_
#define atomicExch hd_port_atomicExch_
#define atomicExch_block hd_port_atomicExch_block_
#define atomicExch_system hd_port_atomicExch_system_
#define atomicAnd hd_port_atomicAnd_
#define atomicAnd_block hd_port_atomicAnd_block_
#define atomicAnd_system hd_port_atomicAnd_system_
#define atomicOr hd_port_atomicOr_
#define atomicOr_block hd_port_atomicOr_block_
#define atomicOr_system hd_port_atomicOr_system_
#define atomicXor hd_port_atomicXor_
#define atomicXor_block hd_port_atomicXor_block_
#define atomicXor_system hd_port_atomicXor_system_
#define atomicCAS hd_port_atomicCAS_
#define atomicCAS_block hd_port_atomicCAS_block_
#define atomicCAS_system hd_port_atomicCAS_system_
#define atomicInc hd_port_atomicInc_
#define atomicDec hd_port_atomicDec_
#define __int2float_rn hd_port_int2float_rn_
#define __int2float_rd hd_port_int2float_rd_
#define __int2float_ru hd_port_int2float_ru_
#define __int2float_rz hd_port_int2float_rz_
#define __uint2float_rn hd_port_uint2float_rn_
#define __uint2float_rd hd_port_uint2float_rd_
#define __uint2float_ru hd_port_uint2float_ru_
#define __uint2float_rz hd_port_uint2float_rz_
#define __ll2float_rn hd_port_ll2float_rn_
#define __ll2float_rd hd_port_ll2float_rd_
#define __ll2float_ru hd_port_ll2float_ru_
#define __ll2float_rz hd_port_ll2float_rz_
#define __ll2double_rn hd_port_ll2double_rn_
#define __ll2double_rd hd_port_ll2double_rd_
#define __ll2double_ru hd_port_ll2double_ru_
#define __ll2double_rz hd_port_ll2double_rz_
#define __ull2float_rn hd_port_ull2float_rn_
#define __ull2float_rd hd_port_ull2float_rd_
#define __ull2float_ru hd_port_ull2float_ru_
#define __ull2float_rz hd_port_ull2float_rz_
#define __ull2double_rn hd_port_ull2double_rn_
#define __ull2double_rd hd_port_ull2double_rd_
#define __ull2double_ru hd_port_ull2double_ru_
#define __ull2double_rz hd_port_ull2double_rz_
/* HIP's roots may be those of the hardware, not rounded to nearest; its __saturatef keeps NaN. */
#define __saturatef hd_port_saturatef_
#define __fsqrt_rn hd_port_fsqrt_rn_
#define __frsqrt_rn hd_port_frsqrt_rn_
#define __ldg hd_port_ldg_
#define __ldcg hd_port_ldcg_
#define __ldca hd_port_ldca_
#define __ldcs hd_port_ldcs_
#define __ldcv hd_port_ldcv_
#define __stcg hd_port_stcg_
#define __stcs hd_port_stcs_
#define __stwb hd_port_stwb_
#define __stwt hd_port_stwt_

#endif
