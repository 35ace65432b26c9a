# SPDX-License-Identifier: Apache-2.0
# codegen-rules.awk - checks the lines of codegen-amd.awk. Reads, in this order, the expectations
# (-v expect=FILE), the baseline (-v baseline=FILE, may be missing) and the lines; prints
# violations. -v same=1 if the baseline is from the same compiler. Spills are errors on the default
# architectures; on older ones only an increase is.

function expects(kernel, property,    i)
{
    for (i = 1; i <= rules; i++)
        if (kernel ~ pattern[i] && index(" " properties[i] " ", " " property " "))
            return 1
    return 0
}

# The value of a property name=number; -1 if the kernel does not have it.
function limit(kernel, name,    i, n, word, w)
{
    for (i = 1; i <= rules; i++) {
        if (kernel !~ pattern[i])
            continue
        n = split(properties[i], word, " ")
        for (w = 1; w <= n; w++)
            if (index(word[w], name "=") == 1)
                return substr(word[w], length(name) + 2) + 0
    }
    return -1
}

function offence(text)
{
    print $1 " " $2 ": " text
}

BEGIN {
    while ((getline line < expect) > 0) {
        if (line ~ /^#/ || line ~ /^ *$/)
            continue
        split(line, word, " ")
        pattern[++rules] = word[1]
        properties[rules] = substr(line, length(word[1]) + 2)
    }
    while (same && (getline line < baseline) > 0) {
        if (line ~ /^#/)
            continue
        split(line, word, " ")
        known[word[1] " " word[2]] = line
    }
}

{
    chip = substr($1, 4)
    rdna = chip ~ /^1[0-9]/
    first = index(" gfx90a gfx942 gfx1100 ", " " $1 " ") &&
        (expects($2, "fits") || !expects($2, "may_spill"))
    moves = limit($2, "lds_moves")
    if (first && $7 > 0) offence($7 " spilled registers")
    if (first && $8 > 0) offence($8 " bytes of stack per thread")
    if ($9 != (rdna ? 32 : 64)) offence("wavefront size " $9)
    if (expects($2, "wide") && $10 == 0) offence("streams without 16-byte loads")
    if (expects($2, "no_flat") && $11 > 0) offence($11 " generic memory accesses (flat_)")
    if (expects($2, "lanes") && $13 < 6) offence($13 " DPP, permlane or readlane moves, fewer than a tree")
    if (expects($2, "lanes") && 4 * $12 > $13)
        offence($12 " cross-lane moves through LDS beside " $13 " by DPP or permlane")
    if (moves >= 0 && $12 > moves)
        offence($12 " cross-lane moves through LDS, at most " moves " allowed")
    if (expects($2, "float_atomic") && chip ~ /^(90a|94)/ && ($14 == 0 || $15 > 0))
        offence("no hardware float atomics")
    if (($1 " " $2) in known) {
        split(known[$1 " " $2], was, " ")
        slack = was[3] * 0.1 > 4 ? was[3] * 0.1 : 4
        if ($3 > was[3] + slack) offence("vector registers " was[3] " -> " $3)
        if ($7 > was[7]) offence("spilled registers " was[7] " -> " $7)
        if ($8 > was[8]) offence("bytes of stack " was[8] " -> " $8)
        if ($5 > was[5]) offence("bytes of LDS " was[5] " -> " $5)
        if ($6 < was[6]) offence("occupancy " was[6] " -> " $6)
        if ($12 > was[9]) offence("cross-lane moves through LDS " was[9] " -> " $12)
    }
}
