#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""schema.py RESULT.json [RESULT.csv]: what is wrong with a result, a line each; nothing if it is right.

The JSON has to be as output.schema.json says, its rows have to have the same names, and the CSV the
names of the JSON. The validator knows the words of JSON Schema that the file uses, and no others.
"""
import csv
import json
import os
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
         "number": (int, float)}
WORDS = {"$schema", "title", "$defs", "$ref", "type", "enum", "minimum", "required", "properties",
         "additionalProperties", "items"}


def has_type(value, name):
    return isinstance(value, TYPES[name]) and (name != "number" or not isinstance(value, bool))


def equal(a, b):
    return type(a) is type(b) and a == b


def faults(value, schema, root, path="$"):
    """What keeps the value from being as the schema says."""
    unknown = set(schema) - WORDS
    if unknown:
        yield f"{path}: schema.py does not know {sorted(unknown)}"
    if "$ref" in schema:
        yield from faults(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, path)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(has_type(value, name) for name in types):
        yield f"{path}: {value!r} is no {' or '.join(types)}"
    if "enum" in schema and not any(equal(value, one) for one in schema["enum"]):
        yield f"{path}: {value!r} is none of {schema['enum']}"
    if has_type(value, "number") and value < schema.get("minimum", value):
        yield f"{path}: {value} is below {schema['minimum']}"
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            yield from faults(item, schema["items"], root, f"{path}[{i}]")
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                yield f"{path}: there is no {name}"
        for name, member in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            yield from faults(member, inner, root, f"{path}.{name}")


def once(pairs):
    """An object, none of whose names is there twice."""
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(f"a name is there twice: {names}")
    return dict(pairs)


def rows_of(result):
    """The list of rows; of a matrix `rows` is their number."""
    rows = result.get("rows")
    return rows if isinstance(rows, list) else None


def row_faults(result):
    rows = rows_of(result) or []
    for i, row in enumerate(rows):
        if list(row) != list(rows[0]):
            yield f"$.rows[{i}]: other names than those of the first row: {list(row)}"


def names_of(result):
    """Names that CSV has to have, and those that it may have beside them."""
    rows = rows_of(result)
    nested = lambda value: isinstance(value, list) and value and isinstance(value[0], (dict, list))
    if rows is None:
        return {name for name in result if not nested(result[name]) and name != "norms"}, set()
    return {name for name in rows[0] if not nested(rows[0][name])}, set(result)


def csv_faults(result, path):
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file))
    needed, allowed = names_of(result)
    head = set(lines[0])
    if len(head) < len(lines[0]):
        yield f"CSV: a name is there twice: {lines[0]}"
    if needed - head:
        yield f"CSV: there is no {sorted(needed - head)}"
    if head - needed - allowed:
        yield f"CSV: JSON has no {sorted(head - needed - allowed)}"
    for i, line in enumerate(lines):
        if len(line) != len(lines[0]):
            yield f"CSV: line {i + 1} has {len(line)} cells, the header {len(lines[0])}"


def refuse(name):
    raise ValueError(f"{name} is not JSON: it is a string in results")


def verdict_faults(result):
    """The verdict of a result agrees with those of its rows."""
    rows = result.get("rows")
    said = {row["verified"] for row in rows if "verified" in row} if isinstance(rows, list) else set()
    whole = result.get("verified")
    if False in said and whole is not False:
        yield f"a row is not verified, but the result says {json.dumps(whole)}"
    elif True in said and whole == "skipped":
        yield "a row is verified, but the result says it was skipped"


def main():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "output.schema.json"),
              encoding="utf-8") as file:
        schema = json.load(file)
    with open(sys.argv[1], encoding="utf-8") as file:
        result = json.load(file, object_pairs_hook=once, parse_constant=refuse)
    found = list(faults(result, schema, schema)) + list(row_faults(result)) + list(verdict_faults(result))
    if len(sys.argv) > 2:
        found += csv_faults(result, sys.argv[2])
    print("\n".join(found), end="\n" if found else "")


main()
