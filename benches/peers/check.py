#!/usr/bin/env python3
"""copytrace's `compare` beside copydetect and dolos, on the given pairs of a corpus in PAN 2013's layout.

    benches/peers/check.py PAN13 [--every 5] [--copytrace target/release/copytrace]

PAN13 holds `src/`, `susp/`, `pairs`, and a folder for each kind of obfuscation with an XML file for each pair. All systems are given
each pair. Of the characters of the submissions: how many of those that were taken from the source are marked (recall), and how many of
those marked were taken (precision), summed over the pairs of a kind; and the CPU seconds for all pairs. copydetect and dolos (winnowing,
made for program code) have their defaults and are given characters, as they stand. Packages come into `target/peers/`.
"""

import argparse
import csv
import resource
import subprocess
import tempfile
import venv
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
WORK = HERE.parent.parent / "target" / "peers"
DOLOS = "@dodona/dolos-core@1.2.1"
csv.field_size_limit(1 << 30)

Pair = tuple[str, str]
Spans = dict[Pair, list[tuple[int, int]]]


def truth(folder: Path, pairs: list[Pair]) -> tuple[Spans, dict[Pair, str]]:
    """The spans of the submissions that were taken from the sources, and each pair's kind of obfuscation."""
    taken, kinds = {}, {}
    for path in folder.glob("[0-9]*/*.xml"):
        submission, source = path.stem.split("-source-")
        pair = (f"susp/{submission}.txt", f"src/source-{source}.txt")
        features = [f for f in ElementTree.parse(path).iter("feature") if f.get("name") == "plagiarism"]
        numbers = [(int(f.get("this_offset")), int(f.get("this_length"))) for f in features]
        taken[pair], kinds[pair] = [(start, start + length) for start, length in numbers], path.parent.name[3:]
    return {pair: taken.get(pair, []) for pair in pairs}, {pair: kinds.get(pair, "no-plagiarism") for pair in pairs}


def covered(spans: list[tuple[int, int]]) -> set[int]:
    return {character for start, end in spans for character in range(start, end)}


def report(name: str, command: list, taken: Spans, kinds: dict[Pair, str], cwd: Path = WORK) -> None:
    """Runs a command that writes the spans it finds as CSV, and prints a system's rows of the table."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=cwd).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found: Spans = {}
    for row in csv.reader(output.splitlines(keepends=True)):
        # copytrace's table has a heading, and more columns: passages that do not count have a reason in the ninth.
        if row[2].isdigit() and not (len(row) > 8 and row[8]):
            found.setdefault((row[0], row[1]), []).append((int(row[2]), int(row[3])))
    sums: dict[str, list[int]] = {}
    for pair, spans in taken.items():
        marked, right = covered(found.get(pair, [])), covered(spans)
        for at, number in enumerate([len(right), len(marked), len(right & marked)]):
            sums.setdefault(kinds[pair], [0, 0, 0])[at] += number
    for kind, (right, marked, both) in sorted(sums.items()):
        recall = f"{both / right:.3f}" if right else "–"
        precision = f"{both / marked:.3f}" if right and marked else "–"
        print(f"| {name} | {kind} | {recall} | {precision} | {marked - both} | {cpu:.1f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--copytrace", type=Path, default=HERE.parent.parent / "target" / "release" / "copytrace")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    lines = [line.split() for line in (folder / "pairs").read_text().splitlines()][:: arguments.every]
    pairs = [(f"susp/{submission}", f"src/{source}") for submission, source in lines]

    python = WORK / "venv-check" / "bin" / "python"
    if not python.exists():
        venv.create(WORK / "venv-check", with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "copydetect==0.5.0"], check=True)
    if not (WORK / "node_modules" / "@dodona").exists():
        subprocess.run(["npm", "install", "--silent", "--no-save", "--prefix", WORK, DOLOS], check=True)

    truth_and_kinds = truth(folder, pairs)
    print(f"{len(pairs)} pairs\n\n| system | kind | recall | precision | characters wrongly marked | CPU-s, all pairs |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        listed = Path(temporary) / "pairs.csv"
        listed.write_text("submission,source\n" + "".join(f"{a},{b}\n" for a, b in pairs))
        compare = [arguments.copytrace.resolve(), "compare", "-q", "--list", listed, "--base", folder]
        report("copytrace", compare, *truth_and_kinds)
        report("copydetect 0.5.0", [python, HERE / "copydetect_spans.py", folder, listed], *truth_and_kinds)
        report("dolos-core 1.2.1", ["node", HERE / "dolos.mjs", folder, listed], *truth_and_kinds)


if __name__ == "__main__":
    main()
