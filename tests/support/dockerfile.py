"""Builds a Dockerfile without Docker: each stage becomes a folder, and its RUN steps run there.

It knows the instructions that our Dockerfile uses and refuses others. A stage that starts from `python` or `node` uses
the machine's own. One that starts from `scratch` is exactly what the image holds.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

NETWORK = re.compile(r"(pip_|npm_config_|ssl_|.*_proxy$|.*_ca_(bundle|certs)$)", re.IGNORECASE)
"""Variables that say how this machine reaches a package index. RUN steps get no others of ours."""


@dataclass
class Stage:
    base: str
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)
    """Instructions with their arguments, in order."""

    def last(self, instruction: str) -> str:
        return [text for name, text in self.steps if name == instruction][-1]


def read(text: str) -> list[Stage]:
    """Read a Dockerfile into its stages."""
    stages: list[Stage] = []
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#")).replace("\\\n", " ")
    for line in filter(str.strip, lines.splitlines()):
        instruction, _, rest = line.partition(" ")
        if instruction == "FROM":
            base, _, name = rest.partition(" AS ")
            stages.append(Stage(base, name or "image"))
        else:
            stages[-1].steps.append((instruction, " ".join(rest.split()) if instruction != "HEALTHCHECK" else rest))
    return stages


def flags_of(text: str) -> tuple[dict[str, str], list[str]]:
    """Split `--from=build a b` into its flags and its words."""
    words = shlex.split(text)
    flags = {word[2:].partition("=")[0]: word.partition("=")[2] for word in words if word.startswith("--")}
    return flags, [word for word in words if not word.startswith("--")]


class Ignored:
    """The rules of a .dockerignore: the last one that matches a path or one of its folders counts."""

    def __init__(self, text: str) -> None:
        self.rules: list[tuple[bool, re.Pattern[str]]] = []
        for line in filter(lambda line: line.strip() and not line.startswith("#"), text.splitlines()):
            pattern = re.escape(line.strip().removeprefix("!")).replace(r"\*\*/", "(.*/)?").replace(r"\*", "[^/]*")
            self.rules.append((not line.startswith("!"), re.compile(f"{pattern}(/.*)?")))

    def __call__(self, path: str) -> bool:
        return next((ignored for ignored, rule in reversed(self.rules) if rule.fullmatch(path)), False)


@dataclass
class Image:
    """What the last stage holds, and how a container starts."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    user: int = 0
    workdir: str = "/"
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)
    owners: dict[str, int] = field(default_factory=dict)
    """The users of the folders that were copied with --chown."""

    def files(self) -> Iterator[Path]:
        yield from (path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink())

    @property
    def size(self) -> int:
        return sum(path.stat().st_size for path in self.files())


class Build:
    """One build of a Dockerfile, in `work`."""

    def __init__(
        self,
        context: Path,
        work: Path,
        tools: Mapping[str, Path],
        instead: Mapping[str, Callable[[Path], object]] | None = None,
    ) -> None:
        """`tools` has the folder of programs for each base, and `instead` replaces RUN steps, given their folder."""
        self.context = context
        self.work = work
        self.tools = tools
        self.instead = dict(instead or {})
        self.ignored = Ignored((context / ".dockerignore").read_text())
        self.stages = read((context / "Dockerfile").read_text())

    def run(self) -> Image:
        for stage in self.stages:
            image = self._build(stage)
        assert not self.instead, f"the Dockerfile has no such RUN steps: {', '.join(self.instead)}"
        return image

    def _build(self, stage: Stage) -> Image:
        image = Image(self.work / stage.name)
        image.root.mkdir(parents=True)
        for instruction, text in stage.steps:
            match instruction:
                case "WORKDIR":
                    image.workdir = text
                    (image.root / text.lstrip("/")).mkdir(parents=True, exist_ok=True)
                case "COPY":
                    self._copy(image, text)
                case "RUN":
                    self._run(image, stage.base, text)
                case "ENV":
                    image.environment |= dict(word.split("=", 1) for word in shlex.split(text))
                case "USER":
                    image.user = int(text.split(":")[0])
                case "EXPOSE":
                    image.ports += map(int, text.split())
                case "ENTRYPOINT":
                    image.entrypoint = json.loads(text)
                case "CMD":
                    image.command = json.loads(text)
                case "HEALTHCHECK":
                    image.health = json.loads(text.partition("CMD ")[2])
                case _:
                    raise ValueError(f"an instruction that this build does not know: {instruction} {text}")
        return image

    def _copy(self, image: Image, text: str) -> None:
        flags, (*sources, target) = flags_of(text)
        here = image.root / image.workdir.lstrip("/")
        to = image.root / target.lstrip("/") if target.startswith("/") else Path(os.path.normpath(here / target))
        assert to.is_relative_to(image.root)
        stage = flags.get("from")
        start, skip = (self.work / stage, Ignored("")) if stage else (self.context, self.ignored)
        for source in sources:
            path = start / source.lstrip("/")
            assert path.exists(), f"COPY {text}: {source} is not there"
            assert not skip(source), f"COPY {text}: .dockerignore leaves {source} out"
            into = to if path.is_dir() or not (target.endswith("/") or len(sources) > 1) else to / path.name
            copy(path, into, start, skip, os.link if stage else shutil.copy2)
        if owner := flags.get("chown"):
            image.owners[target] = int(owner.split(":")[0])

    def _run(self, image: Image, base: str, text: str) -> None:
        folder = image.root / image.workdir.lstrip("/")
        if replacement := self.instead.pop(text, None):
            replacement(folder)
            return
        home = self.work / "home"
        home.mkdir(exist_ok=True)
        environment = {name: value for name, value in os.environ.items() if NETWORK.match(name)}
        environment |= {
            "PATH": f"{self.tools[base.split(':')[0]]}:/usr/bin:/bin",
            "HOME": str(home),
        } | image.environment
        made = subprocess.run(["/bin/sh", "-c", text], cwd=folder, env=environment, capture_output=True, text=True)
        assert made.returncode == 0, f"RUN {text}\n{made.stdout}{made.stderr}"


def copy(source: Path, target: Path, start: Path, skip: Ignored, put: Callable[..., object]) -> None:
    """Copy a file, or the contents of a folder, as COPY does; `skip` gets paths from `start`."""
    if not source.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        put(source, target)
        return

    def ignore(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if skip(str((Path(folder) / name).relative_to(start)))]

    shutil.copytree(source, target, symlinks=True, ignore=ignore, copy_function=put, dirs_exist_ok=True)
