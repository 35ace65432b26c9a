#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The README's tour is the project that tests/install builds, word for word, and the README is short;
# scripts that the pages name exist. Links and the tool's commands: test_docs.sh.
. "$(dirname "$0")/../check.sh"
root=${HEDDLE_SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
cd "$root" || exit 1

# block NUMBER LANGUAGE: the NUMBER-th fenced block of that language in the README.
block()
{
    awk -v wanted="$1" -v fence="\`\`\`$2" '
        inside && /^```/ { inside = 0; next }
        inside && count == wanted { print }
        !inside && /^```/ { inside = 1; if ($0 == fence) count++; else if (count == wanted) exit }
    ' README.md
}

equal "README: axpy.h" "$(block 1 c)" "$(cat tests/install/tour/axpy.h)"
equal "README: axpy.c" "$(block 2 c)" "$(cat tests/install/tour/axpy.c)"
equal "README: main.c" "$(block 3 c)" "$(cat tests/install/tour/main.c)"
equal "README: CMakeLists.txt" "$(block 1 cmake)" "$(cat tests/install/tour/CMakeLists.txt)"
equal "README: fewer than 200 lines" "$(($(wc -l <README.md) < 200))" 1

# The functions of docs/primitives.md are those of the program that tests/install builds.
awk '/^```/ { inside = $0 == "```c"; next } inside && /^hd_workspace/ { exit } inside && NF' \
    docs/primitives.md >"$scratch/shown"
while IFS= read -r line; do
    checks=$((checks + 1))
    grep -qxF -e "$line" tests/install/primitives/main.c || fail "docs/primitives.md: $line"
done <"$scratch/shown"
equal "docs/primitives.md: functions" "$(grep -c '^static hd_status' "$scratch/shown")" 3

for script in $(grep -oh 'sh ci/[a-z-]*\.sh' README.md CONTRIBUTING.md docs/*.md | sed 's/sh //' | sort -u); do
    checks=$((checks + 1))
    [ -e "$script" ] || fail "no script $script"
done

# ci/test.sh tells how it is used, and when its arguments leave no test.
equal "ci/test.sh --help" "$(sh ci/test.sh --help | grep -c '^usage: sh ci/test.sh \[CTEST')" 1
if [ -n "${HEDDLE_BUILD_DIR:-}" ] && command -v ctest >/dev/null; then
    HEDDLE_CI_LOGS=$scratch/logs
    none_match=""
    . ci/steps.sh
    run_ctest none "$HEDDLE_BUILD_DIR" -R no_such_test >"$scratch/none"
    equal "no test matches: status, failed" "$?/$failed/$none_match" 1/1/yes
    equal "no test matches" "$(cat "$scratch/none")" "FAIL  tests of none: none match -R no_such_test"
fi

# Each public header of calls is in the table of docs/primitives.md.
for header in $(grep -l '^hd_status hd_' include/heddle/*.h | sed 's#.*/##'); do
    case $header in heddle.h | status.h) continue ;; esac
    checks=$((checks + 1))
    grep -q "^| .*\`$header\`" docs/primitives.md || fail "docs/primitives.md: no $header"
done
finish
