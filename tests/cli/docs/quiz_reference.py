# SPDX-License-Identifier: Apache-2.0
# quiz_reference.py TOOL COUNT - compares `heddle quiz` with another way to the same answers, on random
# quizzes: by issue as the longest path of a graph that has the engines' queues as edges, by readiness
# in steps of one unit of time. Prints what differs.
import json
import random
import subprocess
import sys

tool, count = sys.argv[1], int(sys.argv[2])
random.seed(7)
STREAMS = ["default", "1", "2", "3"]


def make_ops(n):
    ops, recorded = [], []
    for i in range(n):
        stream = random.choice(STREAMS)
        kind = random.choice(["in", "out", "kernel", "kernel", "in", "host", "record", "wait", "sync"])
        arrays = random.sample("abcd", 2)
        cost = random.choice([0, 1, 1, 1, 2, 3])
        if kind == "wait" and not recorded:
            kind = "record"
        if kind == "record":
            recorded.append(f"e{i}")
        if kind == "sync" and random.random() < 0.7:
            kind = "kernel"
        ops.append(dict(kind=kind, stream=stream, arrays=arrays, cost=cost,
                        event=f"e{i}" if kind == "record" else random.choice(recorded or ["x"]),
                        everything=kind == "sync" and random.random() < 0.5))
    return ops


def line(op):
    k, s, a = op["kind"], op["stream"], op["arrays"]
    if k in ("in", "out"):
        return f"{k} {a[0]} {s} cost {op['cost']}"
    if k == "kernel":
        return f"kernel k {s} reads {a[0]} writes {a[1]} cost {op['cost']}"
    if k == "host":
        return f"host h reads {a[0]} writes {a[1]} cost {op['cost']}"
    if k in ("record", "wait"):
        return f"{k} {op['event']} {s}"
    return "sync" if op["everything"] else f"sync {s}"


# Edges i -> j: j begins after i. Waiting is tracked by what a queue has issued last.
def edges_of(ops, free):
    edges, tail, marks, host = [set() for _ in ops], {}, {}, None
    for j, op in enumerate(ops):
        e, k, s = edges[j], op["kind"], op["stream"]
        if host is not None:
            e.add(host)
        if k == "host":
            host = j
            continue
        if k == "sync":
            e.update(i for i in ([tail.get(s)] if not op["everything"] else tail.values())
                     if i is not None)
            host = j
            continue
        if s in tail:
            e.add(tail[s])
        if s == "default":
            e.update(tail[t] for t in tail if t not in free)
        elif s not in free and "default" in tail:
            e.add(tail["default"])
        if k == "wait":
            e.add(marks[op["event"]])
        if k == "record":
            marks[op["event"]] = j
        tail[s] = j
    return edges


def engine(op, engines):
    return {"in": "in", "out": "out" if engines == 2 else "in", "kernel": "compute",
            "host": "host"}.get(op["kind"])


def by_issue(ops, edges, engines):
    end, busy = [], {}
    for j, op in enumerate(ops):
        cost = op["cost"] if op["kind"] in ("in", "out", "kernel", "host") else 0
        begin = max([end[i] for i in edges[j]] + [busy.get(engine(op, engines), 0), 0])
        end.append(begin + cost)
        if engine(op, engines):
            busy[engine(op, engines)] = end[j]
    return max(end)


def by_ready(ops, edges, engines):
    n, end, busy, now = len(ops), {}, {}, 0
    ready_since = {}
    while len(end) < n:
        moved = True
        while moved:
            moved = False
            for j in range(n):
                if j not in end and j not in ready_since and all(
                        i in end and end[i] <= now for i in edges[j]):
                    ready_since[j] = max([end[i] for i in edges[j]] + [0])
            for j in sorted(ready_since, key=lambda j: (ready_since[j], j)):
                en = engine(ops[j], engines)
                if j in end or (en and busy.get(en, 0) > now):
                    continue
                end[j] = now + (ops[j]["cost"] if en else 0)
                if en:
                    busy[en] = end[j]
                moved = True
                break
        now += 1
    return max(end.values())


def races(ops, edges):
    n, before = len(ops), []
    for j in range(n):
        before.append(set().union(*([{i} | before[i] for i in edges[j]] or [set()])))
    use = []
    for op in ops:
        k, a = op["kind"], op["arrays"]
        use.append({"in": ({"h" + a[0]}, {"d" + a[0]}), "out": ({"d" + a[0]}, {"h" + a[0]}),
                    "kernel": ({"d" + a[0]}, {"d" + a[1]}), "host": ({"h" + a[0]}, {"h" + a[1]})
                    }.get(k, (set(), set())))
    found = set()
    for j in range(n):
        for i in range(j):
            both = (use[i][1] & (use[j][0] | use[j][1])) | (use[i][0] & use[j][1])
            if i not in before[j]:
                found |= {name[1] for name in both}
    return found


for number in range(count):
    ops = make_ops(random.choice([3, 8, 20, 40]))
    free = [s for s in STREAMS[1:] if random.random() < 0.3]
    text = "".join(f"nonblocking {s}\n" for s in free) + "".join(line(op) + "\n" for op in ops)
    edges = edges_of(ops, free)
    for queue, reference in (("issue", by_issue), ("ready", by_ready)):
        ran = subprocess.run([tool, "quiz", "-", "--json", "--queue", queue], input=text.encode(),
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        for answer in json.loads(ran.stdout)["rows"]:
            wanted = reference(ops, edges, answer["engines"])
            raced = set(answer["races"])
            if answer["total"] != wanted or raced != races(ops, edges):
                print(f"quiz {number}, {queue}, {answer['engines']} engines: {answer['total']} "
                      f"against {wanted}, races {sorted(raced)} against "
                      f"{sorted(races(ops, edges))}\n{text}")
                sys.exit(1)
