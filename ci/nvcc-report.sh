#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nvcc-report.sh NVCC ARGUMENTS... -o OBJECT - a compiler launcher for nvcc: compiles normally, and
# also leaves in the folder OBJECT.report what ci/codegen.sh reads: PTX (*.ptx), machine code
# (*.cubin) and ptxas's report on registers, stack and spills (file `ptxas`). Warnings and errors
# are passed on to standard error.
set -u
for object in "$@"; do :; done
report=$object.report
rm -rf "$report" && mkdir -p "$report" || exit 1
"$@" -Xptxas -v --keep --keep-dir "$report" 2>"$report/ptxas"
status=$?
grep -vE '^ptxas info |^ +[0-9]+ bytes stack frame' "$report/ptxas" >&2
find "$report" -type f ! -name '*.ptx' ! -name '*.cubin' ! -name ptxas -exec rm -f '{}' +
exit $status
