"""The docstrings of the stub, which editors show, are those of the native module: `python stubs.py` writes them there."""

import ast
import inspect
from pathlib import Path
from textwrap import indent

from copytrace import _native

STUB = Path(__file__).parents[1] / "copytrace" / "_native.pyi"


def documented(stub: str) -> str:
    """The stub with the docstrings of what it names."""
    lines = stub.splitlines()
    tree = ast.parse(stub)
    found: list[tuple[ast.FunctionDef | ast.ClassDef, object]] = []
    for node in tree.body:
        thing = getattr(_native, getattr(node, "name", ""), None)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and thing is not None:
            found.append((node, thing))
        if isinstance(node, ast.ClassDef) and thing is not None:
            members = [member for member in node.body if isinstance(member, ast.FunctionDef)]
            found += [(member, vars(thing).get(member.name)) for member in members if not member.name.startswith("_")]
    for node, thing in reversed(found):
        doc = inspect.getdoc(thing)
        if doc is None or node.name.startswith("_"):
            continue
        margin = " " * (node.col_offset + 4)
        quoted = f'{margin}"""' + indent(doc, margin).strip() + ('\n' + margin if "\n" in doc else "") + '"""'
        quoted = quoted.replace(f'{margin}"""', f'{margin}r"""', 1) if "\\" in doc else quoted
        first = node.body[0]
        is_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        old = first if is_doc else None
        if old is not None and old.lineno == _header_end(node):
            # `def f() -> int: ...`
            lines[old.lineno - 1 : old.end_lineno] = [lines[old.lineno - 1][: old.col_offset].rstrip(), quoted]
        elif old is not None and old.end_lineno is not None:
            lines[old.lineno - 1 : old.end_lineno] = [quoted]
        else:
            start = min([first.lineno, *(decorator.lineno for decorator in getattr(first, "decorator_list", []))])
            lines.insert(start - 1, quoted)
    return "\n".join(lines) + "\n"


def _header_end(node: ast.FunctionDef | ast.ClassDef) -> int:
    """The line of the colon before the body."""
    if isinstance(node, ast.ClassDef):
        return node.lineno
    last = node.returns or node.args
    return getattr(last, "end_lineno", None) or node.lineno


if __name__ == "__main__":
    STUB.write_text(documented(STUB.read_text()))
