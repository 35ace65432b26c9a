# SPDX-License-Identifier: Apache-2.0
# codegen-exec.awk - finds cross-lane moves that were sunk into a branch, in an AMD assembly file
# (-v arch=gfx1100 -v expect=FILE). DPP, permlane, bpermute and swizzle read a lane only if it is
# active in EXEC. A whole-warp operation is correct in a warp-uniform branch, which assembly does
# not show; but then it operates on data loaded in that branch. So there are two errors:
#   EXEC was narrowed after the newest load on which the value depends, except in kernels with the
#   property warp_branch;
#   in those kernels, a permlane without an empty asm statement between it and the first use of its
#   result, one per permlane. The asm statement uses the result and so keeps the permlane in place, or
#   earlier, where more lanes are active; of these operations clang moves only permlane.
# Readlane also reads inactive lanes, and readfirstlane is meant to read active ones: both are ignored.
#
# `nest` is the list of instructions that narrowed EXEC, outermost first, each with the register
# that saves the previous mask, and its line; age[r] is the line of the newest load on which
# register r depends. Blocks are processed in file order, which is that of structured control flow;
# after a jump, a block starts with the nest of the jump that targets it.

BEGIN {
    while ((getline line < expect) > 0)
        if (line ~ / warp_branch( |$)/) {
            split(line, word, " ")
            warps[++rules] = word[1]
        }
}

function branches_by_warp(    i)
{
    for (i = 1; i <= rules; i++)
        if (kernel ~ warps[i])
            return 1
    return 0
}

function offence(line, op, at)
{
    print arch " " kernel ": line " line ", " op " reads what is older than the branch of line " at
}

# loose[r] is the line of a permlane into register r whose result has not been used yet; holds[i] is
# 1 while empty asm statement i, of `held` in the kernel, is not matched with a permlane.
function loosen(r, op)
{
    loose[r] = NR
    loose_op[r] = op
    loose_at[r] = narrowed_at()
    loose_from[r] = held + 1
}

function use(r,    i)
{
    if (!(r in loose))
        return
    for (i = loose_from[r]; i <= held && !holds[i]; i++)
        ;
    if (i > held)
        offence(loose[r], loose_op[r], loose_at[r])
    else
        holds[i] = 0
    delete loose[r]
}

function use_all(    r)
{
    for (r in loose)
        use(r)
    held = 0
}

# A use of the copy is a use of the result.
function copy_loose(to, from)
{
    loose[to] = loose[from]
    loose_op[to] = loose_op[from]
    loose_at[to] = loose_at[from]
    loose_from[to] = loose_from[from]
    delete loose[from]
}

function narrow(saved) { nest = nest " " saved ":" NR }

# EXEC is restored from `saved`; to the initial mask if that is unknown.
function restore(saved,    n, part, i, kept)
{
    n = split(nest, part, " ")
    for (i = n; i > 0 && index(part[i], saved ":") != 1; i--)
        ;
    nest = ""
    for (kept = 1; kept < i; kept++)
        nest = nest " " part[kept]
}

function narrowed_at(    n, part)
{
    n = split(nest, part, " ")
    if (n == 0 || index(part[n], "whole:") == 1)
        return 0
    sub(/.*:/, "", part[n])
    return part[n] + 0
}

