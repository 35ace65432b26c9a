#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test.sh [CTEST ARGUMENTS...] - sets up, configures, builds and runs every test: on the GPU if
# there is one with its toolkit, otherwise on the CPU engine at both warp sizes. The last line gives
# the counts.
#   HEDDLE_PRESET=cpu|cuda|hip|hip-nvidia   overrides the choice
#   CI    if set, warnings are errors
set -u
case ${1:-} in
-h | --help)
    cat <<'END'
usage: sh ci/test.sh [CTEST ARGUMENTS...]

Sets up, configures, builds and runs every test: about 13 minutes on two cores.
  sh ci/test.sh -R conformance    tests whose names match; -E: all but those
  sh ci/test.sh -L quick          tests with a label that matches
  HEDDLE_PRESET=cpu sh ci/test.sh without the GPU; or cuda, hip, hip-nvidia
END
    exit 0
    ;;
esac
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
sh ci/setup.sh test || exit 1
. ci/steps.sh

preset=${HEDDLE_PRESET:-$(choose_preset)}
echo "heddle: testing preset $preset in build/$preset"
passed=0 failed=1 skipped=0 none_match=""
step "configure $preset" cmake --preset "$preset" ${CI:+-DHEDDLE_WERROR=ON} &&
    step "build $preset" cmake --build "build/$preset" -j "$jobs" &&
    run_ctest "$preset" "build/$preset" "$@"
echo "$passed $failed $skipped" >build/ci/counts
[ -z "$none_match" ] || { echo "no test matches: $*"; exit 1; }
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
