# SPDX-License-Identifier: Apache-2.0
# codegen-amd.awk - prints one line per kernel of an AMD assembly file (-v arch=gfx90a):
#   arch kernel vgprs sgprs lds occupancy spills scratch wave wide flat lds_lanes lanes fatomic cas
# wide: 16-byte loads; flat: generic accesses; lds_lanes: cross-lane moves through LDS hardware;
# lanes: DPP, permlane and readlane; fatomic: hardware float atomics; cas: compare-and-swap.

/^[A-Za-z_][A-Za-z0-9_$.]*: +; @/ {
    name = $1
    sub(/:$/, "", name)
    wide = flat = lds_lanes = lanes = fatomic = cas = 0
    next
}
/^\t(global|buffer)_load_(dwordx4|b128)/ { wide++ }
/^\tflat_/ { flat++ }
/^\tds_(b?permute|swizzle)/ { lds_lanes++ }
/_dpp|^\tv_permlane|^\tv_readlane/ { lanes++ }
/^\t(global|flat|buffer|ds)_(atomic_)?(pk_)?(add|min|max)_(rtn_)?(f32|f64|f16|bf16)/ { fatomic++ }
/^\t(global|flat|buffer)_atomic_cmpswap|^\tds_cmpst/ { cas++ }

/^\t\.amdhsa_kernel / {
    kernel = $2
    order[++count] = kernel
    counts[kernel] = wide " " flat " " lds_lanes " " lanes " " fatomic " " cas
}
/^; TotalNumSgprs:|^; NumSgprs:/ { sgprs[kernel] = $3 }
/^; NumVgprs:/ && !(kernel in vgprs) { vgprs[kernel] = $3 }
/^; TotalNumVgprs:/ { vgprs[kernel] = $3 }
/^; ScratchSize:/ { scratch[kernel] = $3 }
/^; LDSByteSize:/ { lds[kernel] = $3 }
/^; Occupancy:/ { occupancy[kernel] = $3 }

/^    \.name: / { entry = $2; gsub(/'/, "", entry) }
/^    \.(sgpr|vgpr)_spill_count:/ { spills[entry] += $2 }
/^    \.wavefront_size:/ { wave[entry] = $2 }

END {
    for (i = 1; i <= count; i++) {
        k = order[i]
        print arch, k, vgprs[k] + 0, sgprs[k] + 0, lds[k] + 0, occupancy[k] + 0, spills[k] + 0,
            scratch[k] + 0, wave[k] + 0, counts[k]
    }
}
