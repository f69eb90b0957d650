"""What a notebook shows."""

from collections.abc import Sequence
from html import escape
from typing import Any


def frame(page: str) -> str:
    """A page in a frame of its own: its script runs, but reaches nothing outside."""
    return (
        '<iframe sandbox="allow-scripts" title="copytrace" style="width:100%;height:40em;border:1px solid #8888" '
        f'srcdoc="{escape(page)}"></iframe>'
    )


def message(text: str) -> str:
    """A text as a paragraph."""
    return f"<p>{escape(text)}</p>"


def table(columns: Sequence[str], rows: Sequence[dict[str, Any]], count: int) -> str:
    """The first rows of a table that has `count` of them."""

    def cell(value: object) -> str:
        text = f"{value:.4f}" if isinstance(value, float) else str(value)
        return f"<td>{escape(text if len(text) <= 80 else text[:79] + '…')}</td>"

    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(cell(row[column]) for column in columns)}</tr>" for row in rows)
    rest = f"<p>{len(rows)} of {count} rows</p>" if len(rows) < count else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"
