#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# limit.sh SECONDS COMMAND... - runs a test with at most SECONDS of processor time for each of its
# processes, so that a busy machine does not fail a test that is merely waiting its turn. A test that
# waits forever without computing is ended by CTest's limit on elapsed time, which is much longer.
seconds=$1
shift
(ulimit -t "$seconds" && exec "$@")
status=$?
# 128 + SIGXCPU, or SIGKILL for a process that ignores it.
if [ "$status" -eq 152 ] || [ "$status" -eq 137 ]; then
    echo "ended after $seconds s of processor time: $*" >&2
fi
exit "$status"
