#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: layers.py [--graph [FOLDER]]

Checks the layout of the sources that git tracks: calls and includes go down the layers, no files call
each other in a circle, folders and files stay small, a name does not repeat its folder, and chains of
.inc files stay short; of the tests, that folders stay small. Prints one line per violation.

--graph prints the call graph instead: of folders, or of the files of one folder with the names they use.

A file calls another if its code names a function or an object that only the other one defines with
external linkage. A name that several files define (the interface of the backends) is not a call."""
import os
import re
import subprocess
import sys
from collections import defaultdict

FILES_MAX, LINES_MAX, CHAIN_MAX = 25, 500, 3
PARTS = ("src/", "backends/", "kernels/", "include/")
LARGE_FOLDERS = {"include/heddle"}  # the public interface: one header per primitive

# Lower layers first: a folder may use itself and those before it. Folders joined by + count as one;
# folders separated by a blank are on the same level. A file belongs to its innermost folder listed.
LAYERS = [
    ["src/base", "backends", "src/runtime", "src/drivers", "src/mpi+backends/cpu/mpi+backends/gpu/mpi", "src/io",
     "src/cli"],
    ["src/cli/app", "src/cli/draw", "src/cli/input", "src/cli/trace", "src/cli/bench", "src/cli/primitives",
     "src/cli/solvers", "src/cli/lab", "src/cli/links src/cli/check src/cli/tune", "src/cli/exercise", "src/cli/mpi"],
    ["backends/cpu/include", "backends/cpu/core", "backends/cpu/memory", "backends/cpu/fiber", "backends/cpu/launch", "backends/cpu/block",
     "backends/cpu/worker", "backends/cpu/stream", "backends/cpu/graph", "backends/cpu", "backends/cpu/check"],
    ["backends/cpu/check", "backends/cpu/check/order", "backends/cpu/check/report", "backends/cpu/check/profile",
     "backends/cpu/check/access", "backends/cpu/check/rules"],
]
# Interfaces that lower layers may include: what backends implement, and their callbacks.
INTERFACES = {"src/runtime/backend.h", "src/runtime/counters.h", "src/runtime/sensors.h", "backends/cpu/observe.h"}
# Files that refer to everything: the tool's main program runs every command and writes their traces;
# the checker's observer is the struct through which the engine calls it.
FRAME = {"src/cli/main.c", "src/cli/app/program.c", "backends/cpu/check/observer.c"}


def tracked():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True,
                            check=True).stdout.split("\n")
    return sorted(f for f in set(listed) if os.path.isfile(f))


def sources():
    return [f for f in tracked() if f.startswith(PARTS) and f.endswith((".c", ".h", ".inc"))]


def large_folders(files):
    folders = defaultdict(int)
    for f in files:
        folders[os.path.dirname(f)] += 1
    for folder, count in sorted(folders.items()):
        if count > FILES_MAX and folder not in LARGE_FOLDERS:
            yield f"{folder}/: {count} files, {FILES_MAX} at most"


def code_of(path):
    """The code without comments and with empty strings, except includes and names of .inc files."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''

    def replace(match):
        found = match[0]
        if found.startswith("/"):
            return " "
        return found if found.endswith(('.h"', '.inc"')) else found[0] * 2
    return re.sub(pattern, replace, text, flags=re.S)


ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")
DEFINITION = re.compile(r"^(?!static\b|__extension__\b|HD_DEVICE\b|HD_TABLE\b|typedef\b|extern\b|return\b|else\b|enum\b|#)[A-Za-z_][\w \t*]*?[ *](\w+)[ \t]*"
                        r"(?:\((?:[^;{}])*?\)\s*\{|(?:\[[^\]]*\])*\s*[=;])", re.M)


def call_graph(code):
    """{file: {file: names}} of .c files."""
    defined = {f: set(DEFINITION.findall(ATTRIBUTE.sub("", text))) for f, text in code.items() if f.endswith(".c")}
    where = defaultdict(list)
    for f, names in defined.items():
        for name in names:
            where[name].append(f)
    graph = {f: defaultdict(set) for f in defined}
    for f in defined:
        for name in set(re.findall(r"\b[A-Za-z_]\w+\b", code[f])) - defined[f]:
            if len(where[name]) == 1:
                graph[f][where[name][0]].add(name)
    return graph


