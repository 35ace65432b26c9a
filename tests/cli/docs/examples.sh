# SPDX-License-Identifier: Apache-2.0
# examples.sh - sourced behind check.sh by the tests that run examples as they are written, from a
# folder that has what the repository's root has. Only sizes and repetitions are reduced. Files that
# examples name as the user's own are made here; programs that are not the tool stand in.
root=${HEDDLE_SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
find_python || { echo "python3 is needed to make the files"; exit 77; }
limit=${HEDDLE_EXAMPLE_LIMIT:-300} # seconds that an example may take

# ---- the folder ---------------------------------------------------------------------------------

mkdir "$scratch/root" "$scratch/bin"
for entry in "$root"/*; do
    [ "${entry##*/}" = build ] || ln -s "$entry" "$scratch/root/"
done
mkdir -p "$scratch/root/build/cpu"
cd "$scratch/root" || exit 1

# program NAME TEXT: a shell script
program()
{
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod +x "$1"
}
program "$scratch/bin/heddle" "exec \"$tool\" \"\$@\""
program build/cpu/heddle "exec \"$tool\" \"\$@\""
program "$scratch/bin/dieharder" 'head -c 1000000 >/dev/null'
program "$scratch/bin/nvcc" "cat >&2 <<'END'
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'kernel' for 'sm_90'
ptxas info    : Function properties for kernel
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
END"
program my_program 'exec heddle scan --n 1000'
program my_test 'exec heddle scan --n 100'
: >known.txt
PATH=$scratch/bin:$PATH
export PATH
HEDDLE_CPU_DEVICES=4
export HEDDLE_CPU_DEVICES
XDG_STATE_HOME=$scratch/state # what the user has solved
export XDG_STATE_HOME

"$python" - <<'PY' || fail "files"
import struct, zlib

def npy(name, descr, shape, data):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(name, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)

def reals(name, shape, code="f"):
    n = 1
    for extent in shape:
        n *= extent
    values = [(i * 37 % 101) / 101 for i in range(n)]
    npy(name, "<f4" if code == "f" else "<f8", shape, struct.pack("<%d%s" % (n, code), *values))

def png(name, channels):
    rows = b"".join(b"\0" + bytes((x * 3 + y) % 251 for x in range(20 * channels)) for y in range(16))
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    kind = {1: 0, 3: 2}[channels]
    with open(name, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 20, 16, 8, kind, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))

for name in ("measurements", "big", "prices"):
    reals(name + ".npy", (3000,))
reals("a.npy", (40, 30))
reals("warm.npy", (8, 9, 10))
reals("problems.npy", (6, 32), "d")
reals("plate.npy", (20, 24))
reals("cube.npy", (8, 8, 8))
npy("rhs.npy", "<f8", (100,), struct.pack("<100d", *[i % 7 for i in range(100)]))
npy("x.npy", "<f8", (100,), struct.pack("<100d", *[i % 7 for i in range(100)]))
npy("keys.npy", "<u4", (500,), struct.pack("<500I", *[i * 7919 % 1000 for i in range(500)]))
png("photo.png", 3)
png("scratches.png", 1)
samples = bytes(i * 131 % 256 for i in range(8000))
for name in ("samples.bin", "picture.bin", "disk.img"):
    open(name, "wb").write(samples)
open("haystack.txt", "w").write("hay\nneedle\nhay\n" * 50)
open("access.log", "w").write("GET /a\nPOST /b\nGET /c\n" * 50)
open("sales.csv", "w").write("amount,new_month\n" + "".join("%d.5,%d\n" % (i, i % 10 == 0) for i in range(50)))
open("trades.csv", "w").write("price,volume\n" + "".join("%d.25,%d\n" % (i % 9 + 1, i + 1) for i in range(50)))
with open("matrix.mtx", "w") as f:
    f.write("%%MatrixMarket matrix coordinate real symmetric\n100 100 199\n")
    for i in range(1, 101):
        f.write("%d %d 4\n" % (i, i))
        if i > 1:
            f.write("%d %d -1\n" % (i, i - 1))
with open("b.mtx", "w") as f:
    f.write("%%MatrixMarket matrix array real general\n100 1\n" + "1\n" * 100)
