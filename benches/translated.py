#!/usr/bin/env python3
"""Translated passages in public texts: how many are found, and where.

    apt-get install sword-text-web sword-text-sparv libsword-utils
    mod2imp engWEB2015eb > en.imp && mod2imp spaRV1909eb > es.imp
    benches/translated.py make en.imp es.imp target/translated
    benches/translated.py run target/translated MODEL

The texts are two translations of the Bible: the World English Bible and Reina-Valera 1909 of Debian (both public domain), or any two
files of which each line is `BOOK CHAPTER:VERSE`, a tabulator and the verse, with the same names of books, as the Chinese Union Version
of 1919 has them at ebible.org. Sources are pieces of some books in the first language. Submissions are pieces of other books in the
second language, with passages of 4 to 15 verses of the sources, in the second language too, put between their paragraphs; every sixth
holds none. Books that tell what others tell (Chronicles, Mark, Luke and others) are left out. The same seed gives the same files.

`run` checks the submissions as a collection against all sources, and then each pair that is given alone. It prints plagdet, precision and
recall over the characters of both sides (Potthast et al. 2010), and how many passages are in pairs that share nothing.
"""

import argparse
import collections
import csv
import math
import pathlib
import random
import re
import resource
import subprocess
import tempfile

PARALLEL = {"I Chronicles", "II Chronicles", "Mark", "Luke", "Psalms", "Obadiah", "Jude", "II Peter", "Colossians"}
PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "target/release/copytrace"


def verses(path):
    """The verses of a file, by name, without markup and notes."""
    found, key = {}, None
    for line in open(path, encoding="utf-8"):
        if line.startswith("$$$"):
            key = line[3:].strip()
            continue
        if "\t" in line and key is None:
            name, line = line.split("\t", 1)
        else:
            name = key
        line = re.sub(r"<(note|title)\b.*?</\1>", "", line)
        text = " ".join(re.sub(r"<[^>]+>", "", line).split())
        if name and re.search(r" [1-9]\d*:[1-9]\d*$", name) and text:
            found[name] = f"{found[name]} {text}" if name in found else text
    return found


def pieces(keys, shortest, longest, rng):
    """Verses that follow each other in one book, in pieces."""
    at = 0
    while at < len(keys):
        end = min(at + rng.randint(shortest, longest), len(keys))
        book = keys[at].rsplit(" ", 1)[0]
        while keys[end - 1].rsplit(" ", 1)[0] != book:
            end -= 1
        if end - at >= shortest // 2:
            yield keys[at:end]
        at = end


class Text:
    """A text that remembers where verses stand."""

    def __init__(self):
        self.text, self.places = "", {}

    def paragraph(self, keys, of):
        for key in keys:
            self.places[key] = (len(self.text), len(self.text) + len(of[key]))
            self.text += of[key] + " "
        self.text = self.text[:-1] + "\n\n"

    def span(self, keys):
        return self.places[keys[0]][0], self.places[keys[-1]][1]


