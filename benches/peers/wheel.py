#!/usr/bin/env python3
"""The Python wheel beside the program and datasketch.

    make wheel && benches/peers/wheel.py [--documents 100000] [--runs 3]

Makes a virtual environment under `target/peers/` with the wheel of `dist/`, builds the program and the generator, and prints
what `docs/PYTHON.md` has: how large the wheel is and how long its import takes; CPU seconds (user and system, the least of the
runs, which take turns) of `pairs` over a polars frame beside the program's over JSON lines; how fast a Python thread goes on
beside another process's; and CPU seconds of signing and inserting 10,000 documents beside datasketch.
"""

import argparse
import os
import resource
import subprocess
import sys
import threading
import time
import venv
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", PROJECT / "target"))
WORK = TARGET / "peers"


def cpu(who=resource.RUSAGE_SELF):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def peak():
    """Peak memory of this process, in megabytes, since it was asked for last."""
    lines = Path("/proc/self/status").read_text().splitlines()
    Path("/proc/self/clear_refs").write_text("5")
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def frame(corpus):
    import polars

    return polars.read_ndjson(corpus).select("id", "text")


def pairs(corpus):
    """CPU seconds of `pairs`, megabytes of text, and megabytes by which memory grew."""
    import copytrace

    texts = frame(corpus)
    copytrace.pairs(texts[:10])
    before, began = (peak(), peak())[1], cpu()
    found = copytrace.pairs(texts)
    print(cpu() - began, texts["text"].str.len_bytes().sum() / 1e6, peak() - before, len(found.to_pylist()))


def pace(corpus):
    """Steps per second of a Python thread beside `pairs` on one thread, in relation to those beside another process that does the
    same: what else goes on takes from both alike."""
    import copytrace

    texts, steps, going = frame(corpus), 0, True

    def count():
        nonlocal steps
        while going:
            steps += 1

    def pace_beside(work):
        nonlocal steps, going
        steps, going = 0, True
        beside = threading.Thread(target=count)
        began = time.perf_counter()
        beside.start()
        work()
        done, going = steps / (time.perf_counter() - began), False
        beside.join()
        return done

    other = f"import sys, copytrace, polars; texts = polars.read_ndjson({str(corpus)!r}).select('id', 'text'); print(flush=True); input()"
    other = subprocess.Popen(
        [sys.executable, "-c", f"{other}; copytrace.pairs(texts, threads=1)"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    other.stdout.readline()
    apart = pace_beside(lambda: other.communicate(b"\n"))
    print(pace_beside(lambda: copytrace.pairs(texts, threads=1)) / apart)


def signing(corpus, library):
    """CPU seconds in which 10,000 documents are signed and inserted."""
    import copytrace
    import datasketch

    texts = frame(corpus)[:10_000]
    began = cpu()
    if library == "signatures":
        lsh = copytrace.MinHashLSH(params=(16, 8))
        lsh.insert_many(texts["id"].to_list(), copytrace.signatures(texts, settings=copytrace.Settings(hashes=128)))
    else:
        names = {"copytrace": copytrace, "datasketch": datasketch}.get(library)
        lsh = names and names.MinHashLSH(params=(16, 8), num_perm=128)
        for key, text in zip(texts["id"], texts["text"]):
            words = text.lower().split()
            shingles = {" ".join(words[i : i + 5]).encode() for i in range(len(words) - 4)}
            if names:
                signature = names.MinHash(num_perm=128)
                signature.update_batch(shingles)
                lsh.insert(key, signature)
    print(cpu() - began)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    (wheel,) = (PROJECT / "dist").glob("*.whl")
    python = WORK / "wheel" / "bin" / "python"
    venv.create(WORK / "wheel", with_pip=True, clear=True)
    packages = [wheel, "polars==2.1.0", "numpy==2.4.6", "datasketch==2.0.0"]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    build = ["cargo", "build", "--release", "--quiet", "-p", "copytrace-cli", "-p", "copytrace-tools", "--bin", "copytrace", "--bin", "generate"]
    subprocess.run(build, cwd=PROJECT, check=True)
    corpus = WORK / f"english-{arguments.documents}.jsonl"
    with open(corpus, "wb") as out:
        subprocess.run([TARGET / "release" / "generate", "english", str(arguments.documents)], stdout=out, check=True)

    def ask(*what):
        done = subprocess.run([python, __file__, *map(str, what)], capture_output=True, text=True, check=True)
        return [float(figure) for figure in done.stdout.split()]

    def program():
        began = cpu(resource.RUSAGE_CHILDREN)
        subprocess.run([TARGET / "release" / "copytrace", "pairs", "-q", corpus], stdout=subprocess.DEVNULL, check=True)
        return cpu(resource.RUSAGE_CHILDREN) - began

    load = "import time; t = time.perf_counter(); import copytrace; print(time.perf_counter() - t)"
    imports = [float(subprocess.run([python, "-c", load], capture_output=True, text=True).stdout) for _ in range(10)]
    print(f"wheel {wheel.stat().st_size / 1e6:.1f} MB, imported in {1000 * min(imports):.0f} ms")
    ours, theirs = zip(*[(ask("pairs", corpus), program()) for _ in range(arguments.runs)])
    _, texts, grown, rows = min(ours)
    least = min(ours)[0]
    print(f"pairs of {texts:.0f} MB: {least:.2f} CPU-s, the program {min(theirs):.2f}: {least / min(theirs):.2f} times; {rows:.0f} pairs")
    print(f"memory grew by {grown:.0f} MB")
    print(f"a thread beside it: {max(ask('pace', corpus)[0] for _ in range(arguments.runs)):.2f} of its pace")
    systems = ["datasketch", "copytrace", "shingles", "signatures"]
    runs = [[ask("signing", corpus, system)[0] for system in systems] for _ in range(arguments.runs)]
    signed = dict(zip(systems, map(min, zip(*runs))))
    print("10,000 documents signed and inserted:", {system: f"{seconds:.2f} CPU-s" for system, seconds in signed.items()})
    print(f"datasketch takes {signed['datasketch'] / signed['signatures']:.0f} times as long as tables of texts,", end=" ")
    theirs, ours = signed["datasketch"] - signed["shingles"], signed["copytrace"] - signed["shingles"]
    print(f"{theirs / ours:.0f} times as long with its own names, without the shingles, which Python makes for both")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["pairs", corpus]:
            pairs(corpus)
        case ["pace", corpus]:
            pace(corpus)
        case ["signing", corpus, library]:
            signing(corpus, library)
        case _:
            main()