PY
cp "$root/tests/port/vecadd.cu" "$root/tests/port/reduce.cu" .
mkdir class
for project in lanes class/ann; do
    heddle exercise start 1 $project >project.out 2>&1 || grep -q "without jansson" project.out ||
        fail "a project: $(cat project.out)"
done
HEDDLE_TRACE=t.json heddle scan --n 1000 >trace.out 2>&1 || fail "a trace: $(cat trace.out)"

# ---- one example --------------------------------------------------------------------------------

cat >"$scratch/smaller.py" <<'PY'
# An example with smaller sizes, which leave every name and option as it is written: powers of two,
# megabytes and whole numbers from 200 on; and options for sizes that the example leaves to commands.
import re, sys

EXTRA = [  # command, the option that it has already or else gets
    ("adi", "--field|--size", "--size 32"), ("jacobi", "-nx", "--nx 256 --ny 256"),
    ("jacobi", "-niter", "--niter 20"), ("mpi jacobi", "-nx", "--nx 256 --ny 256"),
    ("mpi jacobi", "-niter", "--niter 20"), ("scaling", "-nx", "--nx 128 --ny 128"),
    ("montecarlo", "--paths", "--paths 4096"),
    ("bench cg", "--from", "--from 16 --to 32"), ("bench pipeline", "--n ", "--n 65536")]
commands = {}  # name: its help
for line in open(sys.argv[1]):
    name, _, options = line.rstrip("\n").partition("\t")
    commands[name] = options.split()

def extra(name, words):
    found = [text for command, has, text in EXTRA if command == name and not re.search(has, words)]
    side = re.search("laplace|adi|transpose|tridiag", name)  # of a square, a cube, a system
    for option, value in (("--runs", "1"), ("--rounds", "3"), ("--cache", "64K"),
                          ("--sizes", "64" if side else "4096")):
        if option in commands[name] and option not in words and (option != "--sizes" or "bench" in name):
            found.append(option + " " + value)
    return found

