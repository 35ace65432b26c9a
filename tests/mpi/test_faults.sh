#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A rank that dies, stops or is late: the job ends, not with 0, in time, and says which rank it was.
. "$(dirname "$0")/../cli/check.sh"
. "$(dirname "$0")/launch.sh"
program=$HEDDLE_BUILD_DIR/tests/mpi/mpi_faults
ulimit -c 0

# Nothing goes wrong: nothing is said. A loaded machine starts ranks slowly: so much is added below.
ranks 60 -n 4 "$program" killed 99
good
equal "what a good job says" "$err" ""
slack=$((2 * took + 2))

# within SECONDS: the last run, but for what starting ranks takes.
within()
{
    checks=$((checks + 1))
    [ "$took" -le $(($1 + slack)) ] || fail "$ran: took $took s, not $1 (and $slack to start)"
}

# ended RANK: the last run failed and one rank named the rank, within a timeout of 2 s and the 5 s
# that MPI_Abort has, with as much room again.
ended()
{
    checks=$((checks + 1))
    [ "$status" -ne 0 ] || fail "$ran: exit status 0"
    says "rank $1"
    equal "$ran: lines about it ($err)" "$(grep -c '^heddle: mpi: ' "$scratch/err")" 1
    within $((2 * HEDDLE_MPI_TIMEOUT + 7))
}

# The launcher sees a rank that is killed, or leaves without a word. A dead process is seen at once,
# not by the timeout.
export HEDDLE_MPI_TIMEOUT=50
for what in killed exits; do
    ranks 60 -n 4 "$program" $what 2
    checks=$((checks + 1))
    [ "$status" -ne 0 ] || fail "$ran: exit status 0"
    [ $launcher_names = process ] || says "rank 2"
    within 6
done
# Told to go on without it (as some launchers of batch systems do), it leaves that to the other
# ranks; its own exit status then says nothing.
if [ $launcher_names = rank ]; then
    ranks 60 -n 3 --mca orte_enable_recovery 1 "$program" killed 1
    says "rank 1 ("
    says "died: its process is gone"
    within 6
fi
HEDDLE_MPI_TIMEOUT=2
# Nobody but the ranks themselves sees one that stands still or never comes.
ranks 60 -n 4 "$program" stopped 2
ended 2
says "gives no sign of life for "
ranks 60 -n 3 "$program" late 1
ended 1
says "is late"
ranks 60 -n 3 "$program" away 2
ended 2
says "is late"
# Whoever has waited longest says so, be it the one that has failed.
for what in fails fails-first; do
    ranks 60 -n 3 "$program" $what 1
    ended 1
    says "rank 1 ("
    says "is late"
    says "waits for all to agree that it has failed: "
done
if [ "$HEDDLE_BACKEND" = cpu ]; then # where every machine has SHMEM
    ranks 60 -n 3 env HEDDLE_TEST_PATH=shmem "$program" stopped 1
    ended 1
    says "gives no sign of life for "
    ranks 60 -n 3 env HEDDLE_TEST_PATH=shmem "$program" late 2
    ended 2
    says "is late"
    ranks 60 -n 3 env HEDDLE_TEST_PATH=shmem "$program" killed 99
    good
    ranks 60 -n 3 env HEDDLE_TEST_PATH=peer "$program" stopped 1
    ended 1
    says "gives no sign of life for "
    ranks 60 -n 4 env HEDDLE_TEST_PATH=peer "$program" late-for-all 2
    ended 2
    says "is late"
    ranks 60 -n 3 env HEDDLE_TEST_PATH=peer "$program" killed 99
    good
fi
for HEDDLE_MPI_TIMEOUT in soon 0 nan; do
    ranks 60 -n 2 "$program" killed 99
    checks=$((checks + 1))
    [ "$status" -ne 0 ] || fail "HEDDLE_MPI_TIMEOUT=$HEDDLE_MPI_TIMEOUT is taken"
    says "HEDDLE_MPI_TIMEOUT: '$HEDDLE_MPI_TIMEOUT' is not a number of seconds other than 0"
done
finish