def include_graph(code, files):
    """{file: files}, including includes through a macro whose value is a file name."""
    known, macros = set(files), defaultdict(set)
    for text in code.values():
        for name, value in re.findall(r'^\s*#\s*define\s+(\w+)\s+"([\w./]+)"', text, re.M):
            macros[name].add(value)

    def find(f, name):
        roots = [os.path.dirname(f), "", "src", "include"] + [os.path.join("backends", b, *i) for b in
                                                              ("cpu", "gpu", "cuda", "hip") for i in ((), ("include",))]
        if f.startswith("backends/cpu/"):
            roots.insert(1, "backends/cpu")
        for root in roots:
            path = os.path.normpath(os.path.join(root, name))
            if path in known:
                return path
        return None

    graph = defaultdict(set)
    for f, text in code.items():
        for quoted, angled, macro in re.findall(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>|(\w+))', text, re.M):
            for name in [quoted or angled] if quoted or angled else macros[macro]:
                if find(f, name):
                    graph[f].add(find(f, name))
    return graph


def circles(graph):
    """Files that call each other, directly or not: strongly connected components (Tarjan 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(v):
        number[v] = low[v] = len(number)
        stack.append(v)
        for w in sorted(graph.get(v, ())):
            if w not in number:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], number[w])
        if low[v] == number[v]:
            part = stack[stack.index(v):]
            del stack[stack.index(v):]
            if len(part) > 1:
                found.append(sorted(part))

    sys.setrecursionlimit(10000)
    for v in sorted(graph):
        if v not in number:
            visit(v)
    return found


def place(layers, path):
    """The layer that a file belongs to: its number and its folders; None if it is in none."""
    best, longest = None, 0
    for number, layer in enumerate(layers):
        for folders in layer.split():
            for folder in folders.split("+"):
                if path.startswith(folder + "/") and len(folder) > longest:
                    best, longest = (number, folders), len(folder)
    return best


def upward(a, b):
    """The reason why file a must not use file b, or None."""
    for layers in LAYERS:
        from_, to = place(layers, a), place(layers, b)
        if from_ and to and from_[1] != to[1] and from_[0] <= to[0]:
            return f"{from_[1]} is {'beside' if from_[0] == to[0] else 'below'} {to[1]}"
    if a.startswith("src/cli/") and b.startswith(("kernels/", "tests/")):
        return f"private to {b.split('/')[0]}/"
    return None


def chain(graph, path, seen=()):
    """The longest chain of .inc files from here on."""
    below = [chain(graph, w, seen + (path,)) for w in graph.get(path, ()) if w.endswith(".inc") and w not in seen]
    return [path] + max(below, key=len, default=[])


def offences(files, code, calls, includes):
    """One line per violation."""
    yield from large_folders(files + [f for f in tracked() if f.startswith("tests/")])
    for f in files:
        folder, name = os.path.split(f)
        lines = code[f].count("\n") and sum(1 for _ in open(f, encoding="utf-8"))
        if lines > LINES_MAX:
            yield f"{f}: {lines} lines, {LINES_MAX} at most: split it by subject"
        if name.startswith(os.path.basename(folder) + "_"):
            yield f"{f}: repeats the name of its folder"
    for f in files:
        for w in sorted(includes.get(f, ())):
            why = upward(f, w)
            if why and w not in INTERFACES and f not in FRAME:
                yield f"{f} includes {w}: {why}"
        for w, names in sorted(calls.get(f, {}).items()):
            why = upward(f, w)
            if why and f not in FRAME:
                yield f"{f} uses {', '.join(sorted(names)[:3])} of {w}: {why}"
        if f.startswith("kernels/") and f.endswith(".c"):
            longest = chain(includes, f)[1:]
            if len(longest) > CHAIN_MAX:
                yield f"{f}: a chain of {len(longest)} .inc files: {' '.join(longest)}"
    for part in circles(calls):
        yield f"{len(part)} files call each other: {' '.join(part)}"


def print_graph(calls, folder):
    edges = defaultdict(set)
    for a, targets in calls.items():
        for b, names in targets.items():
            if folder is None:
                edges[os.path.dirname(a), os.path.dirname(b)] |= names
            elif a.startswith(folder + "/") or b.startswith(folder + "/"):
                edges[a, b] |= names
    for (a, b), names in sorted(edges.items()):
        if a != b:
            print(f"{a} -> {b}: {len(names)}" if folder is None else f"{a} -> {b}: {' '.join(sorted(names))}")


def main(arguments):
    if arguments and arguments[0] != "--graph":
        print(__doc__)
        return 0 if arguments[0] in ("-h", "--help") else 2
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    files = sources()
    code = {f: code_of(f) for f in files}
    calls = call_graph(code)
    if arguments:
        print_graph(calls, arguments[1].rstrip("/") if len(arguments) > 1 else None)
        return 0
    for text in offences(files, code, calls, include_graph(code, files)):
        print(text)
    return 0


sys.exit(main(sys.argv[1:]))
