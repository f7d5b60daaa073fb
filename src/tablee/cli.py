"""The `tablee` command."""

from __future__ import annotations

import typer

main = typer.Typer(no_args_is_help=True, add_completion=False)
