# SPDX-License-Identifier: Apache-2.0
# launch.sh - sourced by the tests of heddle::mpi after check.sh: starts ranks on this machine, as
# root in a container or as anybody, more of them than there are cores.
launcher=${HEDDLE_MPIEXEC:?launch.sh: HEDDLE_MPIEXEC has to name mpirun}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_plm_rsh_agent=sh PMIX_MCA_gds=hash OMPI_MCA_mpi_yield_when_idle=1
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}" # MPI's own
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # Open MPI 5
# MPICH's launcher ends the job when a rank dies, and names its process, not its rank.
case $("$launcher" --version 2>&1) in
*HYDRA*) launcher_names=process ;;
*) launcher_names=rank ;;
esac
# Engines of several ranks share the cores.
export HEDDLE_CPU_THREADS=${HEDDLE_CPU_THREADS:-1}

# ranks LIMIT WORDS...: runs mpirun with the words for at most LIMIT seconds; $status, $out, $err and
# $took (seconds) are what came of it.
ranks()
{
    ranks_limit=$1
    shift
    ran="mpirun $*"
    ranks_began=$(date +%s)
    timeout -k 5 "$ranks_limit" "$launcher" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    took=$(($(date +%s) - ranks_began))
    out=$(cat "$scratch/out")
    err=$(cat "$scratch/err")
    [ "$status" -ne 124 ] || fail "$ran: still running after $ranks_limit s"
}

# good: the last run ended with 0.
good()
{
    checks=$((checks + 1))
    [ "$status" -eq 0 ] || fail "$ran: exit status $status
$out
$err"
}

# says TEXT: the last run said it, somewhere.
says()
{
    checks=$((checks + 1))
    case "$out$err" in
    *"$1"*) ;;
    *) fail "$ran: nothing says '$1'
  output: $out
  errors: $err" ;;
    esac
}
