# SPDX-License-Identifier: Apache-2.0
"""pages.py TOOL FOLDER - checks README.md, CONTRIBUTING.md, CHANGELOG.md, the pages of docs/ and
mkdocs.yml of a tree: links, anchors, commands, and names of tests such as `unit.copy` or `bug.leak`.
Prints a line for each fault and the numbers of what was checked; exits with 1 at a fault."""
import glob
import os
import re
import shlex
import subprocess
import sys

tool, top = sys.argv[1], sys.argv[2]
os.chdir(top)
faults = []
counts = {"links": 0, "tests": 0, "commands": 0}


def parts(path):
    """The prose of a page, without code, and its fenced blocks as (language, lines)."""
    prose, blocks, fence = [], [], None
    for line in open(path, encoding="utf-8").read().split("\n"):
        if line.lstrip().startswith("```"):
            fence = None if fence is not None else []
            if fence is not None:
                blocks.append((line.strip()[3:], fence))
        elif fence is not None:
            fence.append(line)
        else:
            prose.append(line)
    return "\n".join(prose), blocks


def anchors(prose):
    """Those that a heading gets on the code hosts and from MkDocs."""
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", prose, re.M):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        name = re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")
        number = 0
        while name + (f"-{number}" if number else "") in found:
            number += 1
        found.add(name + (f"-{number}" if number else ""))
    return found


def check_links(path, prose):
    for link in re.findall(r"\]\(([^)\s]*)[^)]*\)", re.sub(r"`[^`\n]*`", "", prose)):
        if re.match(r"[a-z]+:", link) or link.startswith("api/"):  # ci/site.sh checks the latter
            continue
        counts["links"] += 1
        name, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(target):
            faults.append(f"{path}: no {target}")
        elif anchor and anchor not in anchors(parts(target)[0]):
            faults.append(f"{path}: no #{anchor} in {target}")


def read(path):
    return open(path, encoding="utf-8").read() if os.path.exists(path) else ""


def test_files(folder, name):
    return [path for end in ("c", "sh") for sub in ("", "*/")
            for path in glob.glob(f"tests/{folder}/{sub}test_{name}.{end}")]


def test_exists(folder, name):
    """Folder and name as in ctest's names, without warp size and stream order."""
    if folder == "bug":
        return re.search(rf"X\({name.removesuffix('.fixed')},", read("tests/bugs/bugs.h")) is not None
    if folder == "examples":
        return os.path.exists(f"docs/examples/{name}") or os.path.exists(f"tests/examples/{name}.sh")
    return bool(test_files(folder, name))


def check_tests(path, prose):
    """Cases of a test in parentheses behind its name are in its file: `unit.copy` (`a_case`)."""
    folders = "bug|checker|cli|conformance|drivers|examples|group|unit"
    for folder, name, cases in re.findall(
        rf"`({folders})\.([a-z0-9_]{{2,}}(?:\.fixed)?)`(?:\s+\(((?:`\w+`[,\s]*)+)\))?", prose
    ):
        counts["tests"] += 1
        if not test_exists(folder, name):
            faults.append(f"{path}: {folder}.{name}: no such test")
        for case in re.findall(r"`(\w+)`", cases):
            if not any(f"TEST({case})" in read(path) for path in test_files(folder, name)):
                faults.append(f"{path}: {folder}.{name}: no case {case}")


def ask(words):
    return subprocess.run([tool, *words, "--help"], stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, check=False)


helps = {}


def options_of(name):
    """The options in a command's help; None: no such command; "any": a program that is not built."""
    if name not in helps:
        done = ask(name.split())
        if done.returncode == 0 and done.stdout.startswith(f"heddle {name} -"):
            helps[name] = set(re.findall(r"^  (--[a-z0-9-]+)", done.stdout, re.M))
            helps[name] |= {"--" + o for o in re.findall(r"^  --[a-z0-9-]+, -([a-z]) ", done.stdout, re.M)}
        else:
            helps[name] = "any" if name.startswith("mpi ") and "has no MPI" in done.stderr else None
    return helps[name]


def check_command(path, words):
    """The words behind `heddle`."""
    if not words:
        return
    counts["commands"] += 1
    if words[0].startswith("-"):
        if words[0] not in ("--help", "--version"):
            faults.append(f"{path}: heddle: no option {words[0]}")
        return
    if words[0] == "help":
        return
    name, rest = words[0], words[1:]
    if name in ("bench", "exercise", "lab", "mpi", "streams", "host") and rest and not rest[0].startswith("-"):
        name, rest = f"{name} {rest[0]}", rest[1:]
    options = options_of(name)
    if options is None:
        faults.append(f"{path}: heddle {name}: no such command")
    elif options != "any":
        for word in rest:
            option = "--" + word.lstrip("-").partition("=")[0]
            if re.match(r"--?[a-z]", word) and option not in options:
                faults.append(f"{path}: heddle {name}: no option {option}")


def check_shell(path, lines):
    text = re.sub(r"\\\n", " ", "\n".join(lines))
    for line in text.split("\n"):
        line = re.sub(r"(^|\s)#.*", "", line)
        if "heddle" not in line:
            continue
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
        lexer.whitespace_split = True
        words, tool_seen, starter = [], False, None  # starter: mpirun or srun, which start the tool
        for word in [*lexer, ";"]:
            if re.fullmatch(r"[|&;<>():]+", word) or (word == "--" and tool_seen):
                if tool_seen:
                    check_command(path, words)
                words, tool_seen, starter = [], False, starter if word == ":" else None
            elif tool_seen:
                words.append(word)
            elif os.path.basename(word) == "heddle" and (starter or not words):
                words, tool_seen = [], True
            elif word in ("mpirun", "srun"):
                starter = word
            elif not re.match(r"[A-Z_]+=", word):
                words.append(word)


pages = [p for p in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md") if os.path.exists(p)]
docs = sorted(p for depth in ("*.md", "*/README.md", "*/*/README.md") for p in glob.glob("docs/" + depth))
pages += docs
for page in pages:
    prose, blocks = parts(page)
    check_links(page, prose)
    check_tests(page, prose)
    for language, lines in blocks:
        if language == "sh":
            check_shell(page, lines)
        elif not language:
            check_shell(page, [line[2:] for line in lines if line.startswith("$ ")])

listed = re.findall(r"^ *- .*?([\w/-]+\.md)$", open("mkdocs.yml", encoding="utf-8").read(), re.M)
for name in listed:
    if not os.path.exists(f"docs/{name}"):
        faults.append(f"mkdocs.yml: no docs/{name}")
for page in docs:
    if page[len("docs/"):] not in listed and not page.startswith("docs/packaging/"):
        faults.append(f"mkdocs.yml: {page} is not in the navigation")

for fault in faults:
    print(fault)
print(", ".join(f"{count} {what}" for what, count in counts.items()) + " checked")
sys.exit(1 if faults else 0)
