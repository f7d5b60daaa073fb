"""The pages of the documentation site that follow from the code: commands, frames and bodies, the API."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import msgspec
import typer
from msgspec import Struct
from msgspec.inspect import multi_type_info

import tablee
from tablee import typescript
from tablee.cli import main
from tablee.server.bot_bodies import EventCommand, StreamFrame
from tablee.server.frames import ClientFrame, ServerFrame
from tablee.server.search_frames import SearchClientFrame, SearchServerFrame

CLIENT = ("Client", "Table", "Turn", "Events", "Problem", "Closed", "Lost")
"""The names of `tablee.client` that are its own; the others are frames."""


def commands_page() -> str:
    """Return every command with its arguments and options."""
    parts = [
        "# Commands",
        "Every command explains itself with `--help`. This page is made from the same texts.",
    ]
    group = typer.main.get_command(main)
    for path, command, context in walk(group, "tablee", None):
        parts += command_section(path, command, context)
    return "\n\n".join(parts) + "\n"


def walk(command: Any, path: str, parent: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield every command below a group with its whole name."""
    context = command.context_class(command, info_name=path.rpartition(" ")[2], parent=parent)
    if not hasattr(command, "list_commands"):
        yield path, command, context
        return
    if parent is not None:
        yield path, command, context
    for name in command.list_commands(context):
        yield from walk(command.get_command(context, name), f"{path} {name}", context)


def command_section(path: str, command: Any, context: Any) -> list[str]:
    is_group = hasattr(command, "list_commands")
    depth = "##" if path.count(" ") == 1 else "###"
    text = inspect.cleandoc(command.help or "").replace("\f", "")
    parts = [f"{depth} `{path}`", text]
    if is_group:
        return parts
    usage = " ".join(command.collect_usage_pieces(context))
    parts.append(f"```text\n{path} {usage}\n```")
    rows = [option_row(parameter, context) for parameter in command.get_params(context) if not is_hidden(parameter)]
    if rows:
        parts.append("\n".join(["| argument | meaning |", "|---|---|", *rows]))
    return parts


def is_hidden(parameter: Any) -> bool:
    return bool(getattr(parameter, "hidden", False)) or parameter.name == "help"


def option_row(parameter: Any, context: Any) -> str:
    record = parameter.get_help_record(context)
    if record is None:
        name, text = parameter.make_metavar(context), ""
    else:
        name, text = record
    return f"| `{cell(name)}` | {cell(text)} |"


def cell(text: str) -> str:
    """Return text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


@cache
def frames_page() -> str:
    """Return every frame and body with its fields, from the structs and their docstrings."""
    parts = [
        "# Frames and bodies",
        "This page is made from the structs of the server, which check every message. "
        "[Protocol](protocol.md) explains how they work together. Types are written as in TypeScript; "
        "a field with `?` may be left out.",
    ]
    shown: set[type[Struct]] = set()
    anchors: set[str] = set()
    for title, note, structs in sections():
        parts += [f"## {title}", note]
        for struct in structs:
            if struct in shown:
                continue
            shown.add(struct)
            anchor = struct.__name__
            if anchor in anchors:  # another socket has a frame of that name
                anchor = f"{struct.__module__.rpartition('.')[2]}-{anchor}"
            anchors.add(anchor)
            parts += struct_section(struct, anchor)
    return "\n\n".join(parts) + "\n"


def sections() -> Iterator[tuple[str, str, tuple[type[Struct], ...]]]:
    """Yield the structs in groups: the frames of each socket, then everything that they or HTTP contain."""
    yield "Commands", "A browser or a program sends these to a table, `/ws/CODE`.", get_args(ClientFrame)
    yield "Server frames", "The server sends these to a table.", get_args(ServerFrame)
    search = (*get_args(SearchClientFrame), *get_args(SearchServerFrame))
    yield "Searching for opponents", "Both directions of the socket that finds opponents.", search
    yield (
        "Events of a bot",
        "Both directions of a bot's event stream.",
        (*get_args(EventCommand), *get_args(StreamFrame)),
    )
    rest = sorted(all_structs(), key=lambda one: one.__name__)
    yield "Bodies and values", "HTTP requests and answers, and the values inside frames.", tuple(rest)


@cache
def all_structs() -> tuple[type[Struct], ...]:
    """Return every struct that crosses the network, except those of games."""
    found: dict[type[Struct], None] = {}
    pending: list[Any] = list(multi_type_info([*typescript.IN, *typescript.OUT]))
    while pending:
        one = pending.pop()
        if isinstance(one, msgspec.inspect.StructType):
            if one.cls in found:
                continue
            found[one.cls] = None
            pending += [field.type for field in one.fields]
        for name in ("types", "item_types"):
            pending += getattr(one, name, None) or ()
        pending += [part for part in (getattr(one, "item_type", None), getattr(one, "value_type", None)) if part]
        if isinstance(one, msgspec.inspect.Metadata):
            pending.append(one.type)
    return tuple(found)


def schema_of(struct: type[Struct]) -> dict[str, Any]:
    (reference,), components = msgspec.json.schema_components((struct,), ref_template="{name}")
    return components[reference["$ref"]]


def struct_section(struct: type[Struct], anchor: str) -> list[str]:
    tag = struct.__struct_config__.tag
    parts = [f"### `{tag}` {{ #{anchor} }}" if tag else f"### {struct.__name__} {{ #{anchor} }}"]
    if struct.__doc__ and not struct.__doc__.startswith(struct.__name__):
        parts.append(inspect.cleandoc(struct.__doc__))
    schema, docs = schema_of(struct), field_docs(struct)
    rows = []
    for name, shape in schema.get("properties", {}).items():
        if name == "type" and tag:
            continue
        optional = "" if name in schema.get("required", []) else "?"
        kind = typescript.expression(shape)
        rows.append(f"| `{name}{optional}` | `{cell_code(kind)}` | {cell(docs.get(name, ''))} |")
    if rows:
        parts.append("\n".join(["| field | type | meaning |", "|---|---|---|", *rows]))
    return parts


def cell_code(text: str) -> str:
    """Return code for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


@cache
def field_docs(struct: type[Struct]) -> dict[str, str]:
    """Return the docstrings of a struct's fields, inherited ones included."""
    docs: dict[str, str] = {}
    for one in reversed(struct.__mro__):
        if one is Struct or not issubclass(one, Struct):
            continue
        try:
            source = textwrap.dedent(inspect.getsource(one))
        except (OSError, TypeError):
            continue
        body = ast.parse(source).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in zip(body.body, body.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and is_text(text):
                docs[field.target.id] = inspect.cleandoc(ast.literal_eval(text.value))  # type: ignore[attr-defined]
    return docs


def is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def api_page() -> str:
    """Return the public names of the package, for mkdocstrings to describe."""
    names = [f"tablee.{name}" for name in tablee.__all__]
    parts = ["# API reference", "What `import tablee` offers. [Python](python.md) shows how to use it."]
    parts += [f"::: {name}" for name in names]
    parts += ["# `tablee.client`", "For programs that play over the network: [Write a bot](bots.md)."]
    parts += [f"::: tablee.client.{name}" for name in CLIENT]
    return "\n\n".join(parts) + "\n"
