#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# limit.sh SECONDS COMMAND... - runs a test with a limit of SECONDS of processor time for each of
# its processes, so that tests do not fail because the machine is busy. A test that waits forever
# without computing is ended by CTest's limit on elapsed time, which is much longer.
seconds=$1
shift
(ulimit -t "$seconds" && exec "$@")
status=$?
# 128 + SIGXCPU, or SIGKILL for a process that ignores it.
if [ "$status" -eq 152 ] || [ "$status" -eq 137 ]; then
    echo "ended after $seconds s of processor time: $*" >&2
fi
exit "$status"
