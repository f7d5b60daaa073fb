"""Reads the files under deploy/ and the options that they may set."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer
import yaml

from tablee.cli import main

ROOT = Path(__file__).parents[2]
IMAGE = re.compile(r"[a-z]+(:[\w.-]+)?")
"""An image by its name and tag; a registry's address would have a dot or a slash before the colon."""


def documents(path: Path) -> list[dict[str, Any]]:
    """Return the documents of a YAML file; a key that occurs twice is an error."""
    return list(yaml.load_all(path.read_text(), Loader=Strict))


class Strict(yaml.SafeLoader):  # type: ignore[misc]
    pass


def mapping(loader: Strict, node: yaml.MappingNode) -> dict[Any, Any]:
    keys = [key.value for key, _ in node.value]
    if twice := {key for key in keys if keys.count(key) > 1}:
        raise yaml.MarkedYAMLError(problem=f"twice in one mapping: {', '.join(twice)}", problem_mark=node.start_mark)
    loader.flatten_mapping(node)
    return loader.construct_mapping(node, deep=True)


Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, mapping)


def serve_variables() -> set[str]:
    """Return the environment variables of `tablee serve`."""
    group = typer.main.get_group(main)
    return {option.envvar for option in group.commands["serve"].params if isinstance(option.envvar, str)}