def make(first, second, folder, seed):
    one, two = verses(first), verses(second)
    keys = [key for key in one if key in two and key.rsplit(" ", 1)[0] not in PARALLEL]
    books = list(dict.fromkeys(key.rsplit(" ", 1)[0] for key in keys))
    rng = random.Random(seed)
    rng.shuffle(books)
    of_sources = set(books[: len(books) // 2])
    sources = list(pieces([key for key in keys if key.rsplit(" ", 1)[0] in of_sources], 40, 90, rng))
    bases = list(pieces([key for key in keys if key.rsplit(" ", 1)[0] not in of_sources], 60, 120, rng))
    rng.shuffle(sources)
    rng.shuffle(bases)
    sources, bases = sources[:200], bases[:80]
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "susp").mkdir(exist_ok=True)
    written = []
    for number, of in enumerate(sources):
        text = Text()
        for at in range(0, len(of), 6):
            text.paragraph(of[at : at + 6], one)
        written.append(text)
        (folder / f"src/{number:03}.txt").write_text(text.text, encoding="utf-8", newline="")
    gold, pairs, unused = [], [], list(range(len(sources)))
    rng.shuffle(unused)
    for number, base in enumerate(bases):
        paragraphs = [(base[at : at + 6], None) for at in range(0, len(base), 6)]
        for _ in range(0 if number % 6 == 5 else rng.randint(1, 4)):
            if not unused:
                break
            source = unused.pop()
            length = rng.randint(4, 15)
            start = rng.randrange(max(1, len(sources[source]) - length))
            paragraphs.insert(rng.randrange(len(paragraphs) + 1), (sources[source][start : start + length], source))
        text = Text()
        for of, source in paragraphs:
            text.paragraph(of, two)
            if source is not None:
                gold.append((f"{number:03}.txt", f"{source:03}.txt", *text.span(of), *written[source].span(of)))
        (folder / f"susp/{number:03}.txt").write_text(text.text, encoding="utf-8", newline="")
        true = {source for _, source in paragraphs if source is not None}
        false = rng.sample([source for source in range(len(sources)) if source not in true], 5)
        pairs += [(f"{number:03}.txt", f"{source:03}.txt") for source in sorted(true) + sorted(false)]
    header = ["submission", "source", "submission_start", "submission_end", "source_start", "source_end"]
    for name, rows in (("gold", [header, *gold]), ("pairs", [header[:2], *pairs])):
        with open(folder / f"{name}.csv", "w", newline="") as file:
            csv.writer(file).writerows(rows)
    print(f"{len(sources)} sources, {len(bases)} submissions, {len(gold)} passages")


def places(path):
    found = collections.defaultdict(list)
    if path.exists():
        csv.field_size_limit(1 << 30)
        for row in csv.DictReader(open(path, encoding="utf-8-sig")):
            pair = tuple(pathlib.Path(row[side]).name for side in ("submission", "source"))
            spans = [int(row[f"{side}_{end}"]) for side in ("submission", "source") for end in ("start", "end")]
            found[pair].append(spans)
    return found


def together(a, b):
    """Characters of both sides in which two cases meet; 0 unless they meet in both."""
    here, there = min(a[1], b[1]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[2], b[2])
    return here + there if here > 0 and there > 0 else 0


def plagdet(gold, found):
    def share(cases, others):
        shares = [
            min(1.0, sum(together(case, other) for other in others[pair]) / (case[1] - case[0] + case[3] - case[2]))
            for pair, of_pair in cases.items()
            for case in of_pair
        ]
        return sum(shares) / len(shares) if shares else 0.0

    recall, precision = share(gold, found), share(found, gold)
    counts = [sum(together(case, other) > 0 for other in found[pair]) for pair, cases in gold.items() for case in cases]
    hit = [count for count in counts if count]
    granularity = sum(hit) / len(hit) if hit else 1.0
    harmonic = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return harmonic / math.log2(1 + granularity), precision, recall


def run(folder, model):
    gold = places(folder / "gold.csv")

    def check(submission, corpus):
        with tempfile.TemporaryDirectory() as output:
            command = [PROGRAM, "check", submission, "--corpus", corpus, "--semantic", model, "-o", f"{output}/report"]
            subprocess.run([*command, "--format", "csv", "--no-shared", "--quiet"], check=True)
            return places(pathlib.Path(output) / "report/resemblances.csv")

    def tell(name, found):
        wrong = sum(len(cases) for pair, cases in found.items() if pair not in gold)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN)
        figures = " ".join(f"{figure:.3f}" for figure in plagdet(gold, found))
        print(f"{name}: {figures}, {wrong} in other pairs; {seconds.ru_utime + seconds.ru_stime:.0f} CPU-s so far", flush=True)

    tell("collection", check(folder / "susp", folder / "src"))
    found = collections.defaultdict(list)
    for row in csv.DictReader(open(folder / "pairs.csv")):
        found.update(check(folder / "susp" / row["submission"], folder / "src" / row["source"]))
    tell("given pairs", found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("first", type=pathlib.Path)
    making.add_argument("second", type=pathlib.Path)
    making.add_argument("folder", type=pathlib.Path)
    making.add_argument("--seed", type=int, default=1)
    running = commands.add_parser("run")
    running.add_argument("folder", type=pathlib.Path)
    running.add_argument("model", type=pathlib.Path)
    options = parser.parse_args()
    if options.command == "make":
        make(options.first, options.second, options.folder, options.seed)
    else:
        run(options.folder, options.model)
