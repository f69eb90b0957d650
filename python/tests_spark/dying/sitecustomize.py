"""Makes each kind of task kill its executor at its first attempt, once a folder named by COPYTRACE_TEST_DIE is there."""

import functools
import os
import signal
from collections.abc import Callable
from typing import Any


def _executor() -> int:
    """The Java process above this worker and its daemon."""
    parent = int(open(f"/proc/{os.getppid()}/stat").read().rsplit(")", 1)[1].split()[1])
    return parent if "java" in os.readlink(f"/proc/{parent}/exe") else os.getppid()


def _dying(name: str, task: Callable[..., Any]) -> Callable[..., Any]:
    def die() -> None:
        folder = os.environ.get("COPYTRACE_TEST_DIE", "/no/such")
        if os.path.isdir(folder):
            try:
                os.close(os.open(os.path.join(folder, name), os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return
            os.kill(_executor(), signal.SIGKILL)

    # Spark looks at how many arguments a function of groups takes.
    if name in ("total", "report"):

        @functools.wraps(task)
        def of_group(table: Any) -> Any:
            die()
            return task(table)

        return of_group

    @functools.wraps(task)
    def run(*arguments: Any, **named: Any) -> Any:
        die()
        return task(*arguments, **named)

    return run


if "COPYTRACE_TEST_DIE" in os.environ:
    from copytrace.spark import _tasks

    for _name in ("build", "count", "total", "find", "report", "rows", "documents", "profile", "similar", "meet", "trees", "members"):
        setattr(_tasks, _name, _dying(_name, getattr(_tasks, _name)))
