"""What the tests share: the program, the demo's texts, and texts of words that mean nothing."""

import os
import random
import subprocess
from pathlib import Path

import pytest

from copytrace import Document

PROJECT = Path(__file__).parents[2]
DEMO = PROJECT / "corpora" / "demo"


@pytest.fixture(scope="session")
def program() -> str:
    """The `copytrace` program, which the Makefile builds before."""
    return os.environ.get("COPYTRACE", str(PROJECT / "target" / "debug" / "copytrace"))


def run(program: str, *arguments: object, cwd: Path) -> None:
    subprocess.run([program, "--quiet", *map(str, arguments)], cwd=cwd, check=True)


def same(first: Path, second: Path) -> None:
    """Fails with what `diff` says of two folders that are not the same byte for byte."""
    difference = subprocess.run(["diff", "-r", first, second], capture_output=True, text=True)
    assert difference.returncode == 0, difference.stdout[:2000]


def planted(count: int) -> tuple[list[Document], list[Document]]:
    """`count` sources, and as many submissions, half of which hold a passage of a source."""
    draw = random.Random(7)

    def words(number: int) -> str:
        return " ".join(f"{draw.choice('bdfgklmnprst')}{draw.choice('aeiou')}{draw.randrange(9999)}" for _ in range(number))

    sources = [Document(words(300), id=f"source-{number:03}", author=f"Author {number}") for number in range(count)]
    submissions = []
    for number in range(count):
        stolen = " ".join(sources[number].text.split()[100:160]) if number % 2 else ""
        submissions.append(Document(f"{words(120)} {stolen} {words(120)}", id=f"thesis-{number:03}"))
    return sources, submissions
