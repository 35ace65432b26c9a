#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The code of docs/porting-not-offered.md and docs/images.md is that of docs/examples/replacements, which
# examples.replacements builds and runs; each section of the former has both sides; the CUDA side passes nvcc, if it
# is installed.
. "$(dirname "$0")/../check.sh"
root=${HEDDLE_SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
find_python || { echo "python3 is needed to read the page"; exit 77; }
example=docs/examples/replacements
cd "$root" || exit 1

cat >"$scratch/blocks.py" <<'PY'
# blocks.py PAGE FOLDER [both]: blocks of a page that its sources do not have; sections without both
# sides.
import glob, re, sys

def read(path):
    return open(path, encoding="utf-8").read()

page, folder, *both = sys.argv[1:]
sources = {"c": [read(p) for p in glob.glob(folder + "/*.c")],
           "cuda": [read(p) for p in glob.glob(folder + "/cuda/*.cu")]}
blocks = faults = 0
for section in re.split(r"^## ", read(page), flags=re.M)[1 if both else 0:]:
    title = section.split("\n")[0]
    found = re.findall(r"^```(\w*)\n(.*?)^```$", section, re.M | re.S)
    if both and {kind for kind, _ in found} != {"c", "cuda"}:
        print(f"{title}: not both sides")
    for kind, text in found:
        blocks += 1
        if not any("\n" + text in source for source in sources.get(kind, [])):
            print(f"{title}: not in the sources: {text.split(chr(10))[0]}")
print(f"{blocks} blocks")
PY
equal "docs/porting-not-offered.md" \
    "$("$python" "$scratch/blocks.py" docs/porting-not-offered.md $example both)" "19 blocks"
equal "docs/images.md" "$("$python" "$scratch/blocks.py" docs/images.md $example)" "2 blocks"

# A row of the first table leads to each section but to those that it does not name.
equal "rows of the table" "$(grep -c '^| .*](#' docs/porting-not-offered.md)" 9

nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
if [ -x "$nvcc" ]; then
    "$nvcc" -arch=sm_90 -rdc=true -Werror all-warnings -c $example/cuda/originals.cu \
        -o "$scratch/originals.o" >"$scratch/log" 2>&1
    equal "nvcc: exit status" "$?" 0
    cat "$scratch/log"
else
    echo "the CUDA side is not compiled: no nvcc"
fi
finish
