"""What can go wrong, besides Python's own exceptions."""

import warnings


class CopytraceError(Exception):
    """An error of copytrace: the base of the others here."""


class UnreadableError(CopytraceError):
    """A document that cannot be read or compared.

    >>> from copytrace import UnreadableError
    >>> error = UnreadableError("thesis.pdf", "no such file or folder")
    >>> str(error), error.document, error.reason
    ('thesis.pdf: no such file or folder', 'thesis.pdf', 'no such file or folder')
    """

    def __init__(self, document: str, reason: str) -> None:
        super().__init__(document, reason)
        self.document = document
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.document}: {self.reason}"


class DamagedError(CopytraceError):
    """An index whose files are not as they were written."""


class UnreadableWarning(UserWarning):
    """Documents are missing from what was compared, because they cannot be read."""


def warn_unread(message: str) -> None:
    """Warns the caller of the native function that is running."""
    warnings.warn(message, UnreadableWarning, stacklevel=2)