# The registers of an operand: v5, -|v5|, v[4:7], s[2:3], vcc_lo; in regs[1..].
function registers(text,    kind, low, high, n)
{
    gsub(/[-|]|neg\(|abs\(|\)/, "", text)
    if (text ~ /^[avs][0-9]+$/ || text ~ /^vcc/) {
        regs[1] = text
        return 1
    }
    if (text !~ /^[avs]\[[0-9]+:[0-9]+\]$/)
        return 0
    kind = substr(text, 1, 1)
    low = high = text
    sub(/^..|:.*/, "", low)
    sub(/:.*/, "", low)
    sub(/.*:/, "", high)
    for (n = 0; low + n <= high + 0; n++)
        regs[n + 1] = kind (low + n)
    return n
}

function is_load(op)
{
    if (op ~ /atomic|^ds_(add|sub|min|max|and|or|xor|cmpst|cmpstore|wrxchg|storexchg|inc|dec)/)
        return op ~ /_rtn/ || $0 ~ / (glc|sc0)|TH_ATOMIC_RETURN/
    return op ~ /^(global|flat|buffer|scratch|s)_(buffer_)?load|^ds_(read|load)/
}

function has_result(op)
{
    if (op ~ /atomic|_store|^ds_/)
        return is_load(op) || op ~ /permute|swizzle/
    return op !~ /^s_(waitcnt|cbranch|branch|barrier|nop|delay|clause|sleep|endpgm|cmp|bitcmp|set|send)/
}

# One operation: the age of its result.
function operation(text,    op, operand, n, i, k, newest, count, permlane, copies)
{
    op = text
    sub(/[ \t].*/, "", op)
    sub(/^[^ \t]+[ \t]*/, "", text)
    n = split(text, operand, /,[ \t]*/)
    newest = 0
    for (i = 1; i <= n; i++)
        sub(/[ \t].*/, "", operand[i])
    copies = op ~ /^v_(dual_)?mov_b32(_e32|_e64)?$/ && (operand[2] in loose)
    for (i = 2; i <= n; i++)
        for (k = registers(operand[i]); k > 0; k--) {
            if (age[regs[k]] > newest)
                newest = age[regs[k]]
            if (!copies)
                use(regs[k])
        }
    permlane = op ~ /^v_permlane/ && newest < narrowed_at()
    if (moves_lanes(op) && op !~ /^v_permlane/ && newest < narrowed_at() && !whole_warps)
        offence(NR, op, narrowed_at())
    if (!has_result(op)) {
        for (k = registers(operand[1]); k > 0; k--)
            use(regs[k])
        return
    }
    if (is_load(op))
        newest = NR
    count = registers(operand[1])
    for (k = 1; k <= count; k++) {
        result[regs[k]] = newest
        use(regs[k])
        if (permlane)
            loosen(regs[k], op)
    }
    if (copies)
        copy_loose(operand[1], operand[2])
}

function moves_lanes(op)
{
    return op ~ /_dpp|^v_permlane|^ds_(bpermute|permute|swizzle)/
}

function change_exec(    saved, mask)
{
    saved = $2
    mask = $NF
    sub(/,$/, "", saved)
    if ($1 ~ /^s_and_saveexec/) {
        narrow(saved)
    } else if ($1 ~ /^s_(andn2|and_not1)_saveexec/) {
        restore(mask)
        narrow(saved)
    } else if ($1 ~ /^s_or_saveexec/ && mask == "-1") {
        narrow("whole")
        whole = saved
    } else if ($1 ~ /^s_or_saveexec/) {
        restore(mask)
    } else if (saved !~ /^exec/) {
        if ($1 ~ /^s_mov/ && mask ~ /^exec/)
            copy = saved
    } else if ($1 ~ /^s_mov/ && mask == whole) {
        restore("whole")
    } else if ($1 ~ /^s_(or|mov)_/) {
        restore(mask)
    } else {
        narrow(mask)
    }
}

/^[A-Za-z_][A-Za-z0-9_$.]*: +; @/ {
    use_all()
    kernel = $1
    sub(/:$/, "", kernel)
    whole_warps = branches_by_warp()
    nest = copy = whole = ""
    jumped = 0
    split("", age)
    split("", led)
    next
}
kernel == "" { next }
/#ASMSTART/ { holds[++held] = 1 }
/^\.LBB[0-9_]+:/ {
    label = $1
    sub(/:.*/, "", label)
    if (jumped)
        nest = led[label]
    jumped = 0
    next
}
!/^\t[a-z]/ || /^\t\./ { next }
{ sub(/[ \t]*;.*/, "") }
/^\ts_(c?branch[a-z0-9_]*) \.LBB/ { if (!($2 in led)) led[$2] = nest }
/^\ts_(branch|endpgm|setpc_b64)/ { jumped = 1; next }
/^\tv_cmpx/ { narrow(copy) }
/^\ts_[a-z0-9_]*_saveexec|^\ts_(and|or|xor|andn2|and_not1|mov)_b(32|64) exec(_lo)?,|^\ts_mov_b(32|64) s[^ ]*, exec/ {
    change_exec()
    next
}
{
    split("", result)
    text = $0
    sub(/^\t/, "", text)
    pieces = split(text, piece, / :: /)
    for (j = 1; j <= pieces; j++)
        operation(piece[j])
    for (r in result)
        age[r] = result[r]
}
END { use_all() }
