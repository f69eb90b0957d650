"""Finds which passages of a text stand in other texts too: where, how much, how sure.

`check` compares submissions with a corpus and gives a `Report` on each, `compare` two documents, `pairs` all documents
of a corpus with each other. Texts are paths, `Document`s, or the rows of a data frame of any Arrow library; results are
tables that any of them reads.
"""

from copytrace._errors import CopytraceError, DamagedError, UnreadableError, UnreadableWarning
from copytrace._lean import LeanMinHash, missing as __getattr__
from copytrace._native import (
    Document,
    Index,
    MinHash,
    MinHashLSH,
    Pairs,
    Passage,
    Report,
    Reports,
    Settings,
    Table,
    check,
    compare,
    near,
    pairs,
    signatures,
    simhash,
)
from copytrace._native import __version__ as __version__

__all__ = [
    "CopytraceError",
    "DamagedError",
    "Document",
    "Index",
    "LeanMinHash",
    "MinHash",
    "MinHashLSH",
    "Pairs",
    "Passage",
    "Report",
    "Reports",
    "Settings",
    "Table",
    "UnreadableError",
    "UnreadableWarning",
    "check",
    "compare",
    "near",
    "pairs",
    "signatures",
    "simhash",
]