line = sys.stdin.read().rstrip("\n")
line = re.sub(r"2\^(\d+)", lambda m: "2^%d" % min(int(m[1]), 12), line)
line = re.sub(r"\b\d+[MG]\b", "64K", line)
line = re.sub(r"(?<![\w.#/-])(\d{3,})(?![\w.%])",
              lambda m: str(int(m[1]) if int(m[1]) < 200 else
                            int(m[1]) // 4 if int(m[1]) < 1000 else max(int(m[1]) // 64, 16)), line)
line = re.sub(r"--(runs|rounds) \d+", r"--\1 3", line)
line = re.sub(r"--milliseconds \d+", "--milliseconds 100", line)

def call(match):
    name, words = match[1], match[2]
    if name not in commands or "--measured" in line:  # fits need all their runs
        return match[0]
    return " ".join(["heddle " + name] + extra(name, words)) + words

line = re.sub(r"heddle ((?:(?:bench|mpi|streams|host|exercise|lab) )?[a-z0-9]+)((?:(?!heddle ).)*)", call, line)
print(line)
PY

# reason LINE: why an example cannot run here; nothing where it can.
reason()
{
    case $1 in
    *"heddle check"*) [ -n "$small" ] || echo "the checking engine's" ;;
    *build/check/*) echo "two builds" ;;
    *"bench engine"* | *"bench checker"*) [ "$backend" = cpu ] || echo "the CPU engine's" ;;
    *srun*) echo "a job of Slurm" ;;
    *mpirun*) [ -x "${tool%/*}/heddle-mpi" ] && command -v mpirun >/dev/null || echo "no MPI" ;;
    *.png*) [ "$png" = yes ] || echo "no libpng" ;;
    *--devices* | *p2p* | *"heddle remote"* | *"heddle collectives"* | *"heddle scaling"*)
        [ "$devices" -ge 4 ] || echo "four devices" ;;
    *"--ccl library"*) echo "the vendor's library" ;;
    esac
    case $1 in
    *"heddle check"*) ;;
    *) [ -z "$small" ] || echo "the fast engine's" ;;
    esac
}

# ends LINE: what an example that runs may exit with; a hazard is there to be found. On a GPU a
# starter fails or not by the width of its warp, and nothing looks for findings.
ends()
{
    case $backend:$1 in
    *"heddle check"*--hazard*) echo 1 ;;
    cpu:*"exercise check"* | cpu:*"exercise ladder"*) echo 1 ;; # of the starter
    *"exercise check"*) echo "1 3" ;;
    *"exercise ladder"*) echo "0 1" ;;
    *) echo 0 ;;
    esac
}

devices=$("$tool" info --json | grep -o '"bus_id"' | wc -l)
"$tool" transpose photo.png --out png.png >/dev/null 2>&1 && png=yes || png=

# example WHAT LINE: runs it.
example()
{
    why=$(reason "$2")
    if [ -n "$why" ]; then
        skipped=$((skipped + 1))
        echo "skipped ($why): $2"
        return
    fi
    checks=$((checks + 1))
    case $2 in
    *"exercise start"*) rm -rf lanes ballot ;; # it takes no folder with files
    esac
    line=$(printf '%s\n' "$2" | "$python" "$scratch/smaller.py" "$scratch/options")
    began=$(date +%s)
    timeout -k 5 $limit sh -c "$line" >example.out 2>example.err </dev/null
    status=$?
    took=$(($(date +%s) - began))
    [ $took -lt 10 ] || echo "$took s: $line"
    case $status$(cat example.err) in
    *"without jansson"*)
        skipped=$((skipped + 1))
        echo "skipped (jansson): $2"
        return ;;
    1*"rows disagree with the model"*) # small sizes, and a GPU that runs other tests too
        [ "$backend" = cpu ] || return 0 ;;
    1*"give no alpha and rate"*) # a busy machine, on whose times there is no line
        skipped=$((skipped + 1))
        echo "skipped (times without a fit): $2"
        return ;;
    esac
    case " $(ends "$2") " in
    *" $status "*) ;;
    *) fail "$1
  example: $2
  as:      $line
  status:  $status
$(tail -n 3 example.err)" ;;
    esac
}

# examples: the examples of a help text, lines that end in a backslash joined.
examples()
{
    sed -n '/^examples:/,$p' | sed -e :a -e '/\\$/N; s/\\\n *//; ta' | sed -n 's/^  //p'
}

# ---- the examples of help -----------------------------------------------------------------------

# Sets part: bench, devices (what runs on several, or measures how work overlaps) or plain.
part_of()
{
    case $1 in
    bench*) part=bench ;;
    jacobi | cg | overlap | bandwidth | topology | p2p | remote | scaling | collectives | graph | \
        quiz | streams* | host* | model | mpi*)
        part=devices ;;
    *) part=plain ;;
    esac
}

# commands NAME...: those that the help lists, one a line.
commands()
{
    "$tool" "$@" --help | awk '
        /^[^ ]/ { listed = /^[a-z]+( \(.*\))?:$/ && !/^(options|input|run|output|environment|examples):/ }
        listed && /^  / { print $1 ~ /^(bench|streams|host|exercise|lab)$/ ? $1 " " $2 : $1 }'
}

# examples_of PART: runs those of the part's commands.
examples_of()
{
    {
        commands
        [ ! -x "${tool%/*}/heddle-mpi" ] || commands mpi | sed 's/^/mpi /'
    } >"$scratch/commands"
    : >"$scratch/options"
    : >"$scratch/lines"
    [ "$1" != plain ] || "$tool" --help | examples >"$scratch/lines"
    while IFS= read -r name; do
        # shellcheck disable=SC2086
        "$tool" $name --help >"$scratch/help" 2>/dev/null </dev/null || fail "$name --help"
        printf '%s\t%s\n' "$name" "$(sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p' "$scratch/help" |
            tr '\n' ' ')" >>"$scratch/options"
        part_of "$name"
        [ "$part" = "$1" ] || continue
        [ -n "$(examples <"$scratch/help")" ] || fail "$name --help has no examples"
        examples <"$scratch/help" >>"$scratch/lines"
    done <"$scratch/commands"
    sort -u "$scratch/lines" >"$scratch/all"
    echo "$(wc -l <"$scratch/all") examples"
    while IFS= read -r line <&3; do
        example "--help" "$line"
    done 3<"$scratch/all"
}

skipped=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
