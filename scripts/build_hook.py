"""Refuse to build a package without the web client: its site would be empty."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        client = Path(self.root) / "src/tablee/server/static/index.html"
        if version != "editable" and not client.exists():
            raise RuntimeError("the client is not built: run `make src/tablee/server/static/index.html` first")
