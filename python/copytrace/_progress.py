"""A count of what is done, where somebody can see it: on a terminal and in a notebook."""

import sys
import time
from typing import Any, Protocol

# Work that is done sooner shows nothing, unless it was asked for.
QUIET_SECONDS = 1.0


class Bar(Protocol):
    def __call__(self, done: int, total: int | None, label: str) -> None: ...
    def close(self) -> None: ...


class _Tqdm:
    """tqdm's bar, which knows terminals and notebooks."""

    def __init__(self, label: str, total: int | None) -> None:
        from tqdm.auto import tqdm

        self._bar = tqdm(total=total, desc=label, unit="")

    def __call__(self, done: int, total: int | None, label: str) -> None:
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class _Count:
    """Shows a count once the work takes longer than a moment, four times a second."""

    def __init__(self, quiet: float) -> None:
        self._next = time.monotonic() + quiet
        self._shown = False

    def __call__(self, done: int, total: int | None, label: str) -> None:
        now = time.monotonic()
        if now >= self._next or (self._shown and done == total):
            self._next = now + 0.25
            self._show(f"{label}: {done:,}" + ("" if total is None else f" of {total:,}"))
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


class _InFile(_Count):
    """A line each time, for a log."""

    def _show(self, text: str) -> None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    def _clear(self) -> None:
        pass


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


def bar(label: str, total: int | None, asked: bool) -> Bar | None:
    """A bar for so-called steps. Unless it was asked for: none where nobody would see it, and never tqdm's."""
    if asked:
        try:
            return _Tqdm(label, total)
        except ImportError:
            pass
    quiet = 0.0 if asked else QUIET_SECONDS
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    if running is not None and type(running).__name__ == "ZMQInteractiveShell":
        return _InNotebook(quiet)
    if sys.stderr is not None and sys.stderr.isatty():
        return _OnTerminal(quiet)
    return _InFile(quiet) if asked and sys.stderr is not None else None
