#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# A program with more rights than its caller (here: setgid) ignores variables that name files,
# libraries and programs. Each is seen to work in a plain copy of the tool.
. "$(dirname "$0")/../check.sh"

# give_group FILE: setgid, with a group that is not the caller's own.
give_group()
{
    for group in $(id -G) 1; do
        [ "$group" != "$(id -g)" ] && chgrp "$group" "$1" 2>why && chmod g+s "$1" && return
    done
    return 1
}

# In the folder $scratch. The loader shows its vector to all programs but those of this kind.
can_make()
{
    cd "$scratch" && cp /bin/true plain-true && cp /bin/true other-true &&
        give_group other-true && [ -n "$(LD_SHOW_AUXV=1 ./plain-true)" ] &&
        [ -z "$(LD_SHOW_AUXV=1 ./other-true)" ]
}

if ! can_make; then # another file system may allow it
    rm -rf "$scratch"
    scratch=$(mktemp -d "${HEDDLE_BUILD_DIR:-.}/heddle-cli.XXXXXX") || exit 1
    can_make || { echo "skipped: no setgid programs here (no second group, or nosuid)"; exit 77; }
fi
mkdir plain secure
cp "$tool" plain/heddle
cp "$tool" secure/heddle
give_group secure/heddle
secure/heddle --version >out 2>err ||
    { echo "skipped: the tool needs libraries that a setgid program does not find"; exit 77; }

# told TOOL VARIABLES... -- ARGUMENTS...: runs that copy; what it printed is in `all`.
told()
{
    told_tool=$1
    shift
    told_variables=
    while [ "$1" != -- ]; do
        told_variables="$told_variables $1"
        shift
    done
    shift
    rm -f made
    # shellcheck disable=SC2086
    env $told_variables "$told_tool/heddle" "$@" >all 2>&1 </dev/null
    status=$?
}

# ignored TEXT VARIABLES... -- ARGUMENTS...: a plain copy says TEXT or makes the file `made`, the
# other one does not.
ignored()
{
    ignored_text=$1
    shift
    told plain "$@"
    checks=$((checks + 1))
    [ -e made ] || grep -q -e "$ignored_text" all || fail "a plain copy does not heed $1: $(cat all)"
    told secure "$@"
    checks=$((checks + 1))
    [ ! -e made ] || fail "a setgid copy heeds $1: a file is made"
    ! grep -q -e "$ignored_text" all || fail "a setgid copy heeds $1: $(cat all)"
}

printf '1\n2\n3\n' >three.csv
printf '#!/bin/sh\necho another program\n' >program
chmod +x program
ignored "none" HEDDLE_TRACE=made -- scan --n 10
ignored "/none.so" HEDDLE_PEERS=/none.so -- bench reduce --vendor --sizes 1000 --types f32 --ops sum --cache 64K
ignored "/none.so" HEDDLE_VENDOR=/none.so -- bench reduce --vendor --sizes 1000 --types f32 --ops sum --cache 64K
ignored "another program" HEDDLE_MPI_PROGRAM="$scratch/program" -- mpi info
ignored "cannot keep" HEDDLE_SPOOL_MEMORY=1 TMPDIR=/nowhere -- reduce three.csv
ignored "unknown; use off, read or now" HEDDLE_TUNE=maybe -- scan --n 10
ignored "none/file" HEDDLE_TUNE_FILE=none/file -- tune --show
ignored "HEDDLE_DEVICES" HEDDLE_DEVICES=nonsense -- scan --n 10
[ "$backend" != cpu ] || ignored "HEDDLE_CPU_WARP" HEDDLE_CPU_WARP=7 -- scan --n 10
if [ -n "$small" ]; then # the checking engine
    ignored "none" HEDDLE_CHECK_REPORT=made -- scan --n 10
    ignored "none.txt" HEDDLE_CHECK_SUPPRESS=none.txt -- scan --n 10
fi
finish
