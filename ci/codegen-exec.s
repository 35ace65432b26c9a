; codegen-exec.s - what ci/codegen-exec.awk has to find (lines with "offence") and to leave alone.
sum_of_block:                           ; @sum_of_block
	v_add_nc_u32_dpp v5, v5, v5 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v6, v5 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_mov_b32 s1, exec_lo
	v_cmpx_eq_u32_e32 0, v4
	s_cbranch_execz .LBB0_1
; %bb.0:
	v_add_nc_u32_e32 v5, v5, v6
	v_mov_b32_e32 v6, v5
	v_permlanex16_b32 v6, v6, s0, 0xfedcba98 ; offence
	v_dual_mov_b32 v6, 0 :: v_dual_add_nc_u32 v5, v5, v6
	ds_store_b32 v6, v5
.LBB0_1:
	s_or_b32 exec_lo, exec_lo, s1
	v_permlanex16_b32 v6, v5, s0, 0xfedcba98
	s_endpgm
warp_0_folds:                           ; @warp_0_folds
	v_mov_b32_e32 v5, 0
	s_mov_b32 s1, exec_lo
	v_cmpx_gt_u32_e32 32, v2
	s_cbranch_execz .LBB1_2
; %bb.0:
	s_and_saveexec_b32 s5, vcc_lo
	s_cbranch_execz .LBB1_1
	ds_load_b32 v5, v4
.LBB1_1:
	s_or_b32 exec_lo, exec_lo, s5
	v_add_nc_u32_dpp v5, v5, v5 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_and_b32 exec_lo, exec_lo, vcc_lo
	v_permlanex16_b32 v6, v5, s0, 0xfedcba98
	s_delay_alu instid0(VALU_DEP_1)
	v_permlanex16_b32 v7, v5, s0, 0xfedcba98
	;;#ASMSTART
	;;#ASMEND
	v_mov_b32_e32 v8, v7
	v_mov_b32_e32 v7, 0
	;;#ASMSTART
	;;#ASMEND
	v_permlane16_b32 v6, v5, s0, 0xfedcba98 ; offence
.LBB1_2:
	s_or_b32 exec_lo, exec_lo, s1
	s_endpgm
either_way:                             ; @either_way
	global_load_dword v1, v0, s[2:3]
	s_and_saveexec_b64 s[4:5], vcc
	s_xor_b64 s[4:5], exec, s[4:5]
	s_cbranch_execz .LBB2_1
	ds_bpermute_b32 v3, v2, v1 ; offence
.LBB2_1:
	s_andn2_saveexec_b64 s[4:5], s[4:5]
	s_cbranch_execz .LBB2_2
	v_add_u32_dpp v1, v1, v1 row_mirror row_mask:0xf bank_mask:0xf ; offence
	global_load_dwordx2 v[6:7], v0, s[2:3]
	v_mov_b32_dpp v8, v7 row_mirror row_mask:0xf bank_mask:0xf
.LBB2_2:
	s_or_b64 exec, exec, s[4:5]
	ds_swizzle_b32 v3, v1 offset:swizzle(SWAP,16)
	s_endpgm
before_either_way:                      ; @before_either_way
	v_mov_b32_e32 v5, 0
	s_and_saveexec_b32 s5, vcc_lo
	s_cbranch_execz .LBB3_3
; %bb.0:
	v_permlanex16_b32 v6, v5, s0, 0xfedcba98
	s_and_saveexec_b32 s6, s4
	s_xor_b32 s6, exec_lo, s6
	s_cbranch_execz .LBB3_1
; %bb.1:
	;;#ASMSTART
	;;#ASMEND
	v_mov_b32_e32 v6, 0
.LBB3_1:
	s_and_not1_saveexec_b32 s6, s6
	s_cbranch_execz .LBB3_2
; %bb.2:
	;;#ASMSTART
	;;#ASMEND
.LBB3_2:
	s_or_b32 exec_lo, exec_lo, s6
.LBB3_3:
	s_or_b32 exec_lo, exec_lo, s5
	s_endpgm
