#!/usr/bin/env python3
"""How fast PDF theses are read and checked: benches/theses.py [--theses 200] [--pages 100] [--folder target/theses]

Half of the theses are English, half Chinese: words and characters drawn by Zipf's law, in chapters with headings, notes,
a table and references, under a running header; one paragraph in twelve is copied from a document of the corpus.
LibreOffice makes PDF files of them, which are kept in the folder for the next run. Then `copytrace check` reads and
checks them all. CPU seconds are those of the whole process and of the programs that it ran; pages are as `pdfinfo` counts
them. Needs a release build, LibreOffice, poppler-utils and the fonts of `make tools`.
"""

import argparse
import bisect
import html
import itertools
import json
import os
import pathlib
import random
import resource
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Words or characters that fill a page of the tests' template.
PAGE = {"english": 810, "chinese": 1310}
FONT = {"english": "Liberation Serif", "chinese": "WenQuanYi Micro Hei"}


class Writer:
    """Draws text of one language."""

    def __init__(self, language, seed):
        self.language, self.random = language, random.Random(f"{language} {seed}")
        if language == "english":
            syllables = [a + b for a in "b c d f g l m n p r s t v st tr sh".split() for b in "a e i o u an er on".split()]
            triples = itertools.product(syllables[::5], syllables[::3], syllables)
            self.words = "the of and to in a is that for it as was with be by on not".split() + ["".join(t) for t in triples]
        else:
            self.words = list("的一是不了在人有我他这个们中来上大为和国") + [chr(0x4E00 + 5 * n) for n in range(4000)]
        weights = itertools.accumulate(1 / (rank + 3) for rank in range(len(self.words)))
        self.sums = list(weights)

    def sentence(self):
        words = [
            self.words[bisect.bisect(self.sums, self.random.random() * self.sums[-1])]
            for _ in range(self.random.randint(10, 26))
        ]
        if self.language == "english":
            return " ".join(words).capitalize() + "."
        return "".join(words) + "。"

    def paragraph(self):
        """About a third of a page."""
        joint = " " if self.language == "english" else ""
        return joint.join(self.sentence() for _ in range(10 if self.language == "english" else 23))


def corpus(language, documents):
    writer = Writer(language, "corpus")
    return [[writer.paragraph() for _ in range(12)] for _ in range(documents)]


def thesis(language, number, pages, sources):
    """The body of a flat OpenDocument file."""
    writer, notes = Writer(language, number), itertools.count(1)
    title, chapter, references = (
        ("A Thesis", "Chapter {}", "References") if language == "english" else ("论文", "第{}章", "参考文献")
    )

    def tagged(style, text, inner=""):
        return f"<text:p text:style-name='{style}'>{html.escape(text)}{inner}</text:p>"

    def heading(level, text):
        return f"<text:h text:style-name='Heading_20_{level}' text:outline-level='{level}'>{html.escape(text)}</text:h>"

    body, written, chapters = [tagged("Title", f"{title} {number}")], 0, 0
    while written < pages * PAGE[language]:
        chapters += 1
        body.append(heading(1, chapter.format(chapters) + " " + writer.sentence()[:20]))
        for section in range(1, 5):
            body.append(heading(2, f"{chapters}.{section} {writer.sentence()[:16]}"))
            for _ in range(8):
                copied = writer.random.randrange(12) == 0
                text = writer.random.choice(writer.random.choice(sources)) if copied else writer.paragraph()
                written += len(text.split()) if language == "english" else len(text)
                body.append(tagged("Standard", text))
            note = next(notes)
            body[-1] = tagged("Standard", text, (
                f"<text:note text:id='n{note}' text:note-class='footnote'><text:note-citation>{note}</text:note-citation>"
                f"<text:note-body>{tagged('Footnote', writer.sentence())}</text:note-body></text:note>"
            ))
        cells = "".join(f"<table:table-cell>{tagged('Standard', cell)}</table:table-cell>" for cell in ("1931", "47"))
        body.append(
            "<table:table><table:table-column table:number-columns-repeated='2'/>"
            + f"<table:table-row>{cells}</table:table-row>" * 4
            + "</table:table>"
        )
    body.append(heading(1, references))
    body += [tagged("Standard", f"[{n}] {writer.sentence()}") for n in range(1, 61)]
    return "".join(body)


def make(folder, theses, pages):
    """Writes the corpus and the PDF files that are not there yet."""
    template = (ROOT / "tests/slow/formats/thesis.fodt").read_text()
    submissions = folder / "submissions"
    submissions.mkdir(parents=True, exist_ok=True)
    with open(folder / "corpus.jsonl", "w") as out:
        for language in PAGE:
            sources = corpus(language, 200)
            for number, text in enumerate(sources):
                print(json.dumps({"id": f"{language}-{number}", "text": "\n\n".join(text)}), file=out)
            missing = [n for n in range(theses // 2) if not (submissions / f"{language}-{n}.pdf").exists()]
            # LibreOffice takes several files at a time, to start once for them.
            for start in range(0, len(missing), 10):
                made = []
                for number in missing[start : start + 10]:
                    body = thesis(language, number, pages, sources)
                    made.append(folder / f"{language}-{number}.fodt")
                    text = template.replace("FONT", FONT[language]).replace("COLUMNS", "1").replace("BODY", body)
                    made[-1].write_text(text)
                profile = f"-env:UserInstallation=file://{folder}/profile"
                command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", submissions, *made]
                subprocess.run(command, check=True, capture_output=True)
                for path in made:
                    path.unlink()
                print(f"{language}: {start + len(made)} of {len(missing)} made", flush=True)


def page_count(path):
    output = subprocess.run(["pdfinfo", path], check=True, capture_output=True, text=True).stdout
    return int(next(line.split()[1] for line in output.splitlines() if line.startswith("Pages:")))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--theses", type=int, default=200)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "target/theses")
    parser.add_argument("--program", default=ROOT / "target/release/copytrace")
    options = parser.parse_args()
    folder = options.folder.resolve()
    make(folder, options.theses, options.pages)
    pages = sum(page_count(path) for path in (folder / "submissions").iterdir())

    before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = [options.program, "check", folder / "submissions", "--corpus", folder / "corpus.jsonl", "-o", folder / "report"]
    subprocess.run([*command, "--quiet"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{pages} pages in {cpu:.1f} CPU seconds: {pages / cpu:.0f} pages per CPU second")
    print(f"{time.monotonic() - clock:.1f} seconds, load average {os.getloadavg()[0]:.1f}, {after.ru_maxrss >> 10} MiB at most")


if __name__ == "__main__":
    main()
