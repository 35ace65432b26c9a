# SPDX-License-Identifier: Apache-2.0
"""names.py PAGE LIST HEDDLE [HIP] - checks the tables `CUDA | HIP | heddle` of a page: every name of
LIST has a row; every heddle name is in HEDDLE, the preprocessed public headers; every name of the
column HIP is in the headers of the folder HIP, unless the cell says that a later version than theirs
has it, "(ROCm 6.2)"; a cell that begins with "none" says what to do instead, with a link. Prints a line
for each fault and the numbers of what was checked; exits with 1 at a fault."""
import glob
import os
import re
import sys

page, wanted, heddle, hip = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
faults = []
counts = {"rows": 0, "CUDA names": 0, "heddle names": 0, "HIP names": 0}
# Of libraries with headers of their own, which need not be installed.
LIBRARY = r"(cg|thrust|hipcub|cuda)::|hipblas|hipsparse"
# Names of the compiler, which are in no header.
COMPILER = r"__restrict__|__builtin_"


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def rows():
    """(CUDA, HIP, heddle) of every row of such a table."""
    inside = False
    for line in read(page).split("\n"):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells == ["CUDA", "HIP", "heddle"]:
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not set(line) <= set("|- "):
            if len(cells) == 3:
                yield cells
            else:
                faults.append(f"not three columns: {line}")


def code(cell):
    return re.findall(r"`([^`]*)`", cell)


def names(cell):
    """The identifiers in the code of a cell, with their name spaces."""
    return [n for span in code(cell) for n in re.findall(r"(?<![\w.:])[A-Za-z_]\w*(?:::\w+)*", span)]


def check_heddle(cell, known):
    if not cell or cell == "—":
        faults.append("an empty cell of the column heddle")
    if cell.startswith("none") and not re.search(r"\]\(", cell):
        faults.append(f"none, without a link: {cell}")
    for span in code(cell):
        for name, family in re.findall(r"\b((?:hd|HD)_\w+)(…?)", span):
            counts["heddle names"] += 1
            if name not in known and not (family and any(n.startswith(name) for n in known)):
                faults.append(f"heddle: no {name}{family}")


def claims(cell):
    """Name: the version that the cell gives for it; a version in parentheses is that of all names
    before it, up to the version or semicolon before that."""
    found = {}
    for part in re.split(r";(?![^(]*\))", cell):
        while match := re.search(r"\(ROCm ([\d.]+)[^)]*\)", part):
            version = tuple(int(n) for n in match[1].split("."))
            found.update((name, version) for name in names(part[:match.start()]))
            part = part[match.end():]
    return found


def hip_headers():
    text = "\n".join(read(path) for path in glob.glob(hip[0] + "/**/*.h*", recursive=True)
                     if os.path.isfile(path))
    version = [re.search(rf"define HIP_VERSION_{part} +(\d+)", text) for part in ("MAJOR", "MINOR")]
    return set(re.findall(r"\w+", text)), tuple(int(v[1]) for v in version if v)


def pasted(name, known):
    """Whether macros of the headers make a name such as make_float4 from its parts."""
    return name.startswith("make_") and name[len("make_"):] in known and "make_" in known


def check_hip(cuda, cell, known, version):
    later = claims(cell)
    found = names(cell) if code(cell) else []
    if cell.startswith("the same"):
        found += names(cuda)
    for name in found:
        if re.match(f"{LIBRARY}|{COMPILER}", name):
            continue
        if not re.match(r"(hip|HIP|__|atomic|make_|[a-z]+[234]$|tex|surf|thread|block|grid)", name):
            continue
        counts["HIP names"] += 1
        there = name in known or pasted(name, known)
        if not there and later.get(name, version) <= version:
            faults.append(f"HIP {'.'.join(map(str, version))}: no {name}")


def main():
    known = set(re.findall(r"\w+", read(heddle)))
    hip_known, version = hip_headers() if hip else (None, None)
    covered = set()
    for cuda, hip_cell, heddle_cell in rows():
        counts["rows"] += 1
        covered.update(names(cuda))
        covered.update(span.split(".")[0] for span in code(cuda))
        check_heddle(heddle_cell, known)
        if hip:
            check_hip(cuda, hip_cell, hip_known, version)
    for line in read(wanted).split("\n"):
        if line and not line.startswith("#"):
            counts["CUDA names"] += 1
            if line.split()[0] not in covered:
                faults.append(f"CUDA: no row for {line.split()[0]}")
    for fault in faults:
        print(fault)
    print(", ".join(f"{count} {what}" for what, count in counts.items()) + " checked")
    return 1 if faults else 0


sys.exit(main())
