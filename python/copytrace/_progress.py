"""A count of what is done, where somebody can see it: on a terminal and in a notebook."""

import sys
import time
from typing import Any, Protocol

# Work that is done sooner shows nothing.
QUIET_SECONDS = 1.0


class Bar(Protocol):
    def __call__(self, steps: int) -> None: ...
    def close(self) -> None: ...


class _Count:
    """Shows a count once the work takes longer than a moment, four times a second."""

    def __init__(self, counts: str) -> None:
        self._counts = counts
        self._next = time.monotonic() + QUIET_SECONDS
        self._shown = False

    def __call__(self, steps: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + 0.25
            self._show(f"{self._counts}: {steps:,}")
            self._shown = True

    def close(self) -> None:
        if self._shown:
            self._clear()

    def _show(self, text: str) -> None:
        raise NotImplementedError

    def _clear(self) -> None:
        raise NotImplementedError


class _OnTerminal(_Count):
    def _show(self, text: str) -> None:
        sys.stderr.write(f"\r{text}")
        sys.stderr.flush()

    def _clear(self) -> None:
        # Back to the start of the line, which is cleared.
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


class _InNotebook(_Count):
    _display: Any = None

    def _show(self, text: str) -> None:
        from IPython.display import HTML, display

        content = HTML(f"<p>{text}</p>")
        if self._display is None:
            self._display = display(content, display_id=True)
        else:
            self._display.update(content)

    def _clear(self) -> None:
        from IPython.display import HTML

        self._display.update(HTML(""))


def bar(counts: str) -> Bar | None:
    """A bar for so-called steps; none where nobody would see it."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    if running is not None and type(running).__name__ == "ZMQInteractiveShell":
        return _InNotebook(counts)
    if sys.stderr is not None and sys.stderr.isatty():
        return _OnTerminal(counts)
    return None
