#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# hidden.sh [SCRATCH] - finds accesses that gcc hides from the checker: a struct in memory that is
# an argument or the result of a function that is not inlined gets no hook (docs/checker.md). Lists
# those in heddle's kernels and in the tests' kernels: FILE: FUNCTION calls CALLEE with MEMORY. Exit
# status: 0 none, 1 some, 77 not run.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
scratch=${1:-build/ci/hidden}
command -v gcc >/dev/null 2>&1 || { echo "      hidden: no gcc"; exit 77; }
mkdir -p "$scratch" || exit 1
scratch=$(cd "$scratch" && pwd)
cmake -S . -B "$scratch/build" -DCMAKE_C_COMPILER=gcc -DHEDDLE_BACKEND=cpu -DHEDDLE_CHECK=ON \
    >"$scratch/configure.log" 2>&1 || { tail -n 5 "$scratch/configure.log"; exit 77; }

# commands: compile commands of the kernels that the checker instruments, without their output.
commands()
{
    awk '/"command":/ && /-fsanitize=thread/ && /\/(kernels\/[^\/]*|kern_[^\/]*)[.]c"/ {
        sub(/^ *"command": "/, ""); sub(/",? *$/, "")
        gsub(/\\"/, "\""); gsub(/\\\\/, "\\"); sub(/ -o [^ ]*/, " -S -o /dev/null")
        print }' "$scratch/build/compile_commands.json"
}

# hidden DUMP: calls with an operand in memory, at the stage at which the compiler inserts hooks.
hidden()
{
    awk '
    function in_memory(text) {
        return text !~ /^&/ && (text ~ /^[*]/ || text ~ /^MEM/ || text ~ /->/)
    }
    function look(caller, callee, text,   i, c, depth, word) {
        for (i = 1; i <= length(text) + 1; i++) {
            c = substr(text, i, 1)
            if (index("([{", c) && c != "") depth++
            if (index(")]}", c) && c != "") depth--
            if (c != "" && (c != "," || depth)) { word = word c; continue }
            sub(/^ */, "", word)
            if (in_memory(word)) print caller " calls " callee " with " word
            word = ""
        }
    }
    /^;; Function / { caller = $3 }
    /^  +[^ ].* \(.*\);/ {
        line = $0; result = ""
        sub(/^ +/, "", line)
        if (match(line, / = /)) { result = substr(line, 1, RSTART - 1); line = substr(line, RSTART + 3) }
        if (!match(line, /^[A-Za-z_][A-Za-z0-9_.]* \(/) || line ~ /^(if|switch|__builtin)/) next
        callee = substr(line, 1, RLENGTH - 2); line = substr(line, RLENGTH + 1)
        sub(/\);.*$/, "", line)
        look(caller, callee, line)
        if (in_memory(result)) print caller " calls " callee " for " result
    }' "$1" | sort -u
}

commands >"$scratch/commands"
[ -s "$scratch/commands" ] || { echo "      hidden: no kernels"; exit 77; }
: >"$scratch/found"
while IFS= read -r command; do
    rm -f "$scratch/dump"
    (cd "$scratch/build" && eval "$command -fdump-tree-tsan=$scratch/dump") 2>"$scratch/errors" ||
        { cat "$scratch/errors"; exit 1; }
    [ ! -f "$scratch/dump" ] || hidden "$scratch/dump" | sed "s#^#${command##* }: #" >>"$scratch/found"
done <"$scratch/commands"
cat "$scratch/found"
echo "$(wc -l <"$scratch/commands") files, $(wc -l <"$scratch/found") accesses that the checker does not see"
[ ! -s "$scratch/found" ]
