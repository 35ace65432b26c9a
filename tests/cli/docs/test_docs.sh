#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The pages: links and anchors lead somewhere, commands of the tool in blocks of shell code exist and
# have the options that they are given, tests that are named exist, and mkdocs.yml lists every page.
. "$(dirname "$0")/../check.sh"
root=${HEDDLE_SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
find_python || { echo "python3 is needed to read the pages"; exit 77; }

# pages FOLDER: what is wrong with the pages of a tree, and how much was looked at.
pages()
{
    "$python" "$root/tests/cli/docs/pages.py" "$tool" "$1"
}

pages "$root" >"$scratch/found"
equal "pages: exit status" "$?" 0
cat "$scratch/found"

# A tree with one fault of each kind, beside what is right.
mkdir -p "$scratch/tree/docs/api" "$scratch/tree/tests/unit" "$scratch/tree/tests/bugs"
echo 'TEST(a_case)' >"$scratch/tree/tests/unit/test_good.c"
echo '    X(good, family, "HD-LEAK", 0, ANY, "")' >"$scratch/tree/tests/bugs/bugs.h"
cat >"$scratch/tree/README.md" <<'MD'
# A Page, of `code`
[file](docs/one.md) [anchor](docs/one.md#part-two) [here](#a-page-of-code) [net](https://example.org)
[no file](docs/none.md) [no anchor](docs/one.md#part-three) ![no picture](docs/none.png)
`[not](a-link.md)`, `unit.good` (`a_case`, `no_case`), `unit.bad`, `bug.good.fixed`, `bug.bad`, `unit.*`
```
[not](a-link.md) heddle nonsense
```
MD
cat >"$scratch/tree/docs/one.md" <<'MD'
## Part two
[up](../README.md#a-page-of-code), [of the site](api/index.html)
```sh
# heddle nonsense
X=1 build/cpu/heddle reduce a.npy --op sum --json > out && cat out | heddle scan --n 2^10 # heddle nonsense
mpirun -n 2 heddle jacobi -nx 100 : -n 2 build/check/heddle jacobi \
    --ny 10
heddle check --seeds 2 -- build/check/heddle scan --n 10
cmake -S heddle -B build -Dheddle_DIR=heddle
heddle nonsense
heddle scan --nonsense && heddle check -- heddle sort --seeds 2
heddle bench nonsense
```
```
$ heddle sort --nothing
```
MD
printf 'nav:\n  - one.md\n  - A: gone.md\n' >"$scratch/tree/mkdocs.yml"
: >"$scratch/tree/docs/two.md"
pages "$scratch/tree" >"$scratch/found"
equal "a bad tree: exit status" "$?" 1
equal "a bad tree" "$(cat "$scratch/found")" \
    "README.md: no docs/none.md
README.md: no #part-three in docs/one.md
README.md: no docs/none.png
README.md: unit.good: no case no_case
README.md: unit.bad: no such test
README.md: bug.bad: no such test
docs/one.md: heddle nonsense: no such command
docs/one.md: heddle scan: no option --nonsense
docs/one.md: heddle sort: no option --seeds
docs/one.md: heddle bench nonsense: no such command
docs/one.md: heddle sort: no option --nothing
mkdocs.yml: no docs/gone.md
mkdocs.yml: docs/two.md is not in the navigation
7 links, 4 tests, 12 commands checked"
finish
