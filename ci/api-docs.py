#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: api-docs.py [HEADER...]

Checks the API reference in the public headers (by default include/heddle/*.h and
include/heddle/device/*.h): each header has a @file comment, and each function declared or defined
in it has a /** */ comment directly before it, with an @param for each of its parameters and for no
others, and @return or @retval unless it returns void. Names that begin with hd__ or end in _ are
internal. Prints one line per violation."""
import glob
import os
import re
import sys

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.M)
# Return type, name, parameters, then the end of a declaration or the body of a definition.
FUNCTION = re.compile(r"(?:^|(?<=[;{}]))(\s*(?:\x01\d+\x01\s*)*)((?:[A-Za-z_]\w*[\s*]+)+)(\w+)\s*\(([^;{}]*)\)\s*[;{]", re.M)


def mark(text):
    """Returns the code with a numbered mark in place of each comment, lines kept; and the comments."""
    comments = []

    def replace(match):
        found = match[0]
        if not found.startswith("/"):
            return '""' if found.startswith('"') else "' '"
        comments.append(found)
        return f"\x01{len(comments) - 1}\x01" + "\n" * found.count("\n")

    marked = TOKEN.sub(replace, text)
    return DIRECTIVE.sub(lambda m: re.sub(r"[^\n]", "", m[0]) or " ", marked), comments


def split(parameters):
    """Splits at commas outside of parentheses."""
    part, depth = "", 0
    for c in parameters:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            yield part
            part = ""
        else:
            part += c
    yield part


def names(parameters):
    parameters = re.sub(r"\x01\d+\x01|\bHD_[A-Z_]+\b", "", parameters)
    for part in split(parameters):
        if part.strip() in ("void", ""):
            continue
        pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", part)
        yield pointer[1] if pointer else re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", part)[1]


def offences(path):
    with open(path, encoding="utf-8") as file:
        text, comments = mark(file.read())
    if not any(re.match(r"/\*\*(?!\*).*[@\\]file\b", c, re.S) for c in comments):
        yield f"{path}: no @file comment"
    for match in FUNCTION.finditer(text):
        before, type_, name, parameters = match.groups()
        if name.startswith("hd__") or name.endswith("_") or re.search(r"\b(typedef|return|else)\b", type_):
            continue
        where = f"{path}:{text.count(chr(10), 0, match.start(2)) + 1}: {name}"
        marks = re.findall(r"\x01(\d+)\x01", before)
        comment = comments[int(marks[-1])] if marks else ""
        if not re.match(r"/\*\*(?![*/<])", comment):
            yield f"{where}: no /** */ comment directly before it"
            continue
        have = re.findall(r"[@\\]param(?:\s*\[[^\]]*\])?\s+([\w, ]*\w)", comment)
        have = [n for group in have for n in re.split(r"\s*,\s*", re.match(r"\w+(?:\s*,\s*\w+)*", group)[0])]
        wanted = list(names(parameters))
        for n in wanted:
            if n not in have:
                yield f"{where}: no @param {n}"
        for n in have:
            if n not in wanted:
                yield f"{where}: @param {n}, which it does not have"
        value = re.sub(r"\b(static|inline|extern|const|HD_\w+)\b", "", type_).split()
        if value != ["void"] and not re.search(r"[@\\](returns?|retval|result)\b", comment):
            yield f"{where}: no @return"


def main(arguments):
    if any(a.startswith("-") for a in arguments):
        print(__doc__)
        return 0 if arguments[0] in ("-h", "--help") else 2
    if not arguments:
        os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
        arguments = sorted(glob.glob("include/heddle/*.h") + glob.glob("include/heddle/device/*.h"))
    found = [line for path in arguments for line in offences(path)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


sys.exit(main(sys.argv[1:]))
