#!/usr/bin/env python3
"""copytrace's `pairs` beside gaoya, rensa, datasketch, text-dedup and datatrove, in one run over the same generated corpus.

    benches/peers/run.py [--documents 100000] [--language english] [--runs 2] [--without datasketch ...]

Builds copytrace, the generator and gaoya's crate, makes virtual environments with the Python packages under
`target/peers/`, and prints one table: CPU seconds (user and system, the least of the runs), peak memory, recall,
precision, and the CPU seconds in relation to copytrace's. The runs of the systems take turns.

The truth: of the near-duplicates that the generator planted (it writes the original's id into the field `of`), and of
all pairs that any system reported, those whose exact Jaccard similarity of five-word shingles reaches the threshold.
"""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", PROJECT / "target"))
WORK = TARGET / "peers"
# What is installed for a system, in an environment of its own.
PACKAGES = {
    "rensa": ["rensa==0.5.0"],
    "datasketch": ["datasketch==2.0.0"],
    "text-dedup": ["text-dedup==0.4.0"],
    "datatrove": ["datatrove[io,processing]==0.10.1", "spacy==3.8.18"],
}
WORD = re.compile(r"\w+")


def cargo(*arguments, folder=PROJECT, target=TARGET):
    environment = dict(os.environ, CARGO_TARGET_DIR=str(target))
    subprocess.run(["cargo", "build", "--release", "--quiet", *arguments], cwd=folder, env=environment, check=True)


def prepare(arguments):
    """Builds everything; gives the corpus and the command of each system."""
    WORK.mkdir(parents=True, exist_ok=True)
    cargo("-p", "copytrace-cli", "-p", "copytrace-tools", "--bin", "copytrace", "--bin", "generate")
    if "gaoya" not in arguments.without:
        cargo(folder=HERE / "gaoya", target=WORK / "gaoya")
    python = {}
    for name in PACKAGES.keys() - set(arguments.without):
        python[name] = WORK / name / "bin" / "python"
        if not python[name].exists():
            venv.create(WORK / name, with_pip=True)
            subprocess.run([python[name], "-m", "pip", "install", "--quiet", *PACKAGES[name]], check=True)

    corpus = WORK / f"{arguments.language}-{arguments.documents}.jsonl"
    with open(corpus, "wb") as out:
        generate = [TARGET / "release" / "generate", arguments.language, str(arguments.documents)]
        subprocess.run(generate, stdout=out, check=True)
    gaoya, threshold = WORK / "gaoya" / "release" / "peers-gaoya", str(arguments.threshold)
    systems = {
        "copytrace, 256": [TARGET / "release" / "copytrace", "pairs", "-q", corpus, "--threshold", threshold],
        "gaoya, 128, 16×8": [gaoya, corpus, threshold, "128", "16", "strings"],
        "gaoya, 128, 16×8, shingles as slices": [gaoya, corpus, threshold, "128", "16", "slices"],
        "gaoya, 256, 32×8, shingles as slices": [gaoya, corpus, threshold, "256", "32", "slices"],
        "rensa, 256, 32×8": [python.get("rensa"), HERE / "rensa_pairs.py", corpus, threshold, "256", "32"],
        "datasketch, 128, 14×9": [python.get("datasketch"), HERE / "datasketch_pairs.py", corpus, threshold, "128", "14"],
        "text-dedup, 250": [python.get("text-dedup"), HERE / "text_dedup_pairs.py", corpus, threshold, "250"],
        "datatrove, 112, 14×8": [python.get("datatrove"), HERE / "datatrove_pairs.py", corpus, "14", "8"],
        "datatrove, 112, 14×8, words by a regular expression": [
            python.get("datatrove"), HERE / "datatrove_pairs.py", corpus, "14", "8", "words"
        ],
    }
    left = {name: command for name, command in systems.items() if name.split(",")[0] not in arguments.without}
    return corpus, left


def measure(command, output):
    """Runs a command; gives its CPU seconds and its peak memory in megabytes."""
    with open(output, "wb") as out:
        process = subprocess.Popen([str(part) for part in command], stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command[0]} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def truth(corpus, reported, threshold):
    """The pairs among those reported and those planted that are similar indeed."""
    planted = set()
    wanted = {document for pair in reported for document in pair}
    for line in open(corpus, encoding="utf-8"):
        document = json.loads(line)
        if "of" in document:
            planted.add(tuple(sorted((document["id"], document["of"]))))
    wanted |= {document for pair in planted for document in pair}
    shingles = {}
    for line in open(corpus, encoding="utf-8"):
        document = json.loads(line)
        if document["id"] in wanted:
            words = WORD.findall(document["text"].lower())
            shingles[document["id"]] = {hash(tuple(words[i : i + 5])) for i in range(len(words) - 4)}

    def similar(pair):
        first, second = (shingles[document] for document in pair)
        return len(first & second) >= threshold * len(first | second)

    return {pair for pair in reported | planted if similar(pair)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--language", choices=["english"], default="english")
    parser.add_argument("--threshold", type=float, default=0.7)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--without", nargs="*", default=[])
    arguments = parser.parse_args()
    corpus, systems = prepare(arguments)

    usage = {name: [] for name in systems}
    found = {}
    for _ in range(arguments.runs):
        for name, command in systems.items():
            output = WORK / "pairs.csv"
            usage[name].append(measure(command, output))
            with open(output, encoding="utf-8", newline="") as lines:
                found[name] = {tuple(sorted((row["first"], row["second"]))) for row in csv.DictReader(lines)}
    similar = truth(corpus, set().union(*found.values()), arguments.threshold)

    megabytes = corpus.stat().st_size / 1e6
    print(f"{arguments.documents} documents, {megabytes:.0f} MB, {len(similar)} pairs with J ≥ {arguments.threshold}")
    print("| system | CPU-s | peak memory, MB | recall | precision | CPU in relation |")
    print("|---|---|---|---|---|---|")
    least = {name: min(cpu for cpu, _ in runs) for name, runs in usage.items()}
    own = least[next(iter(least))]
    for name, runs in usage.items():
        right = len(found[name] & similar)
        recall, precision = right / max(1, len(similar)), right / max(1, len(found[name]))
        peak = max(memory for _, memory in runs)
        print(f"| {name} | {least[name]:.2f} | {peak:.0f} | {recall:.4f} | {precision:.4f} | {least[name] / own:.1f} |")


if __name__ == "__main__":
    main()
