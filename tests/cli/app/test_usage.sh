#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# Help, version, and command lines that make no sense.
. "$(dirname "$0")/../check.sh"
printf '12345678' >"$scratch/data.bin"

# asked ARGUMENTS...: exit 0, something on standard output, nothing on standard error.
asked()
{
    run "$@"
    equal "$ran: exit status" "$status" 0
    equal "$ran: standard error" "$err" ""
    checks=$((checks + 1))
    [ -n "$out" ] || fail "$ran: nothing printed"
}

asked --help
for command in reduce info check "bench reduce" "bench launch" "bench engine"; do
    case $out in
    *"$command"*) ;;
    *) fail "--help does not list $command" ;;
    esac
done
equal "--help: devices of the CPU, and who takes --devices" \
    "$(printf '%s\n' "$out" | grep -c '^  HEDDLE_CPU_DEVICES \|several devices take --devices$')" 2
asked -h
asked help
asked help bench
asked bench --help
for command in reduce info check "bench reduce" "bench launch" "bench engine"; do
    asked help $command
    by_help=$out
    asked $command --help
    equal "$command --help and help $command" "$out" "$by_help"
    case $out in
    *examples:*"heddle $command"*) ;;
    *) fail "$command --help has no example" ;;
    esac
done
asked --version
equal "--version: the words before the number" "${out%% [0-9]*}" heddle
equal "--version: behind the number" "${out#heddle [0-9]*.[0-9]*.[0-9]* }" "(backend $backend)"
equal "--version: lines" "$(printf '%s\n' "$out" | wc -l | tr -d ' ')" 1
one_line=$out
asked --version --all
equal "--version --all: version" "$(printf '%s\n' "$out" | head -n 1)" "$one_line"
equal "--version --all: compiler" "$(printf '%s\n' "$out" | grep -c '^compiler [a-z]* [0-9]')" 1
refused 2 "unexpected argument 'x'" --version x
refused 2 "unexpected argument 'x'" --version --all x

refused 2 "a command is missing"
refused 2 "unknown command 'redcue', did you mean 'reduce'?" redcue
refused 2 "unknown command 'frobnicate' (see 'heddle --help')" frobnicate
refused 2 "unknown command 'bench redcue', did you mean 'bench reduce'?" bench redcue
refused 2 "unknown command 'bnech reduce', did you mean 'bench reduce'?" bnech reduce
refused 2 "unknown command 'bnech', did you mean 'bench'?" bnech
refused 2 "unknown command 'steams', did you mean 'streams'?" steams --json
refused 2 "unknown command 'streams priorty', did you mean 'streams priority'?" streams priorty
refused 2 "unknown command 'trans', did you mean 'transpose'?" trans a.npy
refused 2 "unknown command 'recude', did you mean 'reduce'?" help recude
refused 2 "mpi: unknown command 'pingpogn', did you mean 'pingpong'?" mpi pingpogn
refused 2 "unknown option '--hepl', did you mean '--help'?" --hepl
refused 2 "unknown option '--versoin', did you mean '--version'?" --versoin
refused 2 "unknown option '-jsno', did you mean '--json'?" reduce -jsno "$scratch/data.bin"
refused 2 "unknown command 'trace', did you mean 'timeline'?" trace t.json
refused 2 "unknown option '--time', did you mean '--timeline'?" scan --time t.svg --n 10
refused 2 "unknown option '--ouput', did you mean '--out'?" scan --ouput=x --n 10
refused 2 "unknown option '--hlep', did you mean '--help'?" info --hlep
refused 2 "--pattern: unknown 'unifrom', did you mean 'uniform'?" scan --n 10 --pattern unifrom
refused 2 "--dist: unknown 'log', did you mean 'lognormal'?" random --dist log
refused 2 "--shape: unknown 'indep', did you mean 'independent'?" graph --shape indep
refused 2 "bench: choose one of " bench
refused 2 "unknown command 'bench nosuchthing'; choose one of histogram, select, " bench nosuchthing
refused 2 "laplace3d (see 'heddle --help')" bench nosuchthing
refused 2 "mpi: unknown command 'nosuch'; choose one of info, pingpong, alltoall, jacobi" mpi nosuch
refused 2 "unknown option '--frob'" --frob
refused 2 "unknown command 'frob'" help frob
refused 2 "reduce: unknown option '--foo' (see 'heddle reduce --help')" reduce --foo
refused 2 "unknown option '--jsno', did you mean '--json'?" reduce --jsno "$scratch/data.bin"
refused 2 "unknown option '-x'" reduce -x "$scratch/data.bin"
refused 2 "FILE is missing" reduce
refused 2 "FILE is missing" reduce --json
refused 2 "unexpected argument 'two'" reduce one two
refused 2 "unexpected argument 'x'" info x
refused 2 "option '--type' needs a value" reduce "$scratch/data.bin" --type
refused 2 "option '--json' takes no value" reduce --json=1 "$scratch/data.bin"
refused 2 "option '--op' is given twice" reduce --op sum --op count "$scratch/data.bin"
refused 2 "option '--type' is given twice" reduce --type u8 "$scratch/data.bin" --type=u8
refused 2 "option '--json' is given twice" reduce --json --json "$scratch/data.bin"
refused 2 "option '--rounds' is given twice" bench reduce --rounds 3 --rounds 4
refused 2 "--type: unknown 'f31', did you mean 'f32'?" reduce --type f31 "$scratch/data.bin"
refused 2 "--op: unknown 'summ', did you mean 'sum'?" reduce --op min,summ "$scratch/data.bin"
refused 2 "--op: unknown ''" reduce --op '' "$scratch/data.bin"
refused 2 "--algo: unknown 'fast'" reduce --algo fast "$scratch/data.bin"
refused 2 "--format: unknown 'hdf5'" reduce --format hdf5 "$scratch/data.bin"
refused 2 "--chunk: '0' is not a size" reduce --chunk 0 "$scratch/data.bin"
refused 2 "--chunk: '12Q' is not a size" reduce --chunk 12Q "$scratch/data.bin"
refused 2 "--chunk: '-1' is not a size" reduce --chunk -1 "$scratch/data.bin"
refused 2 "--chunk works with --algo auto only" reduce --chunk 1K --algo tree "$scratch/data.bin"
refused 2 "--json and --csv are mutually exclusive" reduce --json --csv "$scratch/data.bin"
refused 2 "--header and --no-header are mutually exclusive" reduce --header --no-header "$scratch/data.bin"
refused 2 "--delimiter: one character" reduce --delimiter ab "$scratch/data.bin"
refused 2 "--sizes: 'ten'" bench reduce --sizes ten
refused 2 "--sizes: 0 is out of range" bench reduce --sizes 0
refused 2 "--types: unknown 'f31'" bench reduce --types f31
refused 2 "--rounds: '1'" bench reduce --rounds 1

