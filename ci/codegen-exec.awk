# SPDX-License-Identifier: Apache-2.0
# codegen-exec.awk - finds moves between lanes that have sunk into a branch, in an AMD assembly file
# (-v arch=gfx1100 -v expect=FILE). DPP, permlane, bpermute and swizzle read a lane only where EXEC has
# it. An operation of the whole warp is right in a branch that whole warps take, which assembly does not
# tell; but there it works on what the branch has loaded. So there are two offences:
#   where EXEC has been narrowed since the newest load that the value depends on, except in kernels
#   with the property warp_branch;
#   there, a permlane without the empty assembly behind it that holds it in its place: of these
#   operations clang moves only permlane.
# Readlane reads inactive lanes too, and readfirstlane is meant for active ones: both are left out.
#
# `nest` is the list of what narrowed EXEC, outermost first, each the register that keeps the mask
# before and the line; age[r] is the line of the newest load that register r depends on. Blocks are
# taken in the order of the file, which is that of structured control flow; behind a jump a block
# begins with the nest of the jump that leads to it.

BEGIN {
    first = 1
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

# Permlanes that were not held, up to this line: loose[first..last].
function settle(line)
{
    for (; first <= last && loose[first] <= line; first++)
        offence(loose[first], loose_op[first], loose_at[first])
}

function narrow(saved) { nest = nest " " saved ":" NR }

# EXEC is again what `saved` kept; or what it was at first, if that is not known.
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
function operation(text,    op, operand, n, i, k, newest, count)
{
    op = text
    sub(/[ \t].*/, "", op)
    sub(/^[^ \t]+[ \t]*/, "", text)
    n = split(text, operand, /,[ \t]*/)
    newest = 0
    for (i = 1; i <= n; i++)
        sub(/[ \t].*/, "", operand[i])
    for (i = 2; i <= n; i++)
        for (k = registers(operand[i]); k > 0; k--)
            if (age[regs[k]] > newest)
                newest = age[regs[k]]
    if (moves_lanes(op) && newest < narrowed_at())
        suspect(op)
    if (!has_result(op))
        return
    if (is_load(op))
        newest = NR
    count = registers(operand[1])
    for (k = 1; k <= count; k++)
        result[regs[k]] = newest
}

function suspect(op)
{
    if (op ~ /^v_permlane/) {
        loose[++last] = NR
        loose_op[last] = op
        loose_at[last] = narrowed_at()
    } else if (!whole_warps) {
        offence(NR, op, narrowed_at())
    }
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
    settle(NR)
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
/#ASMSTART/ { if (first <= last) first++ }
{ settle(NR - 12) }
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
END { settle(NR) }
