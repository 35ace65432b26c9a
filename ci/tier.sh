# SPDX-License-Identifier: Apache-2.0
# tier.sh - sourced by quick.sh and full.sh: runs cells and sums up counts. HEDDLE_CI_REQUIRE lists
# kinds of cells (or whole cells, "cpu compiler=clang") that must not be skipped.

total_passed=0 total_failed=0 total_skipped=0 cells_failed="" cells_not_run=""

is_required()
{
    case ",$(echo "${HEDDLE_CI_REQUIRE:-}" | tr ' ' ',')," in
    *",$1,"* | *",$2,"*) return 0 ;;
    esac
    return 1
}

add_counts()
{
    [ -f "$1" ] || return 0
    read -r p f s <"$1"
    total_passed=$((total_passed + p))
    total_failed=$((total_failed + f))
    total_skipped=$((total_skipped + s))
}

# cell KIND [key=value...]
cell()
{
    echo "cell  $*"
    HEDDLE_CI_COUNTS=$HEDDLE_CI_LOGS/cell.counts
    export HEDDLE_CI_COUNTS
    rm -f "$HEDDLE_CI_COUNTS"
    sh ci/cell.sh "$@" </dev/null
    code=$?
    add_counts "$HEDDLE_CI_COUNTS"
    if [ "$code" -eq 77 ] && is_required "$1" "$*"; then
        echo "FAIL  $*: required, but not run"
        total_failed=$((total_failed + 1))
        cells_failed="$cells_failed; $*"
    elif [ "$code" -eq 77 ]; then
        total_skipped=$((total_skipped + 1))
        cells_not_run="$cells_not_run; $*"
    elif [ "$code" -ne 0 ]; then
        cells_failed="$cells_failed; $*"
        # A cell that failed before it could count is also a failure.
        [ -s "$HEDDLE_CI_COUNTS" ] || total_failed=$((total_failed + 1))
    fi
}

# Prints the summary; returns the exit status of the tier.
report()
{
    [ -n "$cells_not_run" ] && echo "cells not run: ${cells_not_run#; }"
    [ -n "$cells_failed" ] && echo "cells failed: ${cells_failed#; }"
    echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
    [ "$total_failed" -eq 0 ] && [ -z "$cells_failed" ]
}