# MPI is a program of its own, which may be missing for two reasons.
HEDDLE_MPI_PROGRAM=$scratch/none
export HEDDLE_MPI_PROGRAM
refused 1 "HEDDLE_MPI_PROGRAM=$HEDDLE_MPI_PROGRAM is not a program" mpi info
equal "which says nothing of the build" "$(printf '%s\n' "$err" | grep -c 'this build')" 0
unset HEDDLE_MPI_PROGRAM
cp "$tool" "$scratch/heddle"
"$scratch/heddle" mpi info 2>"$scratch/err"
equal "a tool without its heddle-mpi: exit status" $? 1
equal "a tool without its heddle-mpi" "$(grep -c \
    '/heddle-mpi: this build of heddle has no MPI (.*), or its target heddle_mpi_tool was not built$' \
    "$scratch/err")" 1

# What the library would refuse too is a mistake of the command line.
refused 2 "--low 5 is not below --high 1" histogram --low 5 --high 1 --n 10
refused 2 "of u32 they are whole numbers from 0 to 4294967296" \
    histogram --type u32 --low 0.5 --high 7 --n 10
refused 2 "--correlation: 2 is not from -1 to 1" montecarlo --correlation 2
refused 2 "--volatility: -1 is not above 0" montecarlo --volatility -1
refused 2 "--years: 0 is not above 0" montecarlo --years 0
refused 2 "--deviation: -1 is below 0" random --dist normal --deviation -1 --n 10
refused 2 "--mean: -1 is not from 0 to 2^30" random --dist poisson --mean -1 --n 10
refused 2 "--rate: -1 is not above 0" adi --rate -1
refused 2 "--in-place: 2 x 3 is not square" transpose --n 6 --rows 2 --in-place

# Two results cannot go to one file, by whatever name.
mkdir "$scratch/there"
touch "$scratch/there/old"
refused 2 "--timeline and --out both write 'o.npy'" scan --n 10 --out o.npy --timeline o.npy
refused 2 "--timeline and --trace both write 't'" scan --n 10 --trace t --timeline t
refused 2 "--lengths and --out both write 'u'" unique --n 10 --counts --out u --lengths u
refused 2 "both write" scan --n 10 --out "$scratch/there/old" --trace "$scratch/there/../there/old"
# What is read is not written over, by whatever name; every file has one.
cd "$scratch" || exit 1
printf 'x\n1\n2\n' >read.csv
ln -s read.csv link.csv
cp read.csv kept.csv
refused 2 "--out would write over 'read.csv', which is read" sort read.csv --out "$PWD/read.csv"
refused 2 "--out would write over 'read.csv', which is read" spmv --poisson 2,1 --x read.csv --out link.csv
refused 2 "--out would write over 'link.csv', which is read" cg --poisson 2,1 --rhs link.csv --out read.csv
refused 2 "--trace would write over 'read.csv', which is read" reduce read.csv --trace read.csv
refused 2 "--timeline would write over 'read.csv', which is read" match x read.csv --timeline read.csv
refused 2 "OUT would write over 'read.csv', which is read" laplace --image read.csv --mask x.png read.csv
cmp -s read.csv kept.csv || fail "a file that is read was written over"
run match read.csv read.csv --trace t
equal "a pattern is no file ($err)" "$status" 0
run match out.json read.csv --trace out.json
equal "nor is one that a file is named like ($err)" "$status" 0
for words in "topology --svg" "scan --n 4 --out" "scan --n 4 --trace" "spmv --poisson 2,1 --x"; do
    # shellcheck disable=SC2086
    refused 2 "${words##* }: a file's name is missing" $words ""
done
refused 2 "FILE: a file's name is missing" cg ""
refused 2 "FILE: a file's name is missing" match x ""
refused 2 "OUT: a file's name is missing" laplace --image a.png --mask b.png ""
cd - >/dev/null || exit 1
equal "the old file" "$(wc -c <"$scratch/there/old" | tr -d ' ')" 0
equal "two results to a device" "$(value sum --type u8 --trace /dev/null --timeline /dev/null \
    "$scratch/data.bin")" 420

# A name with a line feed in it still makes one line; '--' ends the options.
refused 2 "unknown option '--a\\nb'" reduce "--a
b"
printf '\001\002' >"$scratch/--json"
cd "$scratch" || exit 1
equal "an operand that looks like an option" "$(value sum --type u8 -- --json)" 3

if [ "$backend" != cpu ]; then
    refused 1 "CPU engine" bench engine
fi
finish
